import { type CostNanos, formatMoney } from "@plimsoll/contracts";
import type { ClusterView, Coverage } from "@plimsoll/contracts/rest";
import type { ClusterPlan } from "./cluster-plan.ts";

const MEMORY_PER_NODE = 34_359_738_368n;
const MILLICORES_PER_NODE = 8_000n;
const PODS_PER_NODE = 110n;
/** What a node of 8 cores and 32 GiB costs an hour. */
const NODE_COST: CostNanos = 388_472_000n;

type Figures = NonNullable<ClusterView["watermarks"]>[number];

/** Watermarks of a planned cluster; a full one has GPUs that nobody reads the usage of. */
export function inventedWatermarks({ nodes, load, usage, condition }: ClusterPlan): Figures[] {
  const count = BigInt(nodes);
  const used = (share: number) => (usage === null ? null : share);
  const pending = condition === "full" ? 0.04 : 0;
  const figures = [
    resource("cpu", "millicores", count * MILLICORES_PER_NODE, load, used(load * (usage ?? 0)), pending),
    resource("memory", "bytes", count * MEMORY_PER_NODE, load * 0.82, used(load * 0.7), pending),
    resource("pods", "count", count * PODS_PER_NODE, load * 0.4, load * 0.4, 0),
  ];
  return condition === "full" ? [...figures, resource("nvidia.com/gpu", "count", 8n, 1, null, 0)] : figures;
}

function resource(
  name: string,
  unit: Figures["unit"],
  capacity: bigint,
  requested: number,
  used: number | null,
  pending: number,
): Figures {
  const allocatable = (capacity * 98n) / 100n;
  const share = (part: number) => ((allocatable * BigInt(Math.round(part * 10_000))) / 10_000n).toString();
  return {
    resource: name,
    unit,
    capacity: capacity.toString(),
    allocatable: allocatable.toString(),
    requested: share(requested),
    requestedAllocatable: allocatable.toString(),
    limits: unit === "count" ? null : share(requested * 1.6),
    limitsPartial: unit !== "count",
    used: used === null ? null : share(used),
    usedAllocatable: used === null ? null : allocatable.toString(),
    pending: share(pending),
  };
}

/** What a planned cluster costs an hour; its parts add up to the total. Large TKE clusters are billed in yuan. */
export function inventedCost({ nodes, load, kind }: ClusterPlan, asOf: string): NonNullable<ClusterView["cost"]> {
  const total = BigInt(nodes) * NODE_COST;
  const workloads = (total * BigInt(Math.round(load * 9_600))) / 10_000n;
  const system = total / 50n;
  return {
    currency: kind.type === "TKE" && nodes > 20 ? "CNY" : "USD",
    total: formatMoney(total),
    workloads: formatMoney(workloads),
    idle: formatMoney(total - workloads - system),
    system: formatMoney(system),
    asOf,
    priceSource: "default",
    coverage: nodes % 7 === 3 ? LESS : WHOLE,
  };
}

const WHOLE: Coverage = { fraction: 1, coveredMs: 5_400_000, expectedMs: 5_400_000, reasons: [] };
/** Of every seventh cluster or so an agent was restarted. */
const LESS: Coverage = {
  fraction: 0.92,
  coveredMs: 4_968_000,
  expectedMs: 5_400_000,
  reasons: [
    { reason: "agent_down", lostMs: 378_000, fraction: 0.07 },
    { reason: "unseen_pods", lostMs: 54_000, fraction: 0.01 },
  ],
};
