import { decodeSampleColumns, encodeSampleBatch, type SampleRow, type UsageRow } from "@plimsoll/contracts/wire";
import { afterEach, describe, expect, it } from "vitest";
import type { CostPlace, CostRecord } from "../../packages/hub/src/warehouse/cost-record.ts";
import type { FactBatch, FactRows } from "../../packages/hub/src/warehouse/fact-batch.ts";
import {
  ATTRIBUTION,
  type Bed,
  gapRow,
  HOUR,
  HOUR_MS,
  held,
  keyOf,
  nodeRow,
  sampleRow,
  usageRow,
} from "../hub/facts.ts";
import { costRecord as costRecordOf, OWNER } from "./cost-records.ts";

/** 2^53 + 1: the first whole number that a double does not hold. */
const BEYOND = 9_007_199_254_740_993n;
const INT64_MAX = 2n ** 63n - 1n;
const OTHER_PLACE: Partial<CostPlace> = { clusterId: "prod-us" };
const THIS_HOUR = [{ clusterId: "prod-eu", hourStartMs: HOUR, revision: 1 }];

let sequence = 0;
function batch(facts: FactRows, clusterId = "prod-eu"): FactBatch {
  sequence += 1;
  return { key: keyOf(sequence, { clusterId }), facts };
}
const usage = (...rows: readonly Partial<UsageRow>[]): FactBatch =>
  batch({ kind: "usage", rows: rows.map((row) => usageRow(row)) });
const samples = (...rows: readonly SampleRow[]): FactBatch =>
  batch({ kind: "sample", blocks: decodeSampleColumns(encodeSampleBatch(rows)) });

/** Writes batches and lets them count, as ingest does. */
async function count({ warehouse, ledger }: Bed, ...batches: readonly FactBatch[]): Promise<void> {
  const facts = await warehouse.append(batches);
  await ledger.commit({ entries: [], ...facts, nowMs: HOUR });
}

const askUsage = (at: Bed, clusters = ["prod-eu"]) => at.warehouse.usage(clusters, HOUR);

const costRecord = ({ place, ...change }: Omit<Partial<CostRecord>, "place"> & { place?: Partial<CostPlace> } = {}) =>
  costRecordOf(place, change);

async function countCost({ warehouse, ledger }: Bed, ...records: readonly CostRecord[]): Promise<void> {
  const written = await warehouse.writeCost(records);
  await ledger.commit({ entries: [], written, touched: [], gapped: [], nowMs: HOUR });
}

