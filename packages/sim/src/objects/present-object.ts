import type { CloudProfile } from "../fleet/cloud-profile.ts";
import type { GivenRecord } from "../records/records.ts";
import type { Entry } from "../store/object-store.ts";
import { timestamp } from "../time/seconds.ts";
import type { KubeJson } from "./kube-json.ts";
import { presentNode } from "./present-node.ts";
import { presentPod } from "./present-pod.ts";
import { presentClaim, presentNamespace, presentQuota, presentService, presentVolume } from "./present-storage.ts";
import { presentCronJob, presentDaemonSet, presentJob, presentReplicated } from "./present-workload.ts";

/** The Kubernetes object of an entry, as an item of a list: without kind and apiVersion. */
export function presentObject(cloud: CloudProfile, { record, revision }: Entry): KubeJson {
  switch (record.resource) {
    case "nodes":
      return presentNode(record, revision, cloud);
    case "pods":
      return presentPod(record, revision);
    case "namespaces":
      return presentNamespace(record, revision);
    case "deployments":
    case "replicasets":
    case "statefulsets":
      return presentReplicated(record, revision);
    case "daemonsets":
      return presentDaemonSet(record, revision);
    case "jobs":
      return presentJob(record, revision);
    case "cronjobs":
      return presentCronJob(record, revision);
    case "persistentvolumeclaims":
      return presentClaim(record, revision);
    case "persistentvolumes":
      return presentVolume(record, revision);
    case "services":
      return presentService(record, revision);
    case "resourcequotas":
      return presentQuota(record, revision);
    case "given":
      return presentGiven(record, revision);
  }
}

function presentGiven({ object, name, namespace, uid, createdAt }: GivenRecord, revision: number): KubeJson {
  const { kind: _kind, apiVersion: _version, metadata, ...rest } = object;
  const given = typeof metadata === "object" && metadata !== null ? metadata : {};
  const own = {
    name,
    namespace: namespace === "" ? undefined : namespace,
    uid,
    resourceVersion: String(revision),
    creationTimestamp: timestamp(createdAt),
  };
  return { metadata: { ...given, ...own }, ...rest };
}
