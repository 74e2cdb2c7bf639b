import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexOwners } from "../capacity/owners.ts";
import { readPodDemand } from "../capacity/pod-demand.ts";
import { readNode } from "../nodes/node-facts.ts";
import { sampleFacts, sampleNode, samplePod } from "../report/sample-facts.ts";
import { allocateNode } from "./allocate-node.ts";
import { allocateNodeHour, type HeldHour, type NodeHour } from "./allocate-node-hour.ts";
import { DEFAULT_PRICE_LIST } from "./default-prices.ts";
import { nodeCost } from "./node-cost.ts";
import { resolvePrice } from "./price-book.ts";

const HOUR_MS = 3_600_000;
const MILLI = 1_000_000n;
const BYTE = 1_000_000_000n;
/** Nano-dollars of a core-hour and a GiB-hour, written out from the default prices. */
const CORE = 31_611_000;
const GIB = 4_237_000;

interface RandomPod {
  readonly milli: number;
  readonly bytes: number;
  readonly seconds: number;
}
interface RandomHour {
  readonly milli: number;
  readonly bytes: number;
  /** Kept for the system, thousandths. */
  readonly reserved: number;
  readonly presentMs: number;
  readonly pods: readonly RandomPod[];
}

const HOUR: fc.Arbitrary<RandomHour> = fc.record({
  milli: fc.integer({ min: 1, max: 128_000 }),
  bytes: fc.integer({ min: 1, max: 2 ** 40 }),
  reserved: fc.integer({ min: 0, max: 200 }),
  presentMs: fc.integer({ min: 0, max: HOUR_MS }),
  pods: fc.array(
    fc.record({
      milli: fc.integer({ min: 0, max: 16_000 }),
      bytes: fc.integer({ min: 0, max: 2 ** 36 }),
      seconds: fc.integer({ min: 0, max: 3_600 }),
    }),
    { maxLength: 12 },
  ),
});

const keep = (total: number, { reserved }: RandomHour): number => Math.floor((total * (1000 - reserved)) / 1000);

function nodeOf(hour: RandomHour, change: Partial<NodeHour> = {}): NodeHour {
  const quantities = (milli: number, bytes: number) =>
    new Map([
      ["cpu", BigInt(milli) * MILLI],
      ["memory", BigInt(bytes) * BYTE],
    ]);
  return {
    name: "a",
    labels: {},
    pool: null,
    instanceType: null,
    region: null,
    zone: null,
    virtual: false,
    spot: false,
    capacity: quantities(hour.milli, hour.bytes),
    allocatable: quantities(keep(hour.milli, hour), keep(hour.bytes, hour)),
    presentMs: hour.presentMs,
    ...change,
  };
}

function heldOf(pods: readonly RandomPod[]): HeldHour<RandomPod>[] {
  return pods.map((pod) => {
    const millis = BigInt(pod.seconds) * 1000n;
    const charged = new Map([
      ["cpu", BigInt(pod.milli) * MILLI * millis],
      ["memory", BigInt(pod.bytes) * BYTE * millis],
    ]);
    return { user: pod, requested: charged, charged };
  });
}

function allocate(hour: RandomHour, pods = hour.pods, change: Partial<NodeHour> = {}) {
  const allocation = allocateNodeHour(nodeOf(hour, change), DEFAULT_PRICE_LIST, heldOf(pods));
  if (!allocation) throw new Error("the node is unpriced");
  const costOf = (kind: string): bigint =>
    allocation.shares.filter((share) => share.kind === kind).reduce((sum, { cost }) => sum + cost, 0n);
  return { ...allocation, costOf };
}

/** Idle by its own formula: (allocatable × present − Σ charged) × price, nothing of it from the product. */
function expectedIdle(hour: RandomHour): number {
  const hours = hour.presentMs / HOUR_MS;
  const heldHours = (of: (pod: RandomPod) => number): number =>
    hour.pods.reduce((sum, pod) => sum + (of(pod) * pod.seconds) / 3_600, 0);
  const cores = Math.max(0, keep(hour.milli, hour) * hours - heldHours((pod) => pod.milli)) / 1000;
  const gib = Math.max(0, keep(hour.bytes, hour) * hours - heldHours((pod) => pod.bytes)) / 2 ** 30;
  return cores * CORE + gib * GIB;
}

const tolerance = (amount: number): number => 4 + amount * 1e-9;