/** What a warehouse promises, run on every engine. `openBed` gives one with its ledger, empty. */
export function warehouseConformance(openBed: () => Promise<Bed>): void {
  const open: Bed[] = [];
  const openOne = async (): Promise<Bed> => {
    const opened = await openBed();
    open.push(opened);
    return opened;
  };
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  describe("usage in the warehouse", () => {
    it("comes back to the last digit, beyond what a double holds, and sums beyond 64 bits", async () => {
      const at = await openOne();
      const resources = new Map([
        ["cpu", { request: BEYOND, usage: INT64_MAX, charged: INT64_MAX, usageCoveredMs: 5 }],
      ]);
      await count(at, usage({ resources }, { resources, podUid: "other" }));
      expect(await askUsage(at)).toMatchObject([
        { resource: "cpu", pods: 2, request: 2n * BEYOND, usage: 2n * INT64_MAX, charged: 2n * INT64_MAX },
      ]);
    });

    it("keeps every field, odd texts too", async () => {
      const at = await openOne();
      const namespace = 'o\'hare "x" \n \u0000 日本 %s $1 ?';
      const attribution = { ...ATTRIBUTION, namespace, costCenter: null, labelSource: "namespace" as const };
      await count(
        at,
        usage({
          attribution,
          nodeUid: null,
          unseenMs: 60_000,
          mode: "pull",
          resources: new Map([["cpu", held(2n, 3_600)]]),
        }),
      );
      expect(await askUsage(at)).toEqual([
        {
          place: { clusterId: "prod-eu", nodeUid: null, nodeName: "node-a" },
          owner: {
            key: expect.any(String),
            namespace,
            workloadType: "Deployment",
            workloadName: "cart",
            costCenter: null,
            env: "prod",
            ownerTeam: "web",
            labelSource: "namespace",
            labels: '{"app":"cart","example.com/tier":"front"}',
            mode: "pull",
          },
          resource: "cpu",
          pods: 1,
          billedMs: HOUR_MS,
          unseenMs: 60_000,
          request: 7_200n,
          usage: 0n,
          charged: 7_200n,
          asOfMs: HOUR + HOUR_MS,
        },
      ]);
    });

    it("sums over pods of the same workload", async () => {
      const at = await openOne();
      const row = (podUid: string, seconds: number, intervalEndMs: number | null) => ({
        podUid,
        billedMs: seconds * 1000,
        intervalEndMs,
        resources: new Map([["cpu", held(10n, seconds)]]),
      });
      await count(at, usage(row("a", 600, null), row("b", 1_200, null), row("c", 60, HOUR + 60_000)));
      expect(await askUsage(at)).toMatchObject([{ pods: 3, charged: 18_600n, billedMs: 1_860_000 }]);
    });

    it("counts the newest row of each pod and interval, in whatever order and files they come", async () => {
      const at = await openOne();
      const asOf = (minutes: number, podUid = "a", start = HOUR) => ({
        podUid,
        intervalStartMs: start,
        asOfMs: HOUR + minutes * 60_000,
        resources: new Map([["cpu", held(1n, minutes * 60)]]),
      });
      await count(at, usage(asOf(10)), usage(asOf(5)));
      await count(at, usage(asOf(15), asOf(5, "b")));
      // Another interval of the same pod (it was resized in place) is not the same row.
      await count(at, usage(asOf(12), asOf(1, "a", HOUR + 1)));
      expect((await askUsage(at)).map(({ charged, pods }) => [charged, pods])).toEqual([[900n + 300n + 60n, 3]]);
    });

    it("takes the later batch where two say the same moment", async () => {
      const at = await openOne();
      const row = (charged: bigint) => ({ resources: new Map([["cpu", held(charged, 1)]]) });
      const [first, second] = [usage(row(1n)), usage(row(2n))];
      await count(at, second);
      await count(at, first);
      expect(await askUsage(at)).toMatchObject([{ charged: 2n, pods: 1 }]);
    });

    it("knows a pod that has no resource at all", async () => {
      const at = await openOne();
      await count(at, usage({ resources: new Map() }));
      expect(await askUsage(at)).toMatchObject([{ resource: null, pods: 1, billedMs: HOUR_MS }]);
    });

    it("keeps clusters and hours apart", async () => {
      const at = await openOne();
      const next = { hourStartMs: HOUR + HOUR_MS, asOfMs: HOUR + HOUR_MS + 1 };
      await count(at, usage({}, next), batch({ kind: "usage", rows: [usageRow()] }, "prod-us"));
      expect(await askUsage(at)).toHaveLength(2);
      expect(await askUsage(at, ["prod-eu", "prod-us"])).toHaveLength(4);
      expect(await askUsage(at, ["nobody"])).toEqual([]);
    });
  });

  describe("what runs now", () => {
    const NEXT = HOUR + HOUR_MS;
    const row = (podUid: string, minutes: number, change: Partial<UsageRow> = {}): Partial<UsageRow> => ({
      podUid,
      asOfMs: HOUR + minutes * 60_000,
      billedMs: minutes * 60_000,
      resources: new Map([["cpu", { ...held(500_000_000n, minutes * 60), usage: 7n, usageCoveredMs: 3_000 }]]),
      ...change,
    });
    const running = (at: Bed) => at.warehouse.running(["prod-eu"], HOUR);

    it("is each pod that was open when last heard of, with its average since the hour began", async () => {
      const at = await openOne();
      await count(at, usage(row("a", 55), row("b", 60), row("closed", 60, { intervalEndMs: HOUR + 60_000 })));
      expect(await running(at)).toMatchObject([
        // 7 ÷ 3 s, to nearest, for each of the two
        { pods: 2, resource: "cpu", requested: 1_000_000_000n, charged: 1_000_000_000n, used: 4n, asOfMs: NEXT },
      ]);
    });

    it("goes on across the hour: what was not heard of yet counts as in the hour before", async () => {
      const at = await openOne();
      const next = {
        hourStartMs: NEXT,
        asOfMs: NEXT + 60_000,
        billedMs: 60_000,
        resources: new Map([["cpu", held(2n, 60)]]),
      };
      await count(at, usage(row("a", 60), row("b", 60), row("c", 60)));
      await count(at, usage({ podUid: "a", ...next }, { podUid: "b", ...next, intervalEndMs: NEXT + 30_000 }));
      expect(await running(at)).toMatchObject([{ pods: 2, charged: 500_000_002n }]);
    });

    it("is no pod any more that was left out twice while others were heard of", async () => {
      const at = await openOne();
      await count(at, usage(row("a", 60), row("b", 48)));
      expect(await running(at)).toMatchObject([{ pods: 1 }]);
    });

    it("says nothing of usage that nobody measured", async () => {
      const at = await openOne();
      await count(at, usage({}));
      expect((await running(at)).map(({ used }) => used)).toEqual([null, null]);
    });

    it("is each node as last heard of, without those that are deleted or silent while others are heard of", async () => {
      const at = await openOne();
      const early = nodeRow({ nodeUid: "silent", asOfMs: HOUR + 45 * 60_000 });
      const gone = nodeRow({ nodeUid: "gone", deletedMs: HOUR + 50 * 60_000 });
      const moved = nodeRow({ nodeUid: "moved", hourStartMs: NEXT, asOfMs: NEXT + 1, pool: "new" });
      await count(at, batch({ kind: "node", rows: [nodeRow(), early, gone, nodeRow({ nodeUid: "moved" }), moved] }));
      const nodes = await at.warehouse.currentNodes(["prod-eu"], HOUR);
      expect(nodes.map(({ node }) => [node.nodeUid, node.pool])).toEqual([
        ["moved", "new"],
        ["node-uid-a", "general"],
      ]);
    });
  });

  describe("nodes, samples and gaps in the warehouse", () => {
    it("gives nodes back as they were reported, the newest row of each hour", async () => {
      const at = await openOne();
      const resources = new Map([["cpu", { capacity: INT64_MAX, allocatable: BEYOND }]]);
      const newest = nodeRow({ asOfMs: HOUR + 600_000, deletedMs: HOUR + 500_000, spot: true, pool: null, resources });
      const bare = nodeRow({ nodeUid: "bare", resources: new Map() });
      await count(at, batch({ kind: "node", rows: [newest, bare] }));
      await count(at, batch({ kind: "node", rows: [nodeRow({ asOfMs: HOUR + 300_000 })] }));
      const nodes = await at.warehouse.nodes(["prod-eu"], HOUR, HOUR + HOUR_MS);
      expect(nodes).toEqual([
        { clusterId: "prod-eu", node: bare },
        { clusterId: "prod-eu", node: newest },
      ]);
    });

    it("gives the latest sample of each node and resource; unknown is null", async () => {
      const at = await openOne();
      const unknown = { requested: null, usedMin: null, usedAvg: null, usedMax: null, readings: 0 };
      await count(at, samples(sampleRow({ windowStartMs: HOUR + 300_000, usedAvg: 1_000_000_000 }), sampleRow()));
      await count(
        at,
        samples(sampleRow({ resource: "memory", ...unknown }), sampleRow({ scope: "cluster", subject: "" })),
      );
      const latest = await at.warehouse.nodeSamples(["prod-eu"], HOUR);
      expect(
        latest.map(({ resource, windowStartMs, requested, usedAvg }) => [resource, windowStartMs, requested, usedAvg]),
      ).toEqual([
        ["cpu", HOUR + 300_000, 1_500_000_000, 1_000_000_000],
        ["memory", HOUR, null, null],
      ]);
      expect(await at.warehouse.nodeSamples(["prod-eu"], HOUR + 600_000)).toEqual([]);
      const sampled = { clusterId: "prod-eu", hourStartMs: HOUR, upToMs: HOUR + 600_000 };
      expect(await at.warehouse.sampled(["prod-eu", "b"], HOUR, HOUR + HOUR_MS)).toEqual([sampled]);
      expect(await at.warehouse.sampled(["prod-eu"], HOUR + HOUR_MS, HOUR + 9 * HOUR_MS)).toEqual([]);
      expect(await at.warehouse.sampled(["b"], HOUR, HOUR + HOUR_MS)).toEqual([]);
    });

    it("gives gaps that touch a time, however long ago they began", async () => {
      const at = await openOne();
      const long = gapRow({ startMs: HOUR - 40 * HOUR_MS, endMs: null, asOfMs: HOUR + 1, reason: "access_denied" });
      const lost = gapRow({ reason: "spool_lost", lostSequences: { spoolId: "old", first: 3, last: 9 } });
      await count(at, batch({ kind: "gap", rows: [long, lost, gapRow({ startMs: HOUR - 10, endMs: HOUR })] }));
      await count(at, batch({ kind: "gap", rows: [{ ...long, asOfMs: HOUR - 600_000 }] }));
      const gaps = await at.warehouse.gaps(["prod-eu"], HOUR, HOUR + HOUR_MS);
      expect(gaps.map(({ gap }) => gap)).toEqual([long, lost]);
    });
  });

  describe("priced rows in the warehouse", () => {
    it("sum to the last digit beyond what a double holds", async () => {
      const at = await openOne();
      await countCost(at, costRecord(), costRecord({ resource: "memory", resourceKind: "memory", cost: 1n }));
      await countCost(at, costRecord({ hourStartMs: HOUR + HOUR_MS }));
      const hours = [...THIS_HOUR, { clusterId: "prod-eu", hourStartMs: HOUR + HOUR_MS, revision: 1 }];
      expect(await at.warehouse.cost(hours, { by: [], namespace: null })).toEqual([
        {
          values: [],
          costKind: "workload",
          currency: "USD",
          cpu: 2n * BEYOND,
          memory: 1n,
          gpu: 0n,
          total: 2n * BEYOND + 1n,
        },
      ]);
    });

    it("group by fields and labels; what is not set is null", async () => {
      const at = await openOne();
      await countCost(
        at,
        costRecord({ cost: 1n }),
        costRecord({ cost: 2n, owner: { ...OWNER, workloadName: "pay", labels: "{}" } }),
        costRecord({ cost: 4n, costKind: "idle", owner: null }),
      );
      const by = [{ field: "workload" }, { label: "example.com/a~b" }] as const;
      const sums = await at.warehouse.cost(THIS_HOUR, { by, namespace: null });
      expect(sums.map(({ values, total }) => [...values, total]).sort()).toEqual([
        [null, null, 4n],
        ["Deployment/cart", "yes", 1n],
        ["Deployment/pay", null, 2n],
      ]);
      const ofNamespace = await at.warehouse.cost(THIS_HOUR, { by, namespace: "shop" });
      expect(ofNamespace.map(({ total }) => total).sort()).toEqual([1n, 2n]);
    });

    it("count only for the hours and the revision that are asked for", async () => {
      const at = await openOne();
      await countCost(at, costRecord({ cost: 1n }), costRecord({ cost: 2n, place: OTHER_PLACE }));
      await countCost(at, costRecord({ cost: 4n, revision: 2 }));
      const total = async (revision: number) =>
        (
          await at.warehouse.cost([{ clusterId: "prod-eu", hourStartMs: HOUR, revision }], { by: [], namespace: null })
        ).map((sum) => sum.total);
      expect([await total(1), await total(2), await total(3)]).toEqual([[1n], [4n], []]);
      expect(await at.warehouse.cost([], { by: [], namespace: null })).toEqual([]);
    });
  });

  describe("whatever the engine does with it", () => {
    it("is there once when the same rows come again in another batch", async () => {
      const at = await openOne();
      for (let time = 0; time < 3; time += 1) {
        await count(at, usage({}), batch({ kind: "node", rows: [nodeRow()] }), usage({}));
      }
      expect(await askUsage(at)).toMatchObject([{ pods: 1 }, { pods: 1 }]);
      expect(await at.warehouse.nodes(["prod-eu"], HOUR, HOUR + HOUR_MS)).toHaveLength(1);
    });

    it("is not there when its commit was refused and it was let go", async () => {
      const at = await openOne();
      const { written } = await at.warehouse.append([usage({})]);
      await written.discard();
      expect(await askUsage(at)).toEqual([]);
    });

    it("says which hours are touched, and what time a gap is of", async () => {
      const at = await openOne();
      const next = { hourStartMs: HOUR + HOUR_MS, asOfMs: HOUR + HOUR_MS + 1 };
      const { touched, gapped } = await at.warehouse.append([
        usage({}, next),
        batch({ kind: "node", rows: [nodeRow()] }, "prod-us"),
        samples(sampleRow()),
        batch({ kind: "gap", rows: [gapRow(), gapRow({ startMs: HOUR - 1 })] }),
      ]);
      expect(touched.map(({ clusterId, hourStartMs }) => `${clusterId} ${hourStartMs - HOUR}`).sort()).toEqual([
        "prod-eu 0",
        `prod-eu ${HOUR_MS}`,
        "prod-us 0",
      ]);
      expect(gapped).toEqual([{ clusterId: "prod-eu", fromMs: HOUR - 1, toMs: HOUR + 1_200_000 }]);
    });

    it("goes by kind and hour when it is older than it is kept, also after it was tidied up", async () => {
      const at = await openOne();
      const hours = [0, 1, 2].map((hour) => HOUR + hour * HOUR_MS);
      for (const hourStartMs of hours) {
        await count(at, usage({ hourStartMs, asOfMs: hourStartMs + 1 }));
        await count(at, batch({ kind: "node", rows: [nodeRow({ hourStartMs, asOfMs: hourStartMs + 1 })] }));
      }
      await at.warehouse.compact(HOUR + 48 * HOUR_MS);
      await at.warehouse.retain("usage", HOUR + HOUR_MS + 1, HOUR + 48 * HOUR_MS);
      const left = await Promise.all(hours.map((hour) => at.warehouse.usage(["prod-eu"], hour)));
      expect(left.map(({ length }) => length)).toEqual([0, 2, 2]);
      expect(await at.warehouse.nodes(["prod-eu"], HOUR, HOUR + 3 * HOUR_MS)).toHaveLength(3);
    });

    it("is a gap as long as any of its time is kept", async () => {
      const at = await openOne();
      const long = gapRow({ startMs: HOUR, endMs: null, asOfMs: HOUR + 30 * HOUR_MS });
      await count(at, batch({ kind: "gap", rows: [long, gapRow({ startMs: HOUR + 1, endMs: HOUR + 2 })] }));
      await at.warehouse.retain("gap", HOUR + 10 * HOUR_MS, HOUR + 48 * HOUR_MS);
      expect((await at.warehouse.gaps(["prod-eu"], 0, HOUR + 48 * HOUR_MS)).map(({ gap }) => gap)).toEqual([long]);
    });
  });
}
