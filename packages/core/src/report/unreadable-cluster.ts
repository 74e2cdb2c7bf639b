import type { ClusterFacts, ClusterReport, Reading } from "@plimsoll/contracts";
import { inventoryRecord } from "../inventory/inventory-record.ts";

const UNREAD: Reading<never> = {
  known: false,
  error: { code: "cluster_unreachable", message: "nothing could be read", remedy: "see the errors of the cluster" },
};

/** The row of a cluster that nothing could be read of: its name, health unknown, and null for every figure. */
export function unreadableCluster(name: string, endpoint: string | null, asOf: string): ClusterReport {
  const health = { status: "unknown", reasons: ["nothing could be read"] } as const;
  const inventory = inventoryRecord(unreadFacts(name, endpoint, asOf), null, health);
  return { inventory, capacity: null, workloads: null, cost: null, findings: [], unused: [] };
}

function unreadFacts(name: string, endpoint: string | null, asOf: string): ClusterFacts {
  return {
    name,
    source: endpoint === null ? { kind: "dump", location: name } : { kind: "api", location: endpoint },
    asOf,
    serverVersions: UNREAD,
    objects: {
      nodes: UNREAD,
      namespaces: UNREAD,
      pods: UNREAD,
      persistentvolumeclaims: UNREAD,
      persistentvolumes: UNREAD,
      services: UNREAD,
      resourcequotas: UNREAD,
      deployments: UNREAD,
      replicasets: UNREAD,
      statefulsets: UNREAD,
      daemonsets: UNREAD,
      jobs: UNREAD,
      cronjobs: UNREAD,
    },
    usage: UNREAD,
    unused: [],
  };
}