describe("an hour of a node by what was held over time", () => {
  it("conserves: workloads + idle + system = price × the share of the hour that the node existed", () => {
    fc.assert(
      fc.property(HOUR, (hour) => {
        const { cost, shares } = allocate(hour);
        expect(shares.reduce((sum, share) => sum + share.cost, 0n)).toBe(cost);
        expect(shares.every((share) => share.cost >= 0n && share.quantity >= 0n)).toBe(true);
        const price = (hour.milli / 1000) * CORE + (hour.bytes / 2 ** 30) * GIB;
        expect(Math.abs(Number(cost) - (price * hour.presentMs) / HOUR_MS)).toBeLessThan(tolerance(Number(cost)));
      }),
    );
  });

  it("leaves idle = what was free × price, computed on its own, and shows it when a pod is lost", () => {
    fc.assert(
      fc.property(HOUR, (hour) => {
        const expected = expectedIdle(hour);
        expect(Math.abs(Number(allocate(hour).costOf("idle")) - expected)).toBeLessThan(tolerance(expected));
      }),
    );
    const pod = { milli: 500, bytes: 2 ** 30, seconds: 1_800 };
    const hour = { milli: 4_000, bytes: 2 ** 34, reserved: 50, presentMs: HOUR_MS, pods: [pod, pod] };
    expect(Number(allocate(hour, [pod]).costOf("idle")) - expectedIdle(hour)).toBeGreaterThan(1_000_000);
  });

  it("gives the amounts of the momentary allocation where nothing changes for an hour", () => {
    fc.assert(
      fc.property(HOUR, (random) => {
        const hour = { ...random, presentMs: HOUR_MS, pods: random.pods.map((pod) => ({ ...pod, seconds: 3_600 })) };
        const owners = indexOwners(sampleFacts().objects);
        const texts = (milli: number, bytes: number) => ({ cpu: `${milli}m`, memory: `${bytes}` });
        const node = readNode(
          sampleNode("a", {
            capacity: texts(hour.milli, hour.bytes),
            allocatable: texts(keep(hour.milli, hour), keep(hour.bytes, hour)),
          }),
        );
        const price = resolvePrice(node, DEFAULT_PRICE_LIST);
        const cost = price && nodeCost(node, price);
        if (!cost) throw new Error("the node is unpriced");
        const pods = hour.pods.flatMap(({ milli, bytes }, index) => {
          const pod = readPodDemand(samplePod(`p${index}`, { node: "a", requests: texts(milli, bytes) }), owners);
          return pod ? [{ pod, used: undefined }] : [];
        });
        const momentary = allocateNode(node, cost, pods);
        const overTime = allocate(hour);
        expect(overTime.shares.map((share) => share.cost)).toEqual(momentary.shares.map((share) => share.cost));
        expect(overTime.overCommitted).toEqual(momentary.overCommitted);
      }),
    );
  });

  it("charges ten seconds of a core as ten seconds", () => {
    const pod = { milli: 1_000, bytes: 0, seconds: 10 };
    const hour = { milli: 4_000, bytes: 2 ** 34, reserved: 0, presentMs: HOUR_MS, pods: [pod] };
    // 31,611,000 × 10 ÷ 3,600 = 87,808.3
    expect(allocate(hour).costOf("workload")).toBe(87_808n);
  });

  it("rescales what was held beyond what was allocatable in the time that the node existed, and flags it", () => {
    const pod = { milli: 3_950, bytes: 0, seconds: 1_800 };
    const hour = { milli: 4_000, bytes: 2 ** 34, reserved: 25, presentMs: HOUR_MS / 2, pods: [pod] };
    const { overCommitted, shares } = allocate(hour);
    expect(overCommitted).toEqual(["cpu"]);
    const cpu = shares.filter(({ resource }) => resource === "cpu").map(({ kind, cost }) => [kind, cost]);
    expect(cpu).toEqual([
      ["workload", 61_641_450n],
      ["idle", 0n],
      ["system", 1_580_550n],
    ]);
  });

  it("costs nothing where the node was not there, whatever was held on it", () => {
    const pod = { milli: 1, bytes: 1, seconds: 1 };
    expect(allocate({ milli: 1, bytes: 1, reserved: 0, presentMs: 0, pods: [pod] }).cost).toBe(0n);
  });

  it("of a virtual node costs what its pods request for as long as they do, and nothing is idle", () => {
    const hour = { milli: 9_000_000, bytes: 2 ** 45, reserved: 0, presentMs: HOUR_MS, pods: [] };
    const held = [{ user: "p", requested: new Map([["cpu", 2n * 1_000n * MILLI * 1_800_000n]]), charged: new Map() }];
    const allocation = allocateNodeHour(nodeOf(hour, { virtual: true }), DEFAULT_PRICE_LIST, held);
    expect(allocation).toMatchObject({
      cost: 31_611_000n,
      shares: [{ kind: "workload", user: "p", cost: 31_611_000n }],
    });
  });

  it("is unpriced, not free, where the node does not say what it has", () => {
    const hour = { milli: 0, bytes: 0, reserved: 0, presentMs: HOUR_MS, pods: [] };
    expect(allocateNodeHour(nodeOf(hour), DEFAULT_PRICE_LIST, [])).toBeUndefined();
  });
});
