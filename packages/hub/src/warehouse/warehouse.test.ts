import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
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
import { costRecord as costRecordOf } from "../../../../test/store/cost-records.ts";
import { MemoryWarehouse } from "../../../../test/store/memory-warehouse.ts";
import { warehouseConformance } from "../../../../test/store/warehouse-conformance.ts";
import type { CostPlace, CostRecord } from "./cost-record.ts";
import { type Disk, REAL_DISK } from "./disk.ts";
import type { FactBatch, FactRows } from "./fact-batch.ts";
import { openWarehouse, openWarehouseReader, type WarehouseConfig } from "./warehouse.ts";
import type { WarehouseFault } from "./warehouse-port.ts";

const OTHER_PLACE: Partial<CostPlace> = { clusterId: "prod-us" };

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

const costRecord = ({ place, ...change }: Omit<Partial<CostRecord>, "place"> & { place?: Partial<CostPlace> } = {}) =>
  costRecordOf(place, change);

async function countCost({ warehouse, ledger }: Bed, ...records: readonly CostRecord[]): Promise<void> {
  const written = await warehouse.writeCost(records);
  await ledger.commit({ entries: [], written, touched: [], gapped: [], nowMs: HOUR });
}

describe("the warehouse on files", () => {
  warehouseConformance(() => openBed());

  it("does not count before the ledger names it", async () => {
    const at = await bed();
    await at.warehouse.append([usage({})]);
    expect(await askUsage(at)).toEqual([]);
  });
});

describe("the reference warehouse", () => {
  warehouseConformance(async () => {
    const at = await openBed();
    return { ...at, warehouse: new MemoryWarehouse(at.store) };
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
  const LIVE = { state: "live" };
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

  it("a file that cannot be looked at for now stays: nobody knows that it is missing", async () => {
    const { at, said, paths } = await twoFiles();
    const tooMany = async () =>
      Promise.reject(Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" }));
    const disk: Disk = { ...REAL_DISK, probe: tooMany, hash: tooMany };
    const warehouse = await openWarehouse({ ...at, threads: 1, disk, onFault: (fault) => said.push(fault) });
    const away = join(at.dataDir, "away");
    renameSync(paths[0] ?? "", away);
    await expect(warehouse.usage(["prod-eu"], HOUR)).rejects.toMatchObject({ code: "warehouse_unavailable" });
    await expect(warehouse.recover()).rejects.toMatchObject({ code: "warehouse_unavailable" });
    renameSync(away, paths[0] ?? "");
    expect(said).toEqual([]);
    expect(await at.store.db.selectFrom("segments").select("state").execute()).toEqual([LIVE, LIVE]);
    await warehouse.close();
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
    const mine = readdirSync(join(at.dataDir, "tmp"));
    const other = `${process.ppid}-abcd1234-1`;
    // In a container the process before had the same id.
    const gone = ["999999999-abcd1234-1", `${process.pid}-abcd1234-1`];
    for (const name of [...gone, other]) mkdirSync(join(at.dataDir, "tmp", name));
    const next = await openWarehouse({ dataDir: at.dataDir, store: at.store, threads: 1 });
    const left = readdirSync(join(at.dataDir, "tmp"));
    for (const name of gone) expect(left).not.toContain(name);
    expect(left).toEqual(expect.arrayContaining([...mine, other]));
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
