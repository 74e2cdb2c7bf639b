import { type KubeNode, type KubePod, parseMoney } from "@plimsoll/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexOwners } from "../capacity/owners.ts";
import { readPodDemand } from "../capacity/pod-demand.ts";
import { podUsageKey, type UsageFigures } from "../capacity/usage-figures.ts";
import { readNode } from "../nodes/node-facts.ts";
import { parseResources } from "../quantity/resource-nanos.ts";
import { sampleFacts, sampleNode, samplePod } from "../report/sample-facts.ts";
import { allocateCluster, type CostOptions, sumOfShares } from "./allocate-cluster.ts";
import { costReport } from "./cost-report.ts";
import { DEFAULT_RATES } from "./default-prices.ts";

/** A random cluster in whole millicores and bytes, so that the test needs no parser of its own. */
interface RandomNode {
  readonly milli: number;
  readonly bytes: number;
  /** Reserved for the system, thousandths. */
  readonly reserved: number;
  readonly kind: "on-demand" | "spot" | "virtual" | "broken" | "cordoned";
}
interface RandomPod {
  readonly node: number;
  readonly namespace: string;
  readonly team: string | null;
  readonly milli: number;
  readonly bytes: number;
  readonly usedMilli: number | null;
  readonly usedBytes: number;
}
interface RandomCluster {
  readonly nodes: readonly RandomNode[];
  readonly pods: readonly RandomPod[];
}

