import { appendFileSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeSampleColumns, encodeSampleBatch, type SampleRow, type UsageRow } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  ATTRIBUTION,
  type Bed,
  gapRow,
  HOUR,
  HOUR_MS,
  held,
  keyOf,
  nodeRow,
  openBed,
  sampleRow,
  usageRow,
} from "../../../../test/hub/facts.ts";
import type { CostOwner, CostPlace, CostRecord } from "./cost-record.ts";
import { type Disk, REAL_DISK } from "./disk.ts";
import type { FactBatch, FactRows } from "./fact-batch.ts";
import { openWarehouse, openWarehouseReader, type WarehouseConfig } from "./warehouse.ts";
import type { WarehouseFault } from "./warehouse-port.ts";

/** 2^53 + 1: the first whole number that a double does not hold. */
const BEYOND = 9_007_199_254_740_993n;
const INT64_MAX = 2n ** 63n - 1n;

const open: Bed[] = [];
async function bed(change: Partial<WarehouseConfig> = {}): Promise<Bed> {
  const opened = await openBed(change);
  open.push(opened);
  return opened;
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

let sequence = 0;
function batch(facts: FactRows, clusterId = "prod-eu"): FactBatch {
  sequence += 1;
  return { key: keyOf(sequence, { clusterId }), facts };
}
const usage = (...rows: readonly Partial<UsageRow>[]): FactBatch =>
  batch({ kind: "usage", rows: rows.map((row) => usageRow(row)) });
const samples = (...rows: readonly SampleRow[]): FactBatch =>
  batch({ kind: "sample", blocks: decodeSampleColumns(encodeSampleBatch(rows)) });

/** Writes batches and lets the ledger name them, as ingest does. */
async function count({ warehouse, ledger }: Bed, ...batches: readonly FactBatch[]): Promise<void> {
  const facts = await warehouse.append(batches);
  await ledger.commit({ entries: [], ...facts, nowMs: HOUR });
}

const askUsage = (at: Bed, clusters = ["prod-eu"]) => at.warehouse.usage(clusters, HOUR);

const PLACE: CostPlace = {
  clusterId: "prod-eu",
  nodeUid: "node-uid-a",
  nodeName: "node-a",
  nodePool: "general",
  machineDeployment: null,
  instanceId: null,
  instanceType: "m6i.xlarge",
  region: "eu-central-1",
  zone: "eu-central-1a",
  pricing: "on-demand",
  priceSource: "default",
};
const OTHER_PLACE: CostPlace = { ...PLACE, clusterId: "prod-us" };
const OWNER: CostOwner = {
  namespace: "shop",
  workloadType: "Deployment",
  workloadName: "cart",
  costCenter: "cc-7",
  env: null,
  ownerTeam: "web",
  labelSource: "pod",
  labels: '{"app":"cart","example.com/a~b":"yes"}',
  mode: "push",
};

function costRecord(change: Partial<CostRecord> = {}): CostRecord {
  return {
    hourStartMs: HOUR,
    upToMs: HOUR + HOUR_MS,
    revision: 1,
    place: PLACE,
    owner: OWNER,
    resource: "cpu",
    resourceKind: "cpu",
    costKind: "workload",
    requested: INT64_MAX * 4n,
    used: 0n,
    allocated: INT64_MAX * 4n,
    cost: BEYOND,
    currency: "USD",
    coveragePpm: 1_000_000,
    ...change,
  };
}

async function countCost({ warehouse, ledger }: Bed, ...records: readonly CostRecord[]): Promise<void> {
  const written = await warehouse.writeCost(records);
  await ledger.commit({ entries: [], written, touched: [], gapped: [], nowMs: HOUR });
}

const THIS_HOUR = [{ clusterId: "prod-eu", hourStartMs: HOUR, revision: 1 }];

describe("usage in the warehouse", () => {
  it("comes back to the last digit, beyond what a double holds, and sums beyond 64 bits", async () => {
    const at = await bed();
    const resources = new Map([["cpu", { request: BEYOND, usage: INT64_MAX, charged: INT64_MAX, usageCoveredMs: 5 }]]);
    await count(at, usage({ resources }, { resources, podUid: "other" }));
    expect(await askUsage(at)).toMatchObject([
      { resource: "cpu", pods: 2, request: 2n * BEYOND, usage: 2n * INT64_MAX, charged: 2n * INT64_MAX },
    ]);
  });

  it("keeps every field, odd texts too", async () => {
    const at = await bed();
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
    const at = await bed();
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
    const at = await bed();
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
    const at = await bed();
    const row = (charged: bigint) => ({ resources: new Map([["cpu", held(charged, 1)]]) });
    const [first, second] = [usage(row(1n)), usage(row(2n))];
    await count(at, second);
    await count(at, first);
    expect(await askUsage(at)).toMatchObject([{ charged: 2n, pods: 1 }]);
  });

  it("knows a pod that has no resource at all", async () => {
    const at = await bed();
    await count(at, usage({ resources: new Map() }));
    expect(await askUsage(at)).toMatchObject([{ resource: null, pods: 1, billedMs: HOUR_MS }]);
  });

  it("keeps clusters and hours apart", async () => {
    const at = await bed();
    const next = { hourStartMs: HOUR + HOUR_MS, asOfMs: HOUR + HOUR_MS + 1 };
    await count(at, usage({}, next), batch({ kind: "usage", rows: [usageRow()] }, "prod-us"));
    expect(readdirSync(join(at.dataDir, "segments/usage/2026-03-14")).map((name) => name.slice(0, 2))).toEqual([
      "09",
      "10",
    ]);
    expect(await askUsage(at)).toHaveLength(2);
    expect(await askUsage(at, ["prod-eu", "prod-us"])).toHaveLength(4);
    expect(await askUsage(at, ["nobody"])).toEqual([]);
  });

  it("does not count before the ledger names it", async () => {
    const at = await bed();
    await at.warehouse.append([usage({})]);
    expect(await askUsage(at)).toEqual([]);
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
    const at = await bed();
    await count(at, usage(row("a", 55), row("b", 60), row("closed", 60, { intervalEndMs: HOUR + 60_000 })));
    expect(await running(at)).toMatchObject([
      // 7 ÷ 3 s, to nearest, for each of the two
      { pods: 2, resource: "cpu", requested: 1_000_000_000n, charged: 1_000_000_000n, used: 4n, asOfMs: NEXT },
    ]);
  });

  it("goes on across the hour: what was not heard of yet counts as in the hour before", async () => {
    const at = await bed();
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
    const at = await bed();
    await count(at, usage(row("a", 60), row("b", 48)));
    expect(await running(at)).toMatchObject([{ pods: 1 }]);
  });

  it("says nothing of usage that nobody measured", async () => {
    const at = await bed();
    await count(at, usage({}));
    expect((await running(at)).map(({ used }) => used)).toEqual([null, null]);
  });

  it("is each node as last heard of, without those that are deleted or silent while others are heard of", async () => {
    const at = await bed();
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
    const at = await bed();
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
    const at = await bed();
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
  });

  it("gives gaps that touch a time, however long ago they began", async () => {
    const at = await bed();
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
    const at = await bed();
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
    const at = await bed();
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
    const at = await bed();
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

describe("segments", () => {
  it("are flushed, file before folder, before they are handed to the ledger", async () => {
    const calls: string[] = [];
    const disk: Disk = {
      ...REAL_DISK,
      flushFile: async (path) => {
        const flushed = await REAL_DISK.flushFile(path);
        calls.push("file");
        return flushed;
      },
      flushFolder: async (path) => {
        await REAL_DISK.flushFolder(path);
        calls.push(path.endsWith("2026-03-14") ? "folder" : "other folder");
      },
    };
    const at = await bed({ disk });
    await count(at, usage({}, { hourStartMs: HOUR + HOUR_MS, asOfMs: HOUR + HOUR_MS }));
    expect(calls).toEqual(["file", "file", "folder"]);
    const segments = await at.store.db.selectFrom("segments").selectAll().execute();
    expect(segments.map(({ rows, bytes, sha256 }) => [rows, bytes > 0, sha256.length])).toEqual([
      [2, true, 64],
      [2, true, 64],
    ]);
  });

  it("give the same answers after they were merged, with fewer files and only newest rows", async () => {
    const at = await bed();
    const rows = fc.sample(
      fc.record({
        pod: fc.nat({ max: 5 }),
        minutes: fc.integer({ min: 1, max: 60 }),
        team: fc.constantFrom("web", "data"),
      }),
      { numRuns: 20, seed: 7 },
    );
    for (const { pod, minutes, team } of rows) {
      const asOf = { asOfMs: HOUR + minutes * 60_000, resources: new Map([["cpu", held(BigInt(minutes), 60)]]) };
      await count(at, usage({ podUid: `pod-${pod}`, attribution: { ...ATTRIBUTION, ownerTeam: team }, ...asOf }));
      await count(at, samples(sampleRow({ windowStartMs: HOUR + (minutes - 1) * 60_000, windowMs: 60_000 })));
      await count(at, batch({ kind: "node", rows: [nodeRow({ asOfMs: asOf.asOfMs, presentMs: minutes * 60_000 })] }));
      await count(at, batch({ kind: "gap", rows: [gapRow({ asOfMs: asOf.asOfMs })] }));
    }
    const ask = async () => ({
      usage: (await askUsage(at)).toSorted((a, b) => (a.owner.key < b.owner.key ? -1 : 1)),
      nodes: await at.warehouse.nodes(["prod-eu"], HOUR, HOUR + HOUR_MS),
      samples: await at.warehouse.nodeSamples(["prod-eu"], HOUR),
      gaps: await at.warehouse.gaps(["prod-eu"], HOUR, HOUR + HOUR_MS),
    });
    const before = await ask();
    // While the hour is written, files are merged by sixteen; once it is quiet, all of them.
    expect(await at.warehouse.compact(HOUR + HOUR_MS)).toBeGreaterThan(0);
    expect(await ask()).toEqual(before);
    await at.warehouse.compact(HOUR + 5 * HOUR_MS);
    expect(await ask()).toEqual(before);
    const left = await at.store.db.selectFrom("segments").select(["kind", "rows"]).orderBy("kind").execute();
    expect(left.map(({ kind }) => kind)).toEqual(["gap", "node", "sample", "usage"]);
    expect(left.find(({ kind }) => kind === "usage")?.rows).toBe(new Set(rows.map(({ pod }) => pod)).size);
    expect(await at.warehouse.compact(HOUR + 5 * HOUR_MS)).toBe(0);
  }, 60_000);

  it("are deleted some time after they were merged, not while a question may read them", async () => {
    const at = await bed();
    for (let i = 0; i < 3; i += 1) await count(at, usage({ podUid: `pod-${i}` }));
    const files = () => readdirSync(join(at.dataDir, "segments/usage/2026-03-14")).length;
    const merged = HOUR + 10 * HOUR_MS;
    expect(await at.warehouse.compact(merged)).toBe(2);
    expect(files()).toBe(4);
    await at.warehouse.compact(merged + 10 * 60_000);
    expect(files()).toBe(1);
  });

  it("leave the revisions that no longer count behind when they are merged", async () => {
    const at = await bed();
    await countCost(at, costRecord({ cost: 1n }), costRecord({ cost: 2n, place: OTHER_PLACE }));
    await countCost(at, costRecord({ cost: 4n, revision: 2 }));
    const hour = { hour_start_ms: HOUR, facts_version: 1, priced_version: 1 };
    const counted = [
      { ...hour, cluster_id: "prod-eu", revision: 2 },
      { ...hour, cluster_id: "prod-us", revision: 1 },
    ];
    await at.store.db.insertInto("cost_hours").values(counted).execute();
    await at.warehouse.compact(HOUR + 10 * HOUR_MS);
    expect(await at.store.db.selectFrom("segments").select("rows").execute()).toEqual([{ rows: 2 }]);
    const hours = [
      { clusterId: "prod-eu", hourStartMs: HOUR, revision: 2 },
      { clusterId: "prod-us", hourStartMs: HOUR, revision: 1 },
    ];
    const sums = await at.warehouse.cost(hours, { by: [{ field: "cluster" }], namespace: null });
    expect(sums.map(({ values, total }) => [values[0], total]).sort()).toEqual([
      ["prod-eu", 4n],
      ["prod-us", 2n],
    ]);
  });

  it("of one kind go when they are older than asked for", async () => {
    const at = await bed();
    await count(at, usage({}), usage({ hourStartMs: HOUR + HOUR_MS, asOfMs: HOUR + HOUR_MS }));
    await count(at, batch({ kind: "node", rows: [nodeRow()] }));
    expect(await at.warehouse.retain("usage", HOUR + HOUR_MS, HOUR)).toBe(1);
    const left = await at.store.db.selectFrom("segments").select(["kind", "hour_start_ms"]).orderBy("kind").execute();
    expect(left).toEqual([
      { kind: "node", hour_start_ms: HOUR },
      { kind: "usage", hour_start_ms: HOUR + HOUR_MS },
    ]);
  });
});

describe("after a crash or a damaged disk", () => {
  const faultsOf = (said: readonly WarehouseFault[]) =>
    said.map(({ fault, detail }) => [fault, detail.replace(/\d+/g, "N")]);

  async function twoFiles(): Promise<{ at: Bed; said: WarehouseFault[]; paths: readonly string[] }> {
    const said: WarehouseFault[] = [];
    const at = await bed({ onFault: (fault) => said.push(fault) });
    await count(at, usage({ podUid: "a" }));
    await count(at, usage({ podUid: "b" }));
    const rows = await at.store.db.selectFrom("segments").select("path").execute();
    return { at, said, paths: rows.map(({ path }) => join(at.dataDir, path)) };
  }

  it.each<[string, (path: string) => void, WarehouseFault["fault"]]>([
    ["is missing", (path) => rmSync(path), "missing"],
    ["is cut off", (path) => truncateSync(path, 100), "damaged"],
    ["is empty", (path) => truncateSync(path, 0), "damaged"],
    ["has garbage in it", (path) => writeFileSync(path, "garbage".repeat(200), { flag: "r+" }), "damaged"],
    ["has grown", (path) => appendFileSync(path, "x"), "damaged"],
  ])("a file that %s leaves the answers, once and said so; the others stay", async (_, damage, fault) => {
    const { at, said, paths } = await twoFiles();
    damage(paths[0] ?? "");
    expect(await askUsage(at)).toMatchObject([{ pods: 1 }, { pods: 1 }]);
    expect(await askUsage(at)).toHaveLength(2);
    expect(said.map((each) => each.fault)).toEqual([fault]);
  });

  it("what is wrong is said at the start too, before anybody asks", async () => {
    const { at, said, paths } = await twoFiles();
    rmSync(paths[1] ?? "");
    expect(faultsOf(await at.warehouse.recover())).toEqual([["missing", "the ledger names it with N bytes"]]);
    expect(said).toHaveLength(1);
    expect(await at.warehouse.recover()).toEqual([]);
  });

  it("a file that was written and not committed is moved aside and said so", async () => {
    const { at, said } = await twoFiles();
    await at.warehouse.append([usage({ podUid: "c" })]);
    mkdirSync(join(at.dataDir, "segments/usage/2026-03-15"));
    writeFileSync(join(at.dataDir, "segments/usage/2026-03-15/00-torn.parquet"), "PAR1 torn");
    const faults = await at.warehouse.recover();
    expect(faults.map(({ fault }) => fault)).toEqual(["orphan", "orphan"]);
    expect(said).toEqual(faults);
    expect(readdirSync(join(at.dataDir, "orphans"))).toHaveLength(2);
    expect(await askUsage(at)).toMatchObject([{ pods: 2 }, { pods: 2 }]);
    expect(await at.warehouse.recover()).toEqual([]);
  });

  it("what a process that is gone left of its work is removed, what a living one works with is not", async () => {
    const { at } = await twoFiles();
    const mine = join(at.dataDir, "tmp", `${process.pid}-99`);
    for (const folder of [join(at.dataDir, "tmp", "999999999-1"), mine]) mkdirSync(folder, { recursive: true });
    const next = await openWarehouse({ dataDir: at.dataDir, store: at.store, threads: 1 });
    expect(readdirSync(join(at.dataDir, "tmp"))).not.toContain("999999999-1");
    expect(readdirSync(join(at.dataDir, "tmp"))).toContain(`${process.pid}-99`);
    await next.close();
  });

  it("a process that only asks leaves a damaged file out and changes nothing: the writer finds it", async () => {
    const { at, paths } = await twoFiles();
    const said: WarehouseFault[] = [];
    const reader = await openWarehouseReader({ ...at, threads: 1, onFault: (fault) => said.push(fault) });
    expect(await reader.usage(["prod-eu"], HOUR)).toHaveLength(2);
    truncateSync(paths[0] ?? "", 100);
    expect(await reader.usage(["prod-eu"], HOUR)).toMatchObject([{ pods: 1 }, { pods: 1 }]);
    expect(said).toMatchObject([{ fault: "damaged" }]);
    expect(await at.store.db.selectFrom("segments").select("id").where("state", "=", "live").execute()).toHaveLength(2);
    await reader.close();
  });

  it("a damaged file does not keep the others from being merged", async () => {
    const { at, paths } = await twoFiles();
    await count(at, usage({ podUid: "c" }));
    truncateSync(paths[0] ?? "", 100);
    await at.warehouse.compact(HOUR + 10 * HOUR_MS);
    expect(await at.warehouse.compact(HOUR + 10 * HOUR_MS)).toBe(1);
    expect(await askUsage(at)).toMatchObject([{ pods: 2 }, { pods: 2 }]);
  });
});
