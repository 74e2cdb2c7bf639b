import type { ClusterPlan } from "../fleet/fleet-plan.ts";
import type { NonEmpty } from "../random/non-empty.ts";
import type { Random } from "../random/random.ts";
import { add, NO_REQUEST, type Request } from "../records/amounts.ts";
import type { MachineType, NodePool, Taint } from "../records/node-pool.ts";
import { type PoolClass, requestsOf } from "../records/pod-template.ts";
import { sizeOf, VIRTUAL_SIZE } from "../world/node-size.ts";
import type { OfferedPools, WorkloadPlan } from "./plan-workloads.ts";

/** A pool and how many nodes it starts with. */
export interface PlannedPool {
  readonly pool: NodePool;
  readonly nodes: number;
}

/** Add-ons with replicas, monitoring and the jobs that overlap. */
const SYSTEM_NEED: Request = { cpuMillicores: 2500, memoryMib: 6000, gpus: 0 };
const CONTROL_PLANE_TAINT: Taint = { key: "node-role.kubernetes.io/control-plane", value: "", effect: "NoSchedule" };
const VIRTUAL_TAINT: Taint = { key: "virtual-kubelet.io/provider", value: "serverless", effect: "NoSchedule" };

/** A pool that would need more nodes is made of larger machines. */
const MOST_NODES = 8;

/** Which kinds of pools this cluster has. */
export function offerPools({ cloud, businessUnit, index }: ClusterPlan, random: Random): OfferedPools {
  const wants: Readonly<Partial<Record<PoolClass, boolean>>> = {
    memory: cloud.machines.memory !== null && random.chance(0.5),
    spot: cloud.offersSpot && random.chance(0.7),
    gpu: cloud.machines.gpu !== null && (businessUnit.name === "data" || random.chance(0.1)),
    virtual: cloud.offersVirtual && index % 3 === 0,
  };
  const optional = ["memory", "spot", "gpu", "virtual"] as const;
  return new Set<PoolClass>(["general", ...optional.filter((pool) => wants[pool])]);
}

/**
 * Pools with as many nodes as the plan's peak needs at this cluster's degree of filling (some clusters are full, some
 * stand nearly idle). `everyNode` is what each node gives to the DaemonSets.
 */
export function planPools(
  plan: ClusterPlan,
  random: Random,
  offered: OfferedPools,
  workloads: WorkloadPlan,
  everyNode: Request,
): readonly PlannedPool[] {
  const picked = random.pick([0.45, 0.65, 0.8, 0.9, 0.95]);
  // Where nodes go away the others must take their pods.
  const fill = plan.sickness === "nodes-not-ready" ? Math.min(picked, 0.65) : picked;
  const { general, memory, gpu } = plan.cloud.machines;
  const planned: PlannedPool[] = [];
  const addPool = (name: NodePool["class"], machines: NonEmpty<MachineType>, least: number) => {
    const need = add(needOf(workloads, name), name === "general" ? SYSTEM_NEED : {});
    const choices = shuffled(random, machines).map((machine) => {
      const pool = makePool(plan, random, name, machine);
      return { pool, nodes: Math.max(least, nodesFor(pool, need, everyNode, fill)) };
    });
    const largest = choices.toSorted((a, b) => a.nodes - b.nodes)[0];
    const chosen = choices.find(({ nodes }) => nodes <= MOST_NODES) ?? largest;
    if (chosen !== undefined) planned.push(chosen);
  };
  if (plan.cloud.controlPlaneNodes > 0) {
    const pool = makePool(plan, random, "control-plane", general[0]);
    planned.push({ pool, nodes: plan.cloud.controlPlaneNodes });
  }
  addPool("general", general, 2);
  if (offered.has("memory") && memory !== null) addPool("memory", [memory], 1);
  if (offered.has("spot")) addPool("spot", general, 2);
  if (offered.has("gpu") && gpu !== null) addPool("gpu", [gpu], 1);
  if (offered.has("virtual")) planned.push({ pool: makePool(plan, random, "virtual", VIRTUAL_MACHINE), nodes: 1 });
  return planned;
}

const VIRTUAL_MACHINE: MachineType = {
  name: "virtual-node",
  cores: 1000,
  memoryGib: 4000,
  gpus: 0,
  gpuModel: "",
  maxPods: 1000,
};

function makePool(plan: ClusterPlan, random: Random, poolClass: NodePool["class"], machine: MachineType): NodePool {
  const { cloud, region, name } = plan;
  const spot = poolClass === "spot";
  const { labels, taints } = cloud.pool({
    random,
    clusterName: name,
    region,
    poolName: poolClass,
    poolClass,
    spot,
    machine,
  });
  const size = poolClass === "virtual" ? VIRTUAL_SIZE : sizeOf(machine);
  const shared = { name: poolClass, class: poolClass, machine, spot, ...size };
  if (poolClass === "virtual") return { ...shared, labels: {}, taints: [VIRTUAL_TAINT] };
  if (poolClass !== "control-plane") return { ...shared, labels, taints };
  const role = { "node-role.kubernetes.io/control-plane": "" };
  // K3s runs workloads beside its server.
  return {
    ...shared,
    labels: { ...labels, ...role },
    taints: cloud.clusterType === "K3s" ? [] : [CONTROL_PLANE_TAINT],
  };
}

/** Requests of everything in the class at the day's peak. */
function needOf({ services, stores, crons }: WorkloadPlan, poolClass: NodePool["class"]): Request {
  const orders = [...services, ...stores.map(({ order }) => order), ...crons.map(({ order }) => order)];
  return orders
    .filter(({ template }) => template.pool === poolClass)
    .reduce((sum, { template, maxReplicas }) => {
      const one = requestsOf(template).starting;
      const all = {
        cpuMillicores: one.cpuMillicores * maxReplicas,
        memoryMib: one.memoryMib * maxReplicas,
        gpus: one.gpus * maxReplicas,
      };
      return add(sum, all);
    }, NO_REQUEST);
}

function nodesFor(pool: NodePool, need: Request, everyNode: Request, fill: number): number {
  const cpu = need.cpuMillicores / ((pool.allocatableCpuMillicores - everyNode.cpuMillicores) * fill);
  const memory = need.memoryMib / ((pool.allocatableMemoryMib - everyNode.memoryMib) * fill);
  const gpus = pool.machine.gpus === 0 ? 0 : need.gpus / (pool.machine.gpus * fill);
  return Math.ceil(Math.max(cpu, memory, gpus));
}

/** The machines in another order. */
function shuffled(random: Random, machines: NonEmpty<MachineType>): readonly MachineType[] {
  const first = random.integer(0, machines.length - 1);
  return [...machines.slice(first), ...machines.slice(0, first)];
}
