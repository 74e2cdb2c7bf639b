/**
 * A second, plain calculation of what a scan says, from the objects as kubectl prints them: for tests only, written
 * apart from the product and sharing no code with it. Amounts of resources are exact (`bigint` nano-units); money is
 * a float, good to a millionth of a dollar, which is finer than one pod's hour.
 */

/** An object as kubectl prints it; read with `pick`. */
type Raw = Readonly<Record<string, unknown>>;

export interface RawCluster {
  readonly nodes: readonly Raw[];
  readonly pods: readonly Raw[];
  readonly replicaSets: readonly Raw[];
  readonly jobs: readonly Raw[];
  readonly namespaces: readonly Raw[];
  /** Items of metrics.k8s.io pods. */
  readonly podMetrics: readonly Raw[];
  /** Items of metrics.k8s.io nodes. */
  readonly nodeMetrics: readonly Raw[];
}

export type Amounts = Map<string, bigint>;

export interface FleetFigures {
  readonly schedulable: readonly string[];
  readonly excluded: Record<string, number>;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  readonly limits: Amounts;
  readonly pending: Amounts;
  readonly used: Amounts;
  readonly requestedByNode: Map<string, Amounts>;
  readonly workloads: Map<string, { pods: number; requested: Amounts }>;
  readonly cost: {
    total: number;
    workloads: number;
    idle: number;
    system: number;
    byNamespace: Map<string, number>;
    byLabel: Map<string, Map<string, number>>;
  };
}

/** Value at a dotted path; undefined when a step is missing. */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  let here: unknown = value;
  for (const step of path) here = typeof here === "object" && here !== null ? Reflect.get(here, step) : undefined;
  return here;
}
const text = (value: unknown, ...path: (string | number)[]) => String(pick(value, ...path) ?? "");
const list = (value: unknown, ...path: (string | number)[]): Raw[] => {
  const found = pick(value, ...path);
  return Array.isArray(found) ? found : [];
};
const entries = (value: unknown, ...path: (string | number)[]): [string, string][] =>
  Object.entries(pick(value, ...path) ?? {}).map(([key, one]) => [key, String(one)]);

const SUFFIXES: Record<string, bigint> = {
  n: 1n,
  u: 10n ** 3n,
  m: 10n ** 6n,
  "": 10n ** 9n,
  k: 10n ** 12n,
  M: 10n ** 15n,
  G: 10n ** 18n,
  T: 10n ** 21n,
  Ki: 1024n * 10n ** 9n,
  Mi: 1024n ** 2n * 10n ** 9n,
  Gi: 1024n ** 3n * 10n ** 9n,
  Ti: 1024n ** 4n * 10n ** 9n,
};

/** The forms that API servers and kubectl print: digits, at most one point, one suffix. Nano-units. */
export function amount(quantity: string): bigint {
  const match = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)$/.exec(quantity);
  const factor = SUFFIXES[match?.[3] ?? "?"];
  if (!match || factor === undefined) throw new Error(`oracle does not know the quantity ${quantity}`);
  const fraction = match[2] ?? "";
  return (BigInt(`${match[1]}${fraction}`) * factor) / 10n ** BigInt(fraction.length);
}

function plus(into: Amounts, add: Iterable<[string, bigint]>): Amounts {
  for (const [key, value] of add) into.set(key, (into.get(key) ?? 0n) + value);
  return into;
}
function larger(a: Amounts, b: Amounts): Amounts {
  const out = new Map(a);
  for (const [key, value] of b) if (value > (out.get(key) ?? 0n)) out.set(key, value);
  return out;
}
const parsed = (pairs: [string, string][]): [string, bigint][] => pairs.map(([key, value]) => [key, amount(value)]);

