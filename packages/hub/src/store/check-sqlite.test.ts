import {
  cpSync,
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
import { openStore } from "./store.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-crash-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name = ""): string => join(folder, "dead", `hub.sqlite${name}`);

/** The folder of a hub that was killed: its last commits are in the log alone, and facts lie beside the store. */
async function killed(): Promise<void> {
  mkdirSync(join(folder, "live", "segments", "usage"), { recursive: true });
  const store = await openStore({ sqlite: join(folder, "live", "hub.sqlite") });
  await store.migrate();
  for (let key = 0; key < 50; key += 1) await put(store, key);
  writeFileSync(join(folder, "live", "segments", "usage", "facts.parquet"), "PAR1");
  cpSync(join(folder, "live"), join(folder, "dead"), { recursive: true });
  rmSync(file("-shm"), { force: true });
  await store.close();
}

const put = (store: Awaited<ReturnType<typeof openStore>>, key: number) =>
  store.write((trx) =>
    trx
      .insertInto("settings")
      .values({ key: `${key}`, value: "1".repeat(500), updated_at_ms: 0 })
      .execute(),
  );

async function settings(): Promise<number> {
  const store = await openStore({ sqlite: file() });
  await store.migrate();
  const rows = await store.db.selectFrom("settings").select("key").execute();
  // It can be written again.
  await put(store, 100);
  await store.close();
  return rows.length;
}

describe("a store after a crash", () => {
  it("has every commit, also those that are in the log alone", async () => {
    await killed();
    expect(statSync(file("-wal")).size).toBeGreaterThan(0);
    expect(await settings()).toBe(50);
  });

  it.each([0.3, 0.6, 0.9])("with its log cut at %d of its length has the commits up to there", async (share) => {
    await killed();
    truncateSync(file("-wal"), Math.floor(statSync(file("-wal")).size * share));
    const left = await settings();
    expect(left).toBeLessThan(50);
  });

  it("with garbage in its log has the commits up to there", async () => {
    await killed();
    const bytes = readFileSync(file("-wal"));
    bytes.fill(0x5a, Math.floor(bytes.length * 0.8), Math.floor(bytes.length * 0.8) + 4_096);
    writeFileSync(file("-wal"), bytes);
    const left = await settings();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(50);
  });

  it.each<[string, string, () => void]>([
    ["that is empty", "store_lost", () => truncateSync(file(), 0)],
    ["that is gone", "store_lost", () => rmSync(file())],
    [
      "whose first page is garbage",
      "store_damaged",
      () => writeFileSync(file(), "garbage ".repeat(20), { flag: "r+" }),
    ],
    ["that is no database", "store_damaged", () => writeFileSync(file(), "not a database at all ".repeat(1_000))],
    ["with a garbage page in its middle", "store_damaged", garbagePage],
    ["that was cut off", "store_damaged", () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
  ])("%s is refused with the remedy, and nothing is changed or deleted", async (_, code, damage) => {
    await killed();
    await checkpoint();
    damage();
    const before = contents();
    await expect(openStore({ sqlite: file() })).rejects.toMatchObject({
      code,
      remedy: expect.stringContaining("plimsoll restore"),
    });
    expect(contents()).toEqual(before);
  });

  it("is new where there are no facts", async () => {
    await killed();
    rmSync(join(folder, "dead"), { recursive: true });
    mkdirSync(join(folder, "dead", "segments"), { recursive: true });
    expect(await settings()).toBe(0);
  });
});

/** Everything into the file itself, as a hub that was stopped leaves it. */
async function checkpoint(): Promise<void> {
  await (await openStore({ sqlite: file() })).close();
}

function garbagePage(): void {
  const bytes = readFileSync(file());
  for (let page = 5; page * 4_096 < bytes.length; page += 1) bytes.fill(0xa5, page * 4_096, page * 4_096 + 64);
  writeFileSync(file(), bytes);
}

function contents(): readonly string[] {
  const names = readdirSync(join(folder, "dead"), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !/-shm$|-wal$/.test(entry.name))
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name)).toString("base64")}`)
    .sort();
}
