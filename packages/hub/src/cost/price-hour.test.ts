import type { NodeRow } from "@plimsoll/contracts/wire";
import { DEFAULT_PRICE_LIST } from "@plimsoll/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GIB, HOUR, HOUR_MS, nodeRow } from "../../../../test/hub/facts.ts";
import type { UsageGroup } from "../warehouse/ask-usage.ts";
import type { UsageOwner } from "../warehouse/usage-groups.ts";
import { priceHour } from "./price-hour.ts";

/** Nano-dollars of a core-hour and a GiB-hour, written out from the default prices. */
const CORE = 31_611_000n;
const GIB_HOUR = 4_237_000n;

const OWNER: UsageOwner = {
  key: "cart",
  namespace: "shop",
  workloadType: "Deployment",
  workloadName: "cart",
  costCenter: "cc-7",
  env: "prod",
  ownerTeam: "web",
  labelSource: "pod",
  labels: "{}",
  mode: "push",
};

type Change = Partial<UsageGroup> & { readonly nodeUid?: string | null; readonly nodeName?: string };

function group({ nodeUid = "node-uid-a", nodeName = "node-a", ...change }: Change = {}): UsageGroup {
  const integral = 1_000_000_000n * 3_600n;
  return {
    owner: OWNER,
    place: { clusterId: "c", nodeUid, nodeName },
    resource: "cpu",
    pods: 1,
    billedMs: HOUR_MS,
    unseenMs: 0,
    request: integral,
    usage: 0n,
    charged: integral,
    asOfMs: HOUR + HOUR_MS,
    ...change,
  };
}

const price = (nodes: readonly NodeRow[], usage: readonly UsageGroup[]) =>
  priceHour({ clusterId: "c", hourStartMs: HOUR, nodes, usage }, DEFAULT_PRICE_LIST, 3);

const sum = (records: readonly { readonly cost: bigint }[]): bigint =>
  records.reduce((total, { cost }) => total + cost, 0n);

describe("a running hour", () => {
  const halfway = HOUR + HOUR_MS / 2;
  const early = nodeRow({ asOfMs: HOUR + 1_000, presentMs: 1_000, schedulableMs: 1_000 });
  const half = 500_000_000n * 3_600n;
  const told = group({ asOfMs: halfway, billedMs: HOUR_MS / 2, request: half, charged: half });

  it("has its nodes for as long as its pods were seen, so that nothing seems over-committed", () => {
    const { records } = price([early], [told]);
    const workload = records.find(({ costKind, resource }) => costKind === "workload" && resource === "cpu");
    expect(workload?.cost).toBe(CORE / 2n);
    expect(records.some(({ costKind }) => costKind === "idle")).toBe(true);
  });

  it("has a node that is gone for no longer than it was there", () => {
    const gone = { ...early, deletedMs: HOUR + 1_000 };
    const [short, whole] = [price([gone], []).costNanos, price([nodeRow()], []).costNanos];
    expect(short * 3_600n).toBeGreaterThan(whole - 3_600n * 10n);
    expect(short * 3_600n).toBeLessThan(whole + 3_600n * 10n);
  });
});