/** max(R, I), pod-level replacing, plus overhead; without in-place resize (kwok never resizes). `which`: requests or limits. */
function podAmounts(pod: Raw, which: "requests" | "limits", initialized = false): Amounts {
  const running: Amounts = new Map();
  for (const container of list(pod, "spec", "containers"))
    plus(running, parsed(entries(container, "resources", which)));
  const sidecars: Amounts = new Map();
  let start: Amounts = new Map();
  for (const container of list(pod, "spec", "initContainers")) {
    const own = parsed(entries(container, "resources", which));
    if (text(container, "restartPolicy") === "Always") {
      plus(running, own);
      plus(sidecars, own);
      start = larger(start, sidecars);
    } else start = larger(start, plus(new Map(own), sidecars));
  }
  const sum = initialized ? running : larger(running, start);
  for (const [key, value] of parsed(entries(pod, "spec", "resources", which))) sum.set(key, value);
  for (const [key, value] of parsed(entries(pod, "spec", "overhead")))
    if (which === "requests" || (sum.get(key) ?? 0n) > 0n) sum.set(key, (sum.get(key) ?? 0n) + value);
  return sum;
}

const hasCondition = (thing: Raw, type: string) =>
  list(thing, "status", "conditions").some((one) => text(one, "type") === type && text(one, "status") === "True");

/** Why a node is out of the whole-cluster figures; "" when it counts. */
function exclusion(node: Raw): string {
  const taints = list(node, "spec", "taints").map((taint) => text(taint, "key"));
  const virtual = text(node, "metadata", "labels", "type") === "virtual-kubelet";
  if (virtual || taints.includes("virtual-kubelet.io/provider")) return "Virtual";
  if (text(node, "metadata", "deletionTimestamp") !== "") return "Deleting";
  if (!hasCondition(node, "Ready")) return "NotReady";
  return pick(node, "spec", "unschedulable") === true ? "Cordoned" : "";
}

const live = (pod: Raw) => !["Succeeded", "Failed"].includes(text(pod, "status", "phase"));

/** The workload on top of a pod: `namespace/Kind/name`. */
function workloadOf(pod: Raw, cluster: RawCluster): string {
  const controller = (thing: Raw | undefined) =>
    list(thing, "metadata", "ownerReferences").find((owner) => pick(owner, "controller") === true);
  const owner = controller(pod);
  const namespace = text(pod, "metadata", "namespace");
  if (!owner) return `${namespace}/Pod/${text(pod, "metadata", "name")}`;
  const above = { ReplicaSet: cluster.replicaSets, Job: cluster.jobs }[text(owner, "kind")] ?? [];
  const next = controller(above.find((one) => text(one, "metadata", "uid") === text(owner, "uid"))) ?? owner;
  return `${namespace}/${text(next, "kind")}/${text(next, "name")}`;
}

const DEFAULT = { cpu: 0.031611, memory: 0.004237, gpu: 0.95 };
const SPOT = { cpu: 0.006655, memory: 0.000892, gpu: 0.95 };
const PRICED = ["cpu", "memory", "nvidia.com/gpu"];
const LABEL_KEYS = ["cost-center", "env", "owner-team"];

/** Dollars per hour of one nano-unit-counted amount. */
function money(resource: string, nanos: bigint, spot: boolean): number {
  const book = spot ? SPOT : DEFAULT;
  const units = Number(nanos) / 1e9;
  if (resource === "cpu") return units * book.cpu;
  return resource === "memory" ? (units / 1024 ** 3) * book.memory : units * book.gpu;
}

/** Everything of one cluster, in plain loops. */
export function fleetFigures(cluster: RawCluster): FleetFigures {
  const reasons = new Map(cluster.nodes.map((node) => [text(node, "metadata", "name"), exclusion(node)]));
  const counts = (pod: Raw) => live(pod) && text(pod, "spec", "nodeName") !== "";
  const schedulable = [...reasons].filter(([, reason]) => reason === "").map(([name]) => name);
  const figures: FleetFigures = {
    schedulable,
    excluded: {},
    capacity: new Map(),
    allocatable: new Map(),
    requested: new Map(),
    limits: new Map(),
    pending: new Map(),
    used: new Map(),
    requestedByNode: new Map(),
    workloads: new Map(),
    cost: { total: 0, workloads: 0, idle: 0, system: 0, byNamespace: new Map(), byLabel: new Map() },
  };
  for (const reason of reasons.values())
    if (reason !== "") figures.excluded[reason] = (figures.excluded[reason] ?? 0) + 1;
  for (const node of cluster.nodes.filter((one) => reasons.get(text(one, "metadata", "name")) === "")) {
    plus(figures.capacity, parsed(entries(node, "status", "capacity")));
    plus(figures.allocatable, parsed(entries(node, "status", "allocatable")));
  }
  for (const metric of cluster.nodeMetrics.filter((one) => schedulable.includes(text(one, "metadata", "name"))))
    plus(figures.used, parsed(entries(metric, "usage")));
  for (const pod of cluster.pods) {
    const requests = podAmounts(pod, "requests").set("pods", 10n ** 9n);
    const node = text(pod, "spec", "nodeName");
    if (node === "" && text(pod, "status", "phase") === "Pending") plus(figures.pending, requests);
    if (!counts(pod)) continue;
    figures.requestedByNode.set(node, plus(figures.requestedByNode.get(node) ?? new Map(), requests));
    if (reasons.get(node) !== "") continue;
    plus(figures.requested, requests);
    // A pod takes one slot of its node, never more.
    plus(figures.limits, podAmounts(pod, "limits").set("pods", 10n ** 9n));
    const key = workloadOf(pod, cluster);
    const row = figures.workloads.get(key) ?? { pods: 0, requested: new Map() };
    figures.workloads.set(key, { pods: row.pods + 1, requested: plus(row.requested, requests) });
  }
  addCost(figures.cost, cluster);
  return figures;
}

