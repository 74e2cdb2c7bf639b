import { existsSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeSampleColumns, encodeSampleBatch } from "@plimsoll/contracts/wire";
import { afterEach, describe, expect, it } from "vitest";
import type { Store } from "../../packages/hub/src/store/store.ts";
import { type Disk, REAL_DISK } from "../../packages/hub/src/warehouse/disk.ts";
import type { FactBatch, FactRows } from "../../packages/hub/src/warehouse/fact-batch.ts";
import { openWarehouse, type Warehouse, type WarehouseConfig } from "../../packages/hub/src/warehouse/warehouse.ts";
import { costRecord } from "../store/cost-records.ts";
import { type Bed, gapRow, HOUR, HOUR_MS, held, keyOf, nodeRow, openBed, sampleRow, usageRow } from "./facts.ts";

const CLUSTERS = ["prod-eu", "prod-us"];
const DAY_MS = 24 * HOUR_MS;
const DAY = HOUR - (HOUR % DAY_MS);
/** Some hours of two days, the first and the last of a day among them. */
const HOURS = [0, 9, 23, 24].map((hour) => DAY + hour * HOUR_MS);
/** 9,007,199.254740993, of which a double makes …992. */
const AMOUNT = 9_007_199_254_740_993n;

const open: Bed[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

let sequence = 0;
function batch(facts: FactRows, clusterId: string): FactBatch {
  sequence += 1;
  return { key: keyOf(sequence, { clusterId }), facts };
}

/** Facts of every kind in many small files: each row twice, the older word in a later file; priced hours, one priced twice. */
async function filled(change: Partial<WarehouseConfig> = {}): Promise<Bed> {
  const at = await openBed(change);
  open.push(at);
  const { warehouse, ledger, store } = at;
  const count = async (batches: readonly FactBatch[]): Promise<void> =>
    ledger.commit({ entries: [], ...(await warehouse.append(batches)), nowMs: HOUR });
  for (const minutes of [60, 30]) {
    for (const clusterId of CLUSTERS) {
      for (const hour of HOURS) await count(factsOf(clusterId, hour, minutes));
    }
  }
  for (const revision of [1, 2]) {
    for (const hourStartMs of HOURS) {
      if (revision === 2 && hourStartMs !== HOURS[1]) continue;
      const written = await warehouse.writeCost(
        CLUSTERS.map((clusterId) =>
          costRecord({ clusterId }, { hourStartMs, revision, cost: AMOUNT + BigInt(revision) }),
        ),
      );
      await store.write(async (trx) => {
        await trx.updateTable("cost_hours").set({ revision }).where("hour_start_ms", "=", hourStartMs).execute();
        await written.count(trx, HOUR);
      });
    }
  }
  return at;
}

function factsOf(clusterId: string, hourStartMs: number, minutes: number): readonly FactBatch[] {
  const asOfMs = hourStartMs + minutes * 60_000;
  const resources = new Map([["cpu", held(AMOUNT, minutes)]]);
  const pods = ["a", "b"].map((podUid) =>
    usageRow({ podUid, hourStartMs, asOfMs, billedMs: minutes * 60_000, resources }),
  );
  const sample = sampleRow({ windowStartMs: hourStartMs, windowMs: Math.min(minutes, 60) * 60_000 });
  return [
    batch({ kind: "usage", rows: pods }, clusterId),
    batch({ kind: "node", rows: [nodeRow({ hourStartMs, asOfMs, presentMs: minutes * 60_000 })] }, clusterId),
    batch({ kind: "sample", blocks: decodeSampleColumns(encodeSampleBatch([sample])) }, clusterId),
    batch({ kind: "gap", rows: [gapRow({ startMs: hourStartMs + 60_000, endMs: null, asOfMs })] }, clusterId),
  ];
}

/** Everything that can be asked, in an order of its own. */
async function ask(warehouse: Pick<Warehouse, "usage" | "nodes" | "gaps" | "nodeSamples" | "cost">, store: Store) {
  const priced = await store.db
    .selectFrom("cost_hours")
    .select(["cluster_id as clusterId", "hour_start_ms as hourStartMs", "revision"])
    .execute();
  const usage = await Promise.all(HOURS.map((hour) => warehouse.usage(CLUSTERS, hour)));
  return {
    usage: usage.flatMap((groups) =>
      groups.map(({ place, charged, pods }) => `${place.clusterId} ${charged} ${pods}`).sort(),
    ),
    nodes: await warehouse.nodes(CLUSTERS, DAY, DAY + 2 * DAY_MS),
    samples: await warehouse.nodeSamples(CLUSTERS, DAY),
    gaps: await warehouse.gaps(CLUSTERS, DAY, DAY + 2 * DAY_MS),
    late: await warehouse.gaps(CLUSTERS, HOUR + 10 * 60_000, HOUR + 12 * 60_000),
    cost: (await warehouse.cost(priced, { by: [{ field: "cluster" }], namespace: null }))
      .map(({ values, total }) => `${values[0]} ${total}`)
      .sort(),
  };
}

/** What a day's upkeep does, round by round: hours while the day runs, then the days. */
const ROUNDS = [HOUR, DAY + DAY_MS, DAY + 2 * DAY_MS, DAY + 3 * DAY_MS, DAY + 3 * DAY_MS + HOUR_MS];

describe("merging", () => {
  it("makes one file of a kind and day, with the newest rows only, and then has nothing more to do", async () => {
    const at = await filled();
    const before = await ask(at.warehouse, at.store);
    expect(before.cost).toEqual(CLUSTERS.map((id) => `${id} ${4n * (AMOUNT + 1n) + 1n}`));
    for (const nowMs of ROUNDS) {
      await at.warehouse.compact(nowMs);
      expect(await ask(at.warehouse, at.store)).toEqual(before);
    }
    const files = await at.store.db.selectFrom("segments").select(["kind", "rows"]).orderBy("kind").execute();
    const days = (kind: string, first: number, second: number) => [
      { kind, rows: first },
      { kind, rows: second },
    ];
    const found = files.toSorted((a, b) => (a.kind === b.kind ? b.rows - a.rows : a.kind < b.kind ? -1 : 1));
    expect(found).toEqual([
      ...days("cost", 6, 2),
      ...days("gap", 6, 2),
      ...days("node", 18, 6),
      ...days("sample", 6, 2),
      ...days("usage", 12, 4),
    ]);
    expect(await at.warehouse.compact(DAY + 4 * DAY_MS)).toBe(0);
  }, 60_000);

  it("takes late facts of a day that was merged, once they have stopped coming", async () => {
    const at = await filled();
    for (const nowMs of ROUNDS) await at.warehouse.compact(nowMs);
    const late = DAY + 5 * DAY_MS;
    const facts = await at.warehouse.append(factsOf("prod-eu", HOURS[1] ?? 0, 61));
    await at.ledger.commit({ entries: [], ...facts, nowMs: late });
    const before = await ask(at.warehouse, at.store);
    expect(await at.warehouse.compact(late + 60_000)).toBe(0);
    expect(await at.warehouse.compact(late + 11 * 60_000)).toBe(4);
    expect(await ask(at.warehouse, at.store)).toEqual(before);
  }, 60_000);

  it("sums quiet days, and answers from the sums only what they hold exactly", async () => {
    const at = await filled({ sumFromRows: 1 });
    const sums = () => at.store.db.selectFrom("segments").select("rows").where("kind", "=", "cost_day").execute();
    const priced = () =>
      at.store.db
        .selectFrom("cost_hours")
        .select(["cluster_id as clusterId", "hour_start_ms as hourStartMs", "revision"])
        .orderBy("cluster_id")
        .orderBy("hour_start_ms")
        .execute();
    const hours = await priced();
    const windows = [
      hours,
      hours.slice(1),
      hours.slice(0, 4),
      hours.filter(({ clusterId }) => clusterId === "prod-us"),
    ];
    const by = { by: [{ field: "cluster" }, { label: "app" }], namespace: null } as const;
    const answers = () =>
      Promise.all(
        windows.map(async (window) =>
          (await at.warehouse.cost(window, by)).toSorted((a, b) => `${a.values}`.localeCompare(`${b.values}`)),
        ),
      );
    const before = await answers();
    for (const nowMs of ROUNDS) await at.warehouse.compact(nowMs);
    expect(await sums()).toEqual([{ rows: 2 }, { rows: 2 }]);
    expect(await answers()).toEqual(before);
    // An hour is priced again: the sum of its day is not what is asked for any more, until it is made again.
    const again = [{ clusterId: "prod-eu", hourStartMs: HOUR, revision: 3 }];
    const written = await at.warehouse.writeCost([costRecord({}, { hourStartMs: HOUR, revision: 3, cost: 5n })]);
    await at.store.write(async (trx) => {
      await trx
        .updateTable("cost_hours")
        .set({ revision: 3 })
        .where("hour_start_ms", "=", HOUR)
        .where("cluster_id", "=", "prod-eu")
        .execute();
      await written.count(trx, DAY + 3 * DAY_MS);
    });
    const total = async () =>
      (await at.warehouse.cost(await priced(), { by: [], namespace: null })).map((sum) => sum.total);
    const expected = [8n * (AMOUNT + 1n) + 1n - (AMOUNT + 2n) + 5n + 1n];
    expect(await at.warehouse.cost(again, { by: [], namespace: null })).toMatchObject([{ total: 5n }]);
    expect(await total()).toEqual(expected);
    for (const later of [1, 2]) await at.warehouse.compact(DAY + (3 + later) * DAY_MS);
    expect(await total()).toEqual(expected);
    expect(await sums()).toHaveLength(2);
  }, 60_000);

  it("changes no answer that is asked for meanwhile", async () => {
    const at = await filled();
    const before = await ask(at.warehouse, at.store);
    let merging = true;
    const reader = async (): Promise<number> => {
      let questions = 0;
      while (merging) {
        expect(await ask(at.warehouse, at.store)).toEqual(before);
        questions += 1;
      }
      return questions;
    };
    const readers = [reader(), reader()];
    for (const nowMs of ROUNDS) await at.warehouse.compact(nowMs);
    merging = false;
    const questions = await Promise.all(readers);
    expect(Math.min(...questions)).toBeGreaterThan(1);
  }, 60_000);

  it("loses and doubles nothing when it is cut off at any step", async () => {
    const at = await filled();
    const before = await ask(at.warehouse, at.store);
    const nowMs = DAY + 3 * DAY_MS;
    let orphans = 0;
    let steps = 0;
    for (let done = false; !done; ) {
      steps += 1;
      const dying = dieAt(steps, at.store);
      const cut = await openWarehouse({ dataDir: at.dataDir, threads: 1, ...dying });
      done = await cut.compact(nowMs).then(
        () => true,
        () => false,
      );
      await cut.close();
      // A new process: nothing of the old one but its files and its ledger.
      const next = await openWarehouse({ dataDir: at.dataDir, store: at.store, threads: 1 });
      const faults = await next.recover();
      expect(faults.filter(({ fault }) => fault !== "orphan")).toEqual([]);
      orphans += faults.length;
      expect(await ask(next, at.store)).toEqual(before);
      await next.close();
    }
    expect(orphans).toBeGreaterThan(3);
    expect(steps).toBeGreaterThan(8);
    const files = await at.store.db.selectFrom("segments").select("kind").execute();
    expect(files).toHaveLength(10);
  }, 120_000);

  it("does not carry a damaged file on: it leaves the answers, and its clusters get a gap", async () => {
    const at = await filled();
    const usage = await at.store.db.selectFrom("segments").select("path").where("kind", "=", "usage").execute();
    const path = join(at.dataDir, usage[0]?.path ?? "");
    const bytes = REAL_DISK.probe(path);
    // The same size and the same end: only its hash tells.
    const size = (await bytes)?.bytes ?? 0;
    writeFileSync(path, "garbage", { flag: "r+" });
    expect((await REAL_DISK.probe(path))?.bytes).toBe(size);
    await at.warehouse.compact(DAY + 3 * DAY_MS);
    await at.warehouse.compact(DAY + 3 * DAY_MS + HOUR_MS);
    const gaps = await at.warehouse.gaps(CLUSTERS, DAY, DAY + HOUR_MS);
    expect(gaps.filter(({ gap }) => gap.reason === "segment_lost")).toMatchObject([
      { clusterId: "prod-eu", gap: { startMs: DAY, endMs: DAY + HOUR_MS, missing: "usage" } },
    ]);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(at.dataDir, "orphans"))).toHaveLength(1);
    expect(await at.store.db.selectFrom("segments").select("id").where("state", "=", "broken").execute()).toEqual([]);
  }, 60_000);
});

/** A disk and a store of a process that ends at its n-th step; what it had written and not flushed is torn. */
function dieAt(step: number, store: Store): { readonly disk: Disk; readonly store: Store } {
  let left = step;
  const look = <T>(work: () => Promise<T>): Promise<T> =>
    left > 0 ? work() : Promise.reject(new Error("the process is gone"));
  const change = <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1;
    return look(work);
  };
  const disk: Disk = {
    makeFolder: (root, path) => change(() => REAL_DISK.makeFolder(root, path)),
    flushFile: (path) => {
      if (left === 1) truncateSync(path, 10);
      return change(() => REAL_DISK.flushFile(path));
    },
    flushFolder: (path) => change(() => REAL_DISK.flushFolder(path)),
    move: (from, to) => change(() => REAL_DISK.move(from, to)),
    remove: (path) => change(() => REAL_DISK.remove(path)),
    list: (folder) => look(() => REAL_DISK.list(folder)),
    probe: (path) => look(() => REAL_DISK.probe(path)),
    hash: (path) => look(() => REAL_DISK.hash(path)),
  };
  return { disk, store: { ...store, write: (work) => change(() => store.write(work)) } };
}