const CLUSTER: fc.Arbitrary<RandomCluster> = fc.record({
  nodes: fc.array(
    fc.record({
      milli: fc.integer({ min: 1, max: 128_000 }),
      bytes: fc.integer({ min: 1, max: 2 ** 40 }),
      reserved: fc.integer({ min: 0, max: 200 }),
      kind: fc.constantFrom("on-demand", "spot", "virtual", "broken", "cordoned"),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  pods: fc.array(
    fc.record({
      node: fc.nat({ max: 5 }),
      namespace: fc.constantFrom("shop", "pay", "kube-system"),
      team: fc.option(fc.constantFrom("web", "data")),
      milli: fc.integer({ min: 0, max: 16_000 }),
      bytes: fc.integer({ min: 0, max: 2 ** 36 }),
      usedMilli: fc.option(fc.integer({ min: 0, max: 16_000 })),
      usedBytes: fc.integer({ min: 0, max: 2 ** 36 }),
    }),
    { maxLength: 30 },
  ),
});

const allocatableOf = (total: number, node: RandomNode): number => Math.floor((total * (1000 - node.reserved)) / 1000);

function kubeNode(node: RandomNode, index: number): KubeNode {
  const labels = {
    ...(node.kind === "virtual" ? { type: "virtual-kubelet" } : {}),
    ...(node.kind === "spot" ? { "cloud.google.com/gke-spot": "true" } : {}),
  };
  return sampleNode(`node-${index}`, {
    labels,
    ready: node.kind === "broken" ? "Unknown" : "True",
    spec: { unschedulable: node.kind === "cordoned" },
    capacity: { cpu: `${node.milli}m`, memory: `${node.bytes}` },
    allocatable: { cpu: `${allocatableOf(node.milli, node)}m`, memory: `${allocatableOf(node.bytes, node)}` },
  });
}

function kubePod(pod: RandomPod, index: number): KubePod {
  return samplePod(`pod-${index}`, {
    namespace: pod.namespace,
    node: `node-${pod.node}`,
    labels: pod.team === null ? undefined : { "owner-team": pod.team },
    requests: { cpu: `${pod.milli}m`, memory: `${pod.bytes}` },
  });
}

function usageOf(pods: readonly RandomPod[]): UsageFigures {
  const entries = pods.flatMap((pod, index) => {
    if (pod.usedMilli === null) return [];
    const texts = { cpu: `${pod.usedMilli}m`, memory: `${pod.usedBytes}` };
    return [[podUsageKey(pod.namespace, `pod-${index}`), parseResources(texts, "usage")] as const];
  });
  return { nodes: new Map(), pods: new Map(entries) };
}

const OWNERS = indexOwners(sampleFacts().objects);

function allocate(nodes: readonly KubeNode[], pods: readonly KubePod[], usage: UsageFigures, options?: CostOptions) {
  const demands = pods.flatMap((pod) => readPodDemand(pod, OWNERS) ?? []);
  return allocateCluster(
    nodes.map((node) => readNode(node)),
    demands,
    usage,
    options,
  );
}

const allocateRandom = ({ nodes, pods }: RandomCluster, options?: CostOptions) =>
  allocate(nodes.map(kubeNode), pods.map(kubePod), usageOf(pods), options);

const NO_LABELS = { namespaces: new Map(), cluster: {} };

/** Money a millicore or a byte costs an hour, in nano-dollars, written out from the default prices. */
const NANOS_PER_MILLI = { normal: 31_611, spot: 6_655 };
const NANOS_PER_BYTE = { normal: 4_237_000 / 2 ** 30, spot: 892_000 / 2 ** 30 };

/** Idle by its own formula: unused quantity × unit price, node by node. Nothing here looks at what the product computed. */
function expectedIdle({ nodes, pods }: RandomCluster): number {
  const charged = (index: number, request: (pod: RandomPod) => number, used: (pod: RandomPod) => number): number =>
    pods
      .filter((pod) => pod.node === index)
      .reduce((sum, pod) => sum + Math.max(request(pod), pod.usedMilli === null ? 0 : used(pod)), 0);
  return nodes.reduce((sum, node, index) => {
    if (node.kind === "virtual") return sum;
    const rate = node.kind === "spot" ? "spot" : "normal";
    const milli = charged(
      index,
      (pod) => pod.milli,
      (pod) => pod.usedMilli ?? 0,
    );
    const bytes = charged(
      index,
      (pod) => pod.bytes,
      (pod) => pod.usedBytes,
    );
    const unusedMilli = Math.max(0, allocatableOf(node.milli, node) - milli);
    const unusedBytes = Math.max(0, allocatableOf(node.bytes, node) - bytes);
    return sum + unusedMilli * NANOS_PER_MILLI[rate] + unusedBytes * NANOS_PER_BYTE[rate];
  }, 0);
}

/** The price of all machines, written out. */
function expectedMachines({ nodes }: RandomCluster): number {
  return nodes.reduce((sum, node) => {
    if (node.kind === "virtual") return sum;
    const rate = node.kind === "spot" ? "spot" : "normal";
    return sum + node.milli * NANOS_PER_MILLI[rate] + node.bytes * NANOS_PER_BYTE[rate];
  }, 0);
}

/** Rounding: at most two nano-units per node and resource, and what a double loses of it. */
const tolerance = (cluster: RandomCluster, amount: number): number => 4 * cluster.nodes.length + amount * 1e-12;

function idleOf(allocation: ReturnType<typeof allocate>): number {
  return Number(sumOfShares(allocation.shares.filter((share) => share.kind === "idle")));
}

describe("an hour of a cluster", () => {
  it("conserves: workloads + idle + system = node prices, exactly, in total and on every node", () => {
    fc.assert(
      fc.property(CLUSTER, (cluster) => {
        const { shares, nodes } = allocateRandom(cluster);
        expect(sumOfShares(shares)).toBe(nodes.reduce((sum, node) => sum + node.cost, 0n));
        for (const node of nodes) {
          expect(sumOfShares(shares.filter((share) => share.node === node.name))).toBe(node.cost);
        }
        expect(shares.every((share) => share.cost >= 0n)).toBe(true);
      }),
    );
  });

  it("costs what its machines cost, NotReady and cordoned ones too", () => {
    fc.assert(
      fc.property(CLUSTER, (cluster) => {
        const virtual = new Set(cluster.nodes.flatMap((node, i) => (node.kind === "virtual" ? [`node-${i}`] : [])));
        const machines = allocateRandom(cluster).nodes.filter((node) => !virtual.has(node.name));
        const expected = expectedMachines(cluster);
        const cost = Number(machines.reduce((sum, node) => sum + node.cost, 0n));
        expect(Math.abs(cost - expected)).toBeLessThanOrEqual(tolerance(cluster, expected));
      }),
    );
  });

  it("leaves idle = unused quantity × unit price, computed on its own", () => {
    fc.assert(
      fc.property(CLUSTER, (cluster) => {
        const expected = expectedIdle(cluster);
        expect(Math.abs(idleOf(allocateRandom(cluster)) - expected)).toBeLessThanOrEqual(tolerance(cluster, expected));
      }),
    );
  });

  it("shows it when a pod is lost on the way", () => {
    const pod = { namespace: "shop", team: null, milli: 500, bytes: 2 ** 30, usedMilli: null, usedBytes: 0 };
    const cluster: RandomCluster = {
      nodes: [{ milli: 4000, bytes: 2 ** 34, reserved: 50, kind: "on-demand" }],
      pods: [0, 1, 2].map(() => ({ ...pod, node: 0 })),
    };
    const lossy = { ...cluster, pods: cluster.pods.slice(1) };
    const expected = expectedIdle(cluster);
    expect(Math.abs(idleOf(allocateRandom(cluster)) - expected)).toBeLessThanOrEqual(tolerance(cluster, expected));
    expect(Math.abs(idleOf(allocateRandom(lossy)) - expected)).toBeGreaterThan(1_000_000);
  });

  it("is the same whatever the order of nodes and pods", () => {
    fc.assert(
      fc.property(CLUSTER, fc.nat(), (cluster, by) => {
        const rotate = <T>(items: readonly T[]): T[] =>
          [...items.slice(by % (items.length || 1)), ...items.slice(0, by % (items.length || 1))].reverse();
        const [nodes, pods, usage] = [cluster.nodes.map(kubeNode), cluster.pods.map(kubePod), usageOf(cluster.pods)];
        const basis = "max(request, usage)";
        expect(costReport(allocate(rotate(nodes), rotate(pods), usage), NO_LABELS, basis)).toEqual(
          costReport(allocate(nodes, pods, usage), NO_LABELS, basis),
        );
      }),
    );
  });

  it("gives the nano-unit that equal pods cannot share to the same one, whatever their order", () => {
    // 31,611,000 nano-dollars over seven equal pods leave three over.
    const node = sampleNode("a", { capacity: { cpu: "7", memory: "7" } });
    const price = {
      kind: "node",
      pricing: "custom",
      hourly: { digits: 31_611n, scale: 6 },
      weights: DEFAULT_RATES,
    } as const;
    const prices = { currency: "USD", books: [{ source: "custom", ratesOf: () => price }] };
    const pods = ["a", "b", "c", "d", "e", "f", "g"].map((namespace) =>
      samplePod("p", { namespace, node: "a", requests: { cpu: "1", memory: "1" } }),
    );
    const usage = { nodes: new Map(), pods: new Map() };
    const byNamespace = (order: readonly KubePod[]) =>
      costReport(allocate([node], order, usage, { prices }), NO_LABELS, "request").byNamespace;
    expect(new Set(byNamespace(pods).map(({ hourly }) => hourly)).size).toBeGreaterThan(2);
    expect(byNamespace(pods.toReversed())).toEqual(byNamespace(pods));
  });

  it("sums to its total by namespace and by every label", () => {
    fc.assert(
      fc.property(CLUSTER, (cluster) => {
        const report = costReport(allocateRandom(cluster), NO_LABELS, "request");
        for (const groups of [report.byNamespace, ...Object.values(report.byLabel)]) {
          expect(groups.reduce((sum, { hourly }) => sum + (parseMoney(hourly) ?? 0n), 0n)).toBe(
            parseMoney(report.hourly.total),
          );
        }
      }),
    );
  });

  it("moves the pods of system namespaces from workloads to system, and nothing else", () => {
    fc.assert(
      fc.property(CLUSTER, (cluster) => {
        const basis = "request";
        const plain = costReport(allocateRandom(cluster), NO_LABELS, basis);
        const policy = costReport(
          allocateRandom(cluster, { systemNamespaces: new Set(["kube-system"]) }),
          NO_LABELS,
          basis,
        );
        const moved = parseMoney(plain.byNamespace.find(({ name }) => name === "kube-system")?.hourly ?? "0") ?? 0n;
        expect(policy.hourly).toMatchObject({ total: plain.hourly.total, idle: plain.hourly.idle });
        expect(parseMoney(policy.hourly.system)).toBe((parseMoney(plain.hourly.system) ?? 0n) + moved);
        expect(policy.byNamespace.some(({ name }) => name === "kube-system")).toBe(false);
      }),
    );
  });
});

describe("a virtual node", () => {
  it("costs what its pods request, whatever they use and however large it says it is", () => {
    const node = sampleNode("v", { labels: { type: "virtual-kubelet" }, capacity: { cpu: "10k", memory: "40Ti" } });
    const pod = samplePod("p", { node: "v", requests: { cpu: "2", memory: "4Gi", "nvidia.com/gpu": "1" } });
    const usage = { nodes: new Map(), pods: new Map([["shop/p", parseResources({ cpu: "8" }, "usage")]]) };
    const { shares, nodes } = allocate([node], [pod], usage);
    expect(nodes).toMatchObject([{ name: "v", cost: 2n * 31_611_000n + 4n * 4_237_000n + 950_000_000n }]);
    expect(shares.every((share) => share.kind === "workload")).toBe(true);
  });
});

describe("a node without a price", () => {
  it("is named, and neither it nor its pods are in any sum", () => {
    const nodes = [sampleNode("a"), sampleNode("broken", { capacity: { pods: "110" } })];
    const pods = [samplePod("p", { node: "broken", requests: { cpu: "1" } })];
    const allocation = allocate(nodes, pods, { nodes: new Map(), pods: new Map() });
    expect(allocation.unpriced).toEqual(["broken"]);
    expect(costReport(allocation, NO_LABELS, "request").hourly).toMatchObject({ workloads: "0" });
  });
});