describe("a priced hour", () => {
  it("has a record for each workload, idle and system of each priced resource", () => {
    const memory = BigInt(GIB) * 3_600n;
    const usage = [
      group(),
      group({ resource: "memory", request: memory, charged: memory }),
      group({ resource: "pods" }),
    ];
    const { records, costNanos, priceSources, unpriced } = price([nodeRow()], usage);
    expect(
      records.map(({ resource, costKind, owner, allocated, cost }) => {
        return [resource, costKind, owner?.namespace ?? null, allocated, cost];
      }),
    ).toEqual([
      ["cpu", "workload", "shop", 3_600_000_000_000n, CORE],
      ["cpu", "idle", null, 2_900_000_000n * 3_600n, (CORE * 29n) / 10n],
      ["cpu", "system", null, 100_000_000n * 3_600n, CORE / 10n],
      ["memory", "workload", "shop", memory, GIB_HOUR],
      ["memory", "idle", null, memory * 14n, GIB_HOUR * 14n],
      ["memory", "system", null, memory, GIB_HOUR],
    ]);
    expect(costNanos).toBe(4n * CORE + 16n * GIB_HOUR);
    expect([priceSources, unpriced]).toEqual([{ default: 1 }, []]);
    expect(records[0]).toMatchObject({
      hourStartMs: HOUR,
      revision: 3,
      place: {
        clusterId: "c",
        nodeName: "node-a",
        nodePool: "general",
        instanceId: "aws:///eu-central-1a/i-0123456789abcdef0",
        pricing: "on-demand",
        priceSource: "default",
      },
      owner: { workloadType: "Deployment", costCenter: "cc-7", labelSource: "pod", mode: "push" },
      resourceKind: "cpu",
      currency: "USD",
      coveragePpm: 1_000_000,
    });
  });

  it("conserves for any usage: the records of each node sum to its price × its presence", () => {
    const nodes = [nodeRow(), nodeRow({ nodeUid: "b", nodeName: "node-b", presentMs: 1_234_567, spot: true })];
    const groups = fc.array(
      fc.record({
        nodeUid: fc.constantFrom("node-uid-a", "b", null),
        nodeName: fc.constantFrom("node-a", "node-b"),
        owner: fc.constantFrom(...["x", "y", "z"].map((key) => ({ ...OWNER, key, workloadName: key }))),
        resource: fc.constantFrom("cpu", "memory"),
        charged: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(groups, (random) => {
        // One group for each owner and resource, as the warehouse gives them.
        const unique = new Map(
          random.map((each) => [`${each.nodeUid} ${each.nodeName} ${each.owner.key} ${each.resource}`, group(each)]),
        );
        const { records, costNanos } = price(nodes, [...unique.values()]);
        const ofNode = (uid: string): bigint => sum(records.filter(({ place }) => place.nodeUid === uid));
        expect(ofNode("node-uid-a")).toBe(4n * CORE + 16n * GIB_HOUR);
        // (4 × 6,655,000 + 16 × 892,000) × 1,234,567 ÷ 3,600,000, to nearest
        expect(ofNode("b")).toBe(14_023_309n);
        expect(costNanos).toBe(sum(records));
        const shuffled = price(nodes.toReversed(), [...unique.values()].toReversed());
        expect(shuffled).toEqual(price(nodes, [...unique.values()]));
      }),
    );
  });

  it("finds a pod's node by UID, else by name: of two of one name, the younger", () => {
    const nodes = [
      nodeRow({ nodeUid: "young", createdMs: HOUR }),
      nodeRow({ nodeUid: "old", createdMs: 0, presentMs: 60_000 }),
    ];
    const uidOf = (nodeUid: string | null) =>
      price(nodes, [group({ nodeUid })]).records.find(({ costKind }) => costKind === "workload")?.place.nodeUid;
    expect(["old", "young", "never heard of", null].map(uidOf)).toEqual(["old", "young", "young", "young"]);
  });

  it("names what has no price, and leaves it out of the sum", () => {
    const bare = nodeRow({ nodeUid: "bare", nodeName: "bare", resources: new Map() });
    const absurd = nodeRow({
      nodeUid: "absurd",
      nodeName: "absurd",
      resources: new Map([
        ["cpu", { capacity: 2n ** 62n, allocatable: 1n }],
        ["memory", { capacity: 2n ** 62n, allocatable: 1n }],
        ["nvidia.com/gpu", { capacity: 2n ** 63n - 1n, allocatable: 1n }],
      ]),
    });
    const { records, unpriced } = price([bare, absurd, nodeRow()], [group({ nodeUid: "x", nodeName: "lost" })]);
    expect(unpriced).toEqual(["absurd", "bare", "lost"]);
    expect(new Set(records.map(({ place }) => place.nodeName))).toEqual(new Set(["node-a"]));
  });

  it("says how much of a workload's time was seen", () => {
    const { records } = price([nodeRow()], [group({ billedMs: 2_000_000, unseenMs: 1_000_000 })]);
    expect(records.map(({ costKind, coveragePpm }) => [costKind, coveragePpm])[0]).toEqual(["workload", 666_666]);
  });
});