function addCost(cost: FleetFigures["cost"], cluster: RawCluster): void {
  const usage = new Map(
    cluster.podMetrics.map((metric) => {
      const sum: Amounts = new Map();
      for (const container of list(metric, "containers")) plus(sum, parsed(entries(container, "usage")));
      return [`${text(metric, "metadata", "namespace")}/${text(metric, "metadata", "name")}`, sum];
    }),
  );
  const add = (map: Map<string, number>, key: string, value: number) => map.set(key, (map.get(key) ?? 0) + value);
  for (const key of LABEL_KEYS) cost.byLabel.set(key, new Map());
  const addLabels = (value: number, name: (key: string) => string) => {
    for (const key of LABEL_KEYS) add(cost.byLabel.get(key) ?? new Map(), name(key), value);
  };
  for (const node of cluster.nodes) {
    const virtual = exclusion(node) === "Virtual";
    const spot = entries(node, "metadata", "labels").some(([key, value]) =>
      ["cloud.google.com/gke-spot=true", "eks.amazonaws.com/capacityType=SPOT"].includes(`${key}=${value}`),
    );
    const pods = cluster.pods.filter(
      (pod) => live(pod) && text(pod, "spec", "nodeName") === text(node, "metadata", "name"),
    );
    for (const resource of PRICED) {
      const capacity = virtual ? 0n : amount(text(node, "status", "capacity", resource) || "0");
      const allocatable = virtual ? 0n : amount(text(node, "status", "allocatable", resource) || "0");
      const charged = pods.map((pod) => {
        const id = `${text(pod, "metadata", "namespace")}/${text(pod, "metadata", "name")}`;
        const request = podAmounts(pod, "requests", hasCondition(pod, "Initialized")).get(resource) ?? 0n;
        const used = resource === "nvidia.com/gpu" || virtual ? 0n : (usage.get(id)?.get(resource) ?? 0n);
        return { pod, nanos: used > request ? used : request };
      });
      const sum = charged.reduce((total, one) => total + one.nanos, 0n);
      const shrink = !virtual && sum > allocatable ? Number(allocatable) / Number(sum) : 1;
      for (const { pod, nanos } of charged) {
        const value = money(resource, nanos, spot) * shrink;
        const namespace = text(pod, "metadata", "namespace");
        const owner = cluster.namespaces.find((one) => text(one, "metadata", "name") === namespace);
        cost.total += virtual ? value : 0;
        cost.workloads += value;
        add(cost.byNamespace, namespace, value);
        addLabels(
          value,
          (key) => text(pod, "metadata", "labels", key) || text(owner, "metadata", "labels", key) || "__unallocated__",
        );
      }
      const unused = allocatable > sum ? allocatable - sum : 0n;
      const idle = money(resource, unused, spot);
      const system = money(resource, capacity - allocatable, spot);
      cost.total += money(resource, capacity, spot);
      cost.idle += idle;
      cost.system += system;
      add(cost.byNamespace, "__idle__", idle);
      add(cost.byNamespace, "__system__", system);
      addLabels(idle, () => "__idle__");
      addLabels(system, () => "__system__");
    }
  }
}
