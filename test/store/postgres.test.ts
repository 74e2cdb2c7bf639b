import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../packages/hub/src/store/store.ts";
import { storeConformance } from "./conformance.ts";
import { ledgerConformance } from "./ledger-conformance.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
let databases = 0;

beforeAll(async () => {
  server = await startPostgres();
  await server.run("create database migrated");
  const store = await openStore({ postgres: server.url("migrated") });
  expect(await store.migrate()).not.toEqual([]);
  await store.close();
});
afterAll(() => server?.stop());

async function openEmpty(): Promise<Store> {
  databases += 1;
  await server.run(`create database test_${databases} template migrated`);
  return openStore({ postgres: server.url(`test_${databases}`) });
}

describe("the control store in PostgreSQL", () => {
  storeConformance(openEmpty);

  it("says which server does not answer, without the password", async () => {
    const url = "postgres://hub:secret@127.0.0.1:1/plimsoll";
    const opening = openStore({ postgres: url });
    await expect(opening).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(opening).rejects.not.toThrow(/secret/);
  });
});

describe("the ledger in PostgreSQL", () => {
  ledgerConformance(openEmpty, 20);
});
