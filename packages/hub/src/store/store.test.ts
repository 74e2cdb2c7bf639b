import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { storeConformance } from "../../../../test/store/conformance.ts";
import { openStore } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-store-"));
let files = 0;
function nextFile(): string {
  files += 1;
  return join(folder, `${files}.sqlite`);
}
afterAll(() => rmSync(folder, { recursive: true }));

describe("the control store in a SQLite file", () => {
  storeConformance(async () => {
    const store = await openStore({ sqlite: nextFile() });
    await store.migrate();
    return store;
  });

  it("flushes every commit and writes ahead", async () => {
    const { db, close } = await openStore({ sqlite: nextFile() });
    const pragma = async (name: string) => (await sql`select * from ${sql.raw(`pragma_${name}`)}`.execute(db)).rows[0];
    expect(await pragma("journal_mode")).toEqual({ journal_mode: "wal" });
    expect(await pragma("synchronous")).toEqual({ synchronous: 2 });
    expect(await pragma("foreign_keys")).toEqual({ foreign_keys: 1 });
    await close();
  });

  it("serves two processes: a transaction waits for the other's to end", async () => {
    const sqlite = nextFile();
    const [one, two] = await Promise.all([openStore({ sqlite }), openStore({ sqlite })]);
    await one.migrate();
    expect(await two.migrate()).toEqual([]);
    await one.write((trx) => trx.insertInto("settings").values({ key: "a", value: "1", updated_at_ms: 0 }).execute());
    expect(await two.db.selectFrom("settings").select("value").execute()).toEqual([{ value: "1" }]);
    await Promise.all([one.close(), two.close()]);
  });

  it("says which file cannot be opened", async () => {
    await expect(openStore({ sqlite: join(folder, "no", "such", "folder.sqlite") })).rejects.toMatchObject({
      code: "store_unavailable",
    });
  });

  it("refuses a file that a newer hub has upgraded", async () => {
    const sqlite = nextFile();
    const newer = await openStore({ sqlite });
    await newer.migrate();
    await sql`insert into kysely_migration values ('9999-of-the-future', '2030-01-01T00:00:00Z')`.execute(newer.db);
    await expect(newer.migrate()).rejects.toMatchObject({
      code: "store_schema_newer",
      fields: { step: "9999-of-the-future" },
    });
    await newer.close();
  });
});
