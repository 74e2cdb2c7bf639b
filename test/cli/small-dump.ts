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
  const usage = { cpu: "250m", memory: "512Mi" };
  const timestamp = "2026-11-30T09:00:00Z";
  const nodeMetrics = [{ metadata: { name: "node-1" }, timestamp, usage }];
  const podMetrics = [
    { metadata: { name: "web", namespace: "shop" }, timestamp, containers: [{ name: "web", usage }] },
  ];
  const metrics = { apiVersion: "metrics.k8s.io/v1beta1" };
  const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
  write("version.json", { serverVersion: { gitVersion: "v1.33.1" } });
  write("nodemetrics.json", { ...metrics, kind: "NodeMetricsList", items: nodeMetrics });
  write("podmetrics.json", { ...metrics, kind: "PodMetricsList", items: podMetrics });
  const kinds =
    "persistentvolumeclaims persistentvolumes services resourcequotas deployments replicasets statefulsets daemonsets jobs cronjobs";
  write("objects.json", { apiVersion: "v1", kind: "List", items });
  for (const name of kinds.split(" ")) write(`${name}.json`, { apiVersion: "v1", kind: "List", items: [] });
  return folder;
}
