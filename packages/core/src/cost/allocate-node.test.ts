import { readFileSync } from "node:fs";
import { type KubePod, parseRate, type Rate } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { indexOwners } from "../capacity/owners.ts";
import { readPodDemand } from "../capacity/pod-demand.ts";
import { readNode } from "../nodes/node-facts.ts";
import { parseResources } from "../quantity/resource-nanos.ts";
import { type NodeSketch, sampleFacts, sampleNode, samplePod } from "../report/sample-facts.ts";
import { sumOfShares } from "./allocate-cluster.ts";
import { allocateNode } from "./allocate-node.ts";
import type { ChargedPod } from "./charged-pod.ts";
import { DEFAULT_PRICE_LIST } from "./default-prices.ts";
import { nodeCost } from "./node-cost.ts";
import { type NodePrice, resolvePrice } from "./price-book.ts";

const OWNERS = indexOwners(sampleFacts().objects);

function charged(pod: KubePod, used: Readonly<Record<string, string>>): ChargedPod {
  const demand = readPodDemand(pod, OWNERS);
  if (!demand) throw new Error("the pod holds nothing");
  return { pod: demand, used: parseResources(used, pod.metadata.name) };
}

function rate(text: string): Rate {
  return parseRate(text) ?? { digits: -1n, scale: 0 };
}

function allocate(sketch: NodeSketch, pods: readonly ChargedPod[], given?: NodePrice) {
  const node = readNode(sampleNode("a", sketch));
  const price = given ?? resolvePrice(node, DEFAULT_PRICE_LIST);
  const cost = price && nodeCost(node, price);
  if (!cost) throw new Error("the node is unpriced");
  const { shares, overCommitted } = allocateNode(node, cost, pods);
  const costOf = (resource: string, kind: string): bigint =>
    sumOfShares(shares.filter((share) => share.resource === resource && share.kind === kind));
  return { cost, shares, overCommitted, costOf };
}

const FOUR = { capacity: { cpu: "4", memory: "16Gi" }, allocatable: { cpu: "3900m", memory: "16Gi" } };
const CORE = 31_611_000n;

describe("an hour of a node", () => {
  it("is charged to who holds it, the reserved part to the system, the rest to idle", () => {
    const { costOf, overCommitted } = allocate(FOUR, [charged(samplePod("p", { node: "a" }), { cpu: "1500m" })]);
    expect(costOf("cpu", "workload")).toBe((CORE * 15n) / 10n);
    expect(costOf("cpu", "system")).toBe(CORE / 10n);
    expect(costOf("cpu", "idle")).toBe((CORE * 24n) / 10n);
    expect(overCommitted).toEqual([]);
  });

  it("that is over-committed is rescaled to what is allocatable, and flagged; nothing is idle", () => {
    const pods = ["2", "1950m"].map((cpu, index) => charged(samplePod(`p${index}`, { node: "a" }), { cpu }));
    const { costOf, overCommitted, shares } = allocate(FOUR, pods);
    expect(overCommitted).toEqual(["cpu"]);
    expect(costOf("cpu", "system")).toBe(CORE / 10n);
    expect(costOf("cpu", "workload")).toBe((CORE * 39n) / 10n);
    expect(costOf("cpu", "idle")).toBe(0n);
    const first = shares.find((share) => share.pod?.name === "p0" && share.resource === "cpu");
    // 3.9 cores × 2 ÷ 3.95 = 1.974683… cores; the last nano-unit goes to the larger remainder
    expect(first?.cost).toBe((CORE * 39n * 200n) / (10n * 395n) + 1n);
  });

  it("belongs to the system altogether when nothing is allocatable", () => {
    const sketch = { ...FOUR, allocatable: { cpu: "0", memory: "0" } };
    const { costOf } = allocate(sketch, [charged(samplePod("p", { node: "a" }), { cpu: "1" })]);
    expect(costOf("cpu", "system")).toBe(CORE * 4n);
    expect(costOf("cpu", "workload")).toBe(0n);
  });

  it("has no system part where more is allocatable than there is", () => {
    const { costOf, cost } = allocate({ ...FOUR, allocatable: { cpu: "5", memory: "16Gi" } }, []);
    expect(costOf("cpu", "system")).toBe(0n);
    expect(costOf("cpu", "idle") + costOf("memory", "idle")).toBe(cost.cost);
  });

  it("with shared GPUs costs the physical cards, split over the virtual ones", () => {
    const capacity = { cpu: "4", memory: "16Gi", "nvidia.com/gpu": "8" };
    const sketch = { capacity, labels: { "nvidia.com/gpu.replicas": "4" } };
    const { costOf } = allocate(sketch, [charged(samplePod("p", { node: "a" }), { "nvidia.com/gpu": "2" })]);
    expect(costOf("nvidia.com/gpu", "workload")).toBe(475_000_000n);
    expect(costOf("nvidia.com/gpu", "idle")).toBe(1_425_000_000n);
  });

  it("of spot capacity has the spot price", () => {
    const labels = { "karpenter.sh/capacity-type": "spot" };
    expect(allocate({ labels }, []).cost.cost).toBe(4n * 6_655_000n + 16n * 892_000n);
  });
});

describe("the published example of a split by cpu:memory 9:1", () => {
  interface Example {
    readonly pods: Readonly<Record<string, { readonly cpu: readonly number[]; readonly ram: readonly number[] }>>;
    readonly expect: Readonly<Record<string, { readonly split: string; readonly unused: string }>>;
  }
  const example: Example = JSON.parse(
    readFileSync(new URL("../../../../test/vectors/split-cost.json", import.meta.url), "utf8"),
  );
  const weights = { cpu: rate("9"), ram: rate("1"), gpu: rate("0") };
  const price: NodePrice = { kind: "node", pricing: "custom", hourly: rate("1"), weights, source: "custom" };
  const pods = Object.entries(example.pods).map(([name, { cpu, ram }]) => {
    const amounts = { cpu: String(Math.max(...cpu)), memory: `${Math.max(...ram)}Gi` };
    return charged(samplePod(name, { node: "a" }), amounts);
  });
  const { shares, costOf } = allocate({ capacity: { cpu: "4", memory: "16Gi" } }, pods, price);

  it.each(Object.entries(example.expect))("gives %s its share", (name, { split }) => {
    const cost = Number(sumOfShares(shares.filter((share) => share.pod?.name === name)));
    expect(Math.abs(cost / 1e9 - Number(split))).toBeLessThan(1e-8);
  });

  it("leaves what nobody used to idle", () => {
    const unused = Object.values(example.expect).reduce((sum, row) => sum + Number(row.unused), 0);
    const idle = Number(costOf("cpu", "idle") + costOf("memory", "idle"));
    expect(Math.abs(idle / 1e9 - unused)).toBeLessThan(1e-8);
  });
});
