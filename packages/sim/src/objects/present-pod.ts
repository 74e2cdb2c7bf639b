import type { PodRecord } from "../records/records.ts";
import type { KubeJson } from "./kube-json.ts";
import { presentMetadata } from "./present-metadata.ts";
import { presentPodStatus } from "./present-pod-status.ts";
import { presentPodSpec } from "./present-pod-template.ts";

/** A pod as the API shows it. */
export function presentPod(pod: PodRecord, revision: number): KubeJson {
  const { template, owner, name } = pod;
  const generateName =
    owner.kind === "StatefulSet" || template.mirror ? undefined : name.slice(0, name.lastIndexOf("-") + 1);
  return {
    metadata: presentMetadata(pod, revision, {
      labels: pod.labels,
      ...(template.annotations === undefined ? {} : { annotations: template.annotations }),
      owner,
      ...(generateName === undefined ? {} : { generateName }),
      deletionAt: pod.deletionAt,
    }),
    spec: {
      volumes: volumesOf(pod),
      ...presentPodSpec(template, pod.resized ?? undefined),
      nodeName: pod.node ?? undefined,
      hostname: owner.kind === "StatefulSet" ? name : undefined,
    },
    status: presentPodStatus(pod),
  };
}

function volumesOf({ claim }: PodRecord): readonly KubeJson[] {
  const token = { name: "kube-api-access", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } };
  return claim === null ? [token] : [{ name: "data", persistentVolumeClaim: { claimName: claim } }, token];
}
