import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a folder as `kubectl get … -o json` makes it: one cluster, one ready node, one pod. Gives its path. */
export function writeSmallDump(folder: string, given: { readonly uid: string; readonly memory?: string }): string {
  mkdirSync(folder, { recursive: true });
  const memory = given.memory ?? "8Gi";
  const resources = { cpu: "4", memory, pods: "110", "ephemeral-storage": "100Gi" };
  const meta = (name: string, extra: object = {}) => ({ name, uid: `${given.uid}-${name}`, ...extra });
  const conditions = [{ type: "Ready", status: "True", lastTransitionTime: "2026-11-30T08:00:00Z" }];
  const items = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system", uid: given.uid } },
    { apiVersion: "v1", kind: "Namespace", metadata: meta("shop") },
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: meta("node-1"),
      spec: {},
      status: { capacity: resources, allocatable: resources, conditions, nodeInfo: { kubeletVersion: "v1.33.1" } },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: meta("web", { namespace: "shop", creationTimestamp: "2026-11-30T08:00:00Z" }),
      spec: {
        nodeName: "node-1",
        containers: [{ name: "web", image: "web:1", resources: { requests: { cpu: "1", memory: "1Gi" } } }],
      },
      status: { phase: "Running", startTime: "2026-11-30T08:00:00Z" },
    },
  ];
  const kinds =
    "persistentvolumeclaims persistentvolumes services resourcequotas deployments replicasets statefulsets daemonsets jobs cronjobs";
  writeFileSync(join(folder, "objects.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  for (const name of kinds.split(" ")) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ apiVersion: "v1", kind: "List", items: [] }));
  }
  return folder;
}
