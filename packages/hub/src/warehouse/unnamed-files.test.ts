import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Bed, gapRow, HOUR, HOUR_MS, keyOf, openBed, seal, usageRow } from "../../../../test/hub/facts.ts";
import { createIngest } from "../ingest/create-ingest.ts";
import { liveSegmentsOfAllKinds } from "../ledger/segment-rows.ts";
import { REAL_DISK } from "./disk.ts";
import type { FactBatch } from "./fact-batch.ts";
import { openWarehouse } from "./warehouse.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function bed(): Promise<Bed> {
  const at = await openBed();
  open.push(at);
  return at;
}

const filesOf = (at: Bed): number =>
  readdirSync(join(at.dataDir, "segments"), { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    .length;
const MINUTE_MS = 60_000;
const usage = (podUid: string, hourStartMs = HOUR): FactBatch => ({
  key: keyOf(1),
  facts: { kind: "usage", rows: [usageRow({ podUid, hourStartMs, asOfMs: hourStartMs + 1 })] },
});

/** Delivers a batch whose commit ends so. */
async function deliver(at: Bed, commit: Bed["ledger"]["commit"]): Promise<string> {
  const ingest = createIngest({
    ...at,
    ledger: { ...at.ledger, commit },
    clusterOf: async () => ({ incarnation: 1, gone: false }),
    now: () => HOUR + HOUR_MS,
    commitEveryMs: 0,
  });
  const { bytes } = seal(keyOf(1), { kind: "usage", rows: [usageRow()] });
  const { kind } = await ingest.ingestEnvelope(bytes, { clusterId: "prod-eu", name: "test" });
  await ingest.stop();
  return kind;
}

describe("files of a commit that failed", () => {
  it("go after some minutes, not before: a full disk does not fill itself", async () => {
    const at = await bed();
    const full = async () => Promise.reject(new Error("database or disk is full"));
    for (let times = 1; times <= 3; times += 1) {
      expect(await deliver(at, full)).toBe("retry");
      expect(filesOf(at)).toBe(times);
    }
    await at.warehouse.compact(HOUR);
    await at.warehouse.compact(HOUR + 4 * MINUTE_MS);
    expect(filesOf(at)).toBe(3);
    await at.warehouse.compact(HOUR + 5 * MINUTE_MS);
    expect(filesOf(at)).toBe(0);
  });

  it("stay when it was made after all", async () => {
    const at = await bed();
    const lost: Bed["ledger"]["commit"] = async (commit) => {
      await at.ledger.commit(commit);
      throw new Error("Connection terminated unexpectedly");
    };
    expect(await deliver(at, lost)).toBe("retry");
    for (const minutes of [0, 5, 10]) await at.warehouse.compact(HOUR + minutes * MINUTE_MS);
    expect(filesOf(at)).toBe(1);
    expect(await at.warehouse.usage(["prod-eu"], HOUR)).toHaveLength(2);
  });

  it("of another process stay: it may be committing them", async () => {
    const at = await bed();
    const other = await openWarehouse({ dataDir: at.dataDir, store: at.store, threads: 1 });
    open.push(other);
    const { written } = await other.append([usage("a")]);
    for (const minutes of [0, 5, 10]) await at.warehouse.compact(HOUR + minutes * MINUTE_MS);
    await at.store.write((trx) => written.count(trx, HOUR));
    expect(await at.warehouse.usage(["prod-eu"], HOUR)).toHaveLength(2);
  });
});

describe("files of what could not be written", () => {
  it("go at once, those that were whole too", async () => {
    const at = await bed();
    let left = 2;
    const flushFile: typeof REAL_DISK.flushFile = async (path) => {
      left -= 1;
      if (left < 0) throw new Error("ENOSPC: no space left on device");
      return REAL_DISK.flushFile(path);
    };
    const warehouse = await openWarehouse({
      dataDir: at.dataDir,
      store: at.store,
      threads: 1,
      disk: { ...REAL_DISK, flushFile },
    });
    open.push(warehouse);
    const gap: FactBatch = { key: keyOf(2), facts: { kind: "gap", rows: [gapRow()] } };
    const batches = [usage("a"), usage("b", HOUR + HOUR_MS), gap];
    await expect(warehouse.append(batches)).rejects.toMatchObject({ code: "warehouse_unavailable" });
    expect(filesOf(at)).toBe(0);
    left = 10;
    for (const podUid of ["a", "b"]) {
      const { written } = await warehouse.append([usage(podUid)]);
      await at.store.write((trx) => written.count(trx, HOUR));
    }
    left = 0;
    await expect(warehouse.compact(HOUR + 30 * HOUR_MS)).rejects.toMatchObject({ code: "warehouse_unavailable" });
    expect(filesOf(at)).toBe(2);
    expect(await liveSegmentsOfAllKinds(at.store.db)).toHaveLength(2);
  });
});
