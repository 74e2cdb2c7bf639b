import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR, HOUR_MS, held, keyOf, nodeRow, seal, usageRow } from "../../../../test/hub/facts.ts";
import { createIngest } from "../ingest/create-ingest.ts";
import { openLedger } from "../ledger/ledger.ts";
import { openQuarantine } from "../ledger/quarantine.ts";
import { createSpoolLosses } from "../ledger/spool-losses.ts";
import { openStore } from "../store/store.ts";
import { openWarehouse } from "../warehouse/warehouse.ts";
import { restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

const NOW = HOUR + 2 * HOUR_MS;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-backup-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The way for facts of a hub, on the folder that a hub would have. */
async function openHub(dataDir: string) {
  const store = await openStore({ sqlite: join(dataDir, "hub.sqlite") });
  await store.migrate();
  const warehouse = await openWarehouse({ dataDir, store, threads: 1 });
  const faults = await warehouse.recover();
  const ledger = openLedger(store);
  const ingest = createIngest({
    ledger,
    quarantine: openQuarantine(store),
    warehouse,
    clusterOf: async () => ({ incarnation: 1, gone: false }),
    now: () => NOW,
    commitEveryMs: 0,
  });
  const deliver = async (sequence: number): Promise<string> => {
    const resources = new Map([["cpu", held(BigInt(2 ** sequence), 1)]]);
    const rows = [usageRow({ podUid: `pod-${sequence}`, resources })];
    const { bytes } = seal(keyOf(sequence), { kind: "usage", rows });
    const answer = await ingest.ingestEnvelope(bytes, { clusterId: "prod-eu", name: "test" });
    return answer.kind === "ack" ? answer.verdict : answer.kind;
  };
  return {
    store,
    warehouse,
    ledger,
    faults,
    deliver,
    /** Bit n is set when batch n counts, once. */
    charged: async () => (await warehouse.usage(["prod-eu"], HOUR)).reduce((sum, group) => sum + group.charged, 0n),
    mark: () => ledger.mark(keyOf(1)),
    close: async () => {
      await ingest.stop();
      await warehouse.close();
      await store.close();
    },
  };
}

const bits = (last: number): bigint => 2n ** BigInt(last + 1) - 2n;
const order = (to: string) => ({
  dataDir: join(folder, "hub"),
  to: join(folder, to),
  withKeys: false,
  hubVersion: "1.2.3",
  nowMs: NOW,
});

describe("a backup of a hub that reads clusters itself", () => {
  it("has the places of meters as of before the store: none goes on from behind what the store has", async () => {
    const { dataDir, to } = order("backup");
    mkdirSync(join(dataDir, "pull"), { recursive: true });
    const hub = await openHub(dataDir);
    await hub.deliver(1);
    writeFileSync(join(dataDir, "pull", "prod-eu.json"), "{}");
    const manifest = await takeBackup(order("backup"));
    await hub.close();
    expect(manifest.files.map(({ path }) => path)).toContain("pull/prod-eu.json");
    const writtenAt = (path: string) => statSync(join(to, path), { bigint: true }).mtimeNs;
    expect(writtenAt("pull/prod-eu.json") <= writtenAt("hub.sqlite")).toBe(true);
  });
});

describe.each(["backup", "backup.tar"])("a backup to %s", (to) => {
  it("of a hub that delivers and merges meanwhile is restored as of one moment, and takes the rest again", async () => {
    const hub = await openHub(mkFolder("hub"));
    for (let sequence = 1; sequence <= 20; sequence += 1) await hub.deliver(sequence);
    let busy = true;
    let delivered = 20;
    const deliveries = (async () => {
      while (busy && delivered < 60) await hub.deliver(++delivered);
    })();
    const merges = (async () => {
      for (let round = 0; busy; round += 1) await hub.warehouse.compact(HOUR + (10 + round) * HOUR_MS);
    })();
    const manifest = await takeBackup(order(to));
    busy = false;
    await Promise.all([deliveries, merges]);
    expect(await hub.charged()).toBe(bits(delivered));
    await hub.close();
    expect(manifest).toMatchObject({ hubVersion: "1.2.3", withKeys: false, damaged: [] });
    expect(readdirSync(folder).sort()).toEqual([to, "hub"].sort());

    await restoreBackup({ from: join(folder, to), dataDir: join(folder, "restored"), nowMs: NOW });
    const restored = await openHub(join(folder, "restored"));
    const { contiguous } = await restored.mark();
    expect(contiguous).toBeGreaterThanOrEqual(20);
    expect(contiguous).toBe(manifest.counts.batches);
    expect(restored.faults).toEqual([]);
    expect(await restored.charged()).toBe(bits(contiguous));
    const verdicts: string[] = [];
    for (let sequence = 1; sequence <= delivered; sequence += 1) verdicts.push(await restored.deliver(sequence));
    expect(verdicts.filter((verdict) => verdict === "duplicate")).toHaveLength(contiguous);
    expect(await restored.charged()).toBe(bits(delivered));
    await restored.close();
  }, 60_000);

  it("is refused when one byte of it has changed or a file is missing, and nothing is restored", async () => {
    const hub = await openHub(mkFolder("hub"));
    for (const sequence of [1, 2]) await hub.deliver(sequence);
    await hub.close();
    await takeBackup(order(to));
    const from = join(folder, to);
    const dataDir = join(folder, "restored");
    const bytes = to.endsWith(".tar") ? readFileSync(from) : null;
    if (bytes) {
      const at = bytes.indexOf("PAR1");
      bytes[at + 40] = (bytes[at + 40] ?? 0) ^ 1;
      writeFileSync(from, bytes);
    } else appendFileSync(join(from, "hub.sqlite"), "x");
    await expect(restoreBackup({ from, dataDir, nowMs: NOW })).rejects.toMatchObject({ code: "backup_damaged" });
    truncateSync(to.endsWith(".tar") ? from : join(from, "manifest.json"), 700);
    await expect(restoreBackup({ from, dataDir, nowMs: NOW })).rejects.toMatchObject({
      code: expect.stringMatching(/^backup_(unreadable|damaged)$/),
    });
    expect(readdirSync(folder).sort()).toEqual([to, "hub"].sort());
  });
});

describe("what was acknowledged and is lost", () => {
  const gone = async (hub: Awaited<ReturnType<typeof openHub>>) => {
    const losses = createSpoolLosses(hub.store, hub.warehouse);
    await losses.heard({ clusterId: "prod-eu", incarnation: 1 }, [{ spoolId: "spool-a", firstSequence: 31 }]);
    await hub.deliver(31);
    await losses.settle(NOW);
    const gaps = await hub.warehouse.gaps(["prod-eu"], 0, NOW + HOUR_MS);
    return gaps.map(({ gap }) => [gap.reason, gap.lostSequences?.first, gap.lostSequences?.last]);
  };

  it("with the time after a backup becomes a gap of the restored hub", async () => {
    const hub = await openHub(mkFolder("hub"));
    for (let sequence = 1; sequence <= 20; sequence += 1) await hub.deliver(sequence);
    await takeBackup(order("backup"));
    for (let sequence = 21; sequence <= 30; sequence += 1) await hub.deliver(sequence);
    await hub.close();
    await restoreBackup({ from: join(folder, "backup"), dataDir: join(folder, "restored"), nowMs: NOW });
    const restored = await openHub(join(folder, "restored"));
    expect(await gone(restored)).toEqual([["hub_restored", 21, 30]]);
    expect(await restored.mark()).toMatchObject({ contiguous: 31, ranges: [] });
    await restored.close();
  }, 60_000);

  it("with the end of the store's log becomes a gap, and its files are moved aside", async () => {
    const hub = await openHub(mkFolder("hub"));
    for (let sequence = 1; sequence <= 30; sequence += 1) await hub.deliver(sequence);
    cpSync(join(folder, "hub"), join(folder, "dead"), { recursive: true });
    await hub.close();
    const log = join(folder, "dead", "hub.sqlite-wal");
    truncateSync(log, Math.floor(statSync(log).size * 0.8));
    rmSync(join(folder, "dead", "hub.sqlite-shm"), { force: true });
    const dead = await openHub(join(folder, "dead"));
    const { contiguous } = await dead.mark();
    expect(contiguous).toBeGreaterThan(0);
    expect(contiguous).toBeLessThan(30);
    expect(dead.faults.length).toBe(30 - contiguous);
    expect(await gone(dead)).toEqual([["batches_lost", contiguous + 1, 30]]);
    await dead.close();
  }, 60_000);
});

describe("a backup", () => {
  it("has no key in it unless asked for", async () => {
    const hub = await openHub(mkFolder("hub"));
    await hub.close();
    for (const name of ["sealing-key", "admin-token"]) writeFileSync(join(folder, "hub", name), "secret\n");
    await takeBackup(order("without"));
    await takeBackup({ ...order("with"), withKeys: true });
    expect(readdirSync(join(folder, "without")).sort()).toEqual(["hub.sqlite", "manifest.json"]);
    expect(readdirSync(join(folder, "with")).sort()).toEqual([
      "admin-token",
      "hub.sqlite",
      "manifest.json",
      "sealing-key",
    ]);
  });

  it("says what was missing or damaged in the hub; the restored hub leaves it out and records gaps", async () => {
    const hub = await openHub(mkFolder("hub"));
    for (const sequence of [1, 2, 3]) await hub.deliver(sequence);
    const segments = await hub.store.db.selectFrom("segments").select("path").orderBy("path").execute();
    await hub.close();
    const [missing = "", damaged = ""] = segments.map(({ path }) => path);
    rmSync(join(folder, "hub", missing));
    writeFileSync(join(folder, "hub", damaged), "garbage", { flag: "r+" });
    expect((await takeBackup(order("backup"))).damaged).toEqual([missing, damaged]);
    await restoreBackup({ from: join(folder, "backup"), dataDir: join(folder, "restored"), nowMs: NOW });
    const restored = await openHub(join(folder, "restored"));
    expect(restored.faults.map(({ fault }) => fault)).toEqual(["missing", "missing"]);
    await restored.warehouse.compact(NOW);
    expect(await restored.warehouse.gaps(["prod-eu"], HOUR, HOUR + HOUR_MS)).toMatchObject([
      { gap: { reason: "segment_lost", missing: "usage" } },
    ]);
    await restored.close();
  });

  it("is not written over anything, nor restored into anything, nor taken of nothing", async () => {
    const hub = await openHub(mkFolder("hub"));
    await hub.deliver(1);
    await hub.close();
    cpSync(join(folder, "hub"), join(folder, "taken"), { recursive: true });
    await expect(takeBackup(order("taken"))).rejects.toMatchObject({ code: "backup_target_taken" });
    await takeBackup(order("backup"));
    const into = { from: join(folder, "backup"), dataDir: join(folder, "taken"), nowMs: NOW };
    await expect(restoreBackup(into)).rejects.toMatchObject({ code: "restore_target_taken" });
    await expect(takeBackup({ ...order("other"), dataDir: folder })).rejects.toMatchObject({
      code: "backup_source_missing",
    });
    await expect(
      restoreBackup({ ...into, from: join(folder, "hub"), dataDir: join(folder, "new") }),
    ).rejects.toMatchObject({
      code: "backup_unreadable",
    });
    expect(existsSync(join(folder, "new"))).toBe(false);
  });

  it("keeps the hub's nodes and prices to price again", async () => {
    const hub = await openHub(mkFolder("hub"));
    await hub.deliver(1);
    const batch = { key: keyOf(9), facts: { kind: "node", rows: [nodeRow()] } } as const;
    await hub.ledger.commit({ entries: [], ...(await hub.warehouse.append([batch])), nowMs: NOW });
    const hours = await hub.store.db.selectFrom("cost_hours").selectAll().execute();
    await hub.close();
    await takeBackup(order("backup"));
    await restoreBackup({ from: join(folder, "backup"), dataDir: join(folder, "restored"), nowMs: NOW });
    const restored = await openHub(join(folder, "restored"));
    expect(await restored.store.db.selectFrom("cost_hours").selectAll().execute()).toEqual(hours);
    expect(await restored.warehouse.nodes(["prod-eu"], HOUR, HOUR + HOUR_MS)).toHaveLength(1);
    await restored.close();
  });
});

function mkFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
