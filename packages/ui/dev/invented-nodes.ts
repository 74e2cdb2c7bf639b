import type { ClusterView, NodeView } from "@plimsoll/contracts/rest";
import { seededRandom } from "./random.ts";

const GIB = 1_073_741_824;

/** Nodes of a cluster of the invented fleet, by name. */
export function inventedNodes(cluster: ClusterView): NodeView[] {
  const random = seededRandom(Number(cluster.id.slice(-12)) + 99);
  const observedAt = cluster.observedAt;
  if (observedAt === null) return [];
  return Array.from({ length: cluster.nodes?.total ?? 0 }, (_, index) => {
    const load = 0.15 + random() * 0.8;
    const noUsage = cluster.nodes?.reportingUsage === 0;
    const share = (whole: number, part: number) => String(Math.floor(whole * part));
    return {
      cluster: cluster.name,
      clusterId: cluster.id,
      name: `ip-10-0-${Math.floor(index / 250)}-${(index % 250) + 1}.${cluster.record.region ?? "dc"}.internal`,
      pool: index % 4 === 3 ? "spot" : "general",
      zone: cluster.record.region === null ? null : `${cluster.record.region}${"abc".charAt(index % 3)}`,
      instanceType: cluster.record.cluster_type === "EKS" ? "m7i.2xlarge" : null,
      cpuAllocatable: "7840",
      cpuRequested: share(7840, load),
      cpuUsed: noUsage ? null : share(7840, load * 0.55),
      memoryAllocatable: String(31 * GIB),
      memoryRequested: share(31 * GIB, load * 0.85),
      memoryUsed: noUsage ? null : share(31 * GIB, load * 0.7),
      observedAt,
    };
  }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
