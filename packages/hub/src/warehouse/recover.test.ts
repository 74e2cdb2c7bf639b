import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Bed, HOUR, HOUR_MS, keyOf, openBed, usageRow } from "../../../../test/hub/facts.ts";
import type { Store } from "../store/store.ts";
import { openWarehouse, type Warehouse } from "./warehouse.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function bedOf(files: number): Promise<Bed> {
  const at = await openBed();
  open.push(at);
  await at.warehouse.recover();
  for (let i = 0; i < files; i += 1) await deliver(at, i);
  return at;
}

async function deliver(at: Bed, day: number): Promise<void> {
  const hourStartMs = HOUR + day * 24 * HOUR_MS;
  const row = usageRow({ podUid: `pod-${day}`, hourStartMs, asOfMs: hourStartMs + 1 });
  const batch = { key: keyOf(day), facts: { kind: "usage", rows: [row] } } as const;
  await at.ledger.commit({ entries: [], ...(await at.warehouse.append([batch])), nowMs: HOUR });
}

async function openAt(dataDir: string, store: Store): Promise<Warehouse> {
  const warehouse = await openWarehouse({ dataDir, store, threads: 1 });
  open.push(warehouse);
  return warehouse;
}

const statesOf = async ({ store }: Bed) => {
  const rows = await store.db.selectFrom("segments").select(["kind", "state"]).orderBy("kind").execute();
  return rows.map(({ kind, state }) => `${kind} ${state}`);
};
const LATER = HOUR + 90 * 24 * HOUR_MS;
const LIVE = ["usage live", "usage live", "usage live"];

describe("a hub that starts in the wrong folder", () => {
  it("is refused, nothing is changed, and the right one is as it was", async () => {
    const at = await bedOf(3);
    const wrong = await openAt(join(at.dataDir, "empty"), at.store);
    const refused = { code: "segments_missing", fields: { folder: join(at.dataDir, "empty"), missing: 3, total: 3 } };
    await expect(wrong.recover()).rejects.toMatchObject(refused);
    expect(await statesOf(at)).toEqual(LIVE);
    expect(await at.warehouse.recover()).toEqual([]);
  });

  it("is refused in the folder of another store, whose files stay where they are", async () => {
    const [at, other] = [await bedOf(0), await bedOf(2)];
    const wrong = await openAt(other.dataDir, at.store);
    await expect(wrong.recover()).rejects.toMatchObject({ code: "data_dir_foreign" });
    const empty = await openBed();
    open.push(empty);
    const anew = await openAt(other.dataDir, empty.store);
    await expect(anew.recover()).rejects.toMatchObject({ code: "data_dir_foreign" });
    expect(existsSync(join(other.dataDir, "orphans"))).toBe(false);
  });

  it("may be given the files first and then start: a restore into a new folder", async () => {
    const at = await bedOf(3);
    const restored = join(at.dataDir, "restored");
    cpSync(join(at.dataDir, "segments"), join(restored, "segments"), { recursive: true });
    const warehouse = await openAt(restored, at.store);
    expect(await warehouse.recover()).toEqual([]);
    expect(readdirSync(restored)).toContain("folder-id");
    expect(await warehouse.usage(["prod-eu"], HOUR)).toHaveLength(2);
  });
});

describe("files that are gone while the hub runs", () => {
  const askAll = async (at: Bed) => {
    for (let day = 0; day < 3; day += 1) await at.warehouse.usage(["prod-eu"], HOUR + day * 24 * HOUR_MS);
  };

  it("are not taken for lost when they are all of them, and count again when they are back", async () => {
    const at = await bedOf(3);
    renameSync(join(at.dataDir, "segments"), join(at.dataDir, "away"));
    mkdirSync(join(at.dataDir, "segments"));
    await askAll(at);
    expect(await statesOf(at)).toEqual(["usage broken", "usage broken", "usage broken"]);
    await expect(at.warehouse.compact(LATER)).rejects.toMatchObject({ code: "segments_missing" });
    expect(await statesOf(at)).toEqual(["usage broken", "usage broken", "usage broken"]);
    rmSync(join(at.dataDir, "segments"), { recursive: true });
    renameSync(join(at.dataDir, "away"), join(at.dataDir, "segments"));
    await at.warehouse.compact(LATER);
    expect(await statesOf(at)).toEqual(LIVE);
  });

  it("become gaps once a person says that they are lost, and the next loss is asked about again", async () => {
    const at = await bedOf(3);
    rmSync(join(at.dataDir, "segments"), { recursive: true });
    writeFileSync(join(at.dataDir, "accept-loss"), "");
    const warehouse = await openAt(at.dataDir, at.store);
    expect(await warehouse.recover()).toHaveLength(3);
    await warehouse.compact(HOUR);
    expect(await statesOf(at)).toEqual(["gap live", "gap live", "gap live"]);
    expect(existsSync(join(at.dataDir, "accept-loss"))).toBe(false);
  });
});
