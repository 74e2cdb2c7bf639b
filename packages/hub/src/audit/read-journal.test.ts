import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, type Store } from "../store/store.ts";
import { ReadJournal } from "./read-journal.ts";

const BY = { actor: { kind: "admin" }, requestId: "r1", address: "10.0.0.7" } as const;

let store: Store;
let nowMs = 0;
let journal: ReadJournal;
beforeEach(async () => {
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
  nowMs = 0;
  journal = new ReadJournal(store, { now: () => nowMs, setTimer: () => () => {} }, () => {});
});
afterEach(() => store.close());

const cost = (url: string) => journal.keep(BY, { verb: "read", noun: "cost", url });
const asked = async () =>
  (await store.db.selectFrom("audit").select("detail").orderBy("id").execute()).map(
    ({ detail }) => JSON.parse(detail).after.asked,
  );

test("who reads costs is kept, with the question", async () => {
  await cost("/api/v1/cost?window=24h");
  expect(await store.db.selectFrom("audit").selectAll().execute()).toMatchObject([
    { actor: "admin", verb: "read", thing: "cost", outcome: "allowed", address: "10.0.0.7", request_id: "r1" },
  ]);
  expect(await asked()).toEqual(["/api/v1/cost?window=24h"]);
});

test("a page that asks again and again, with a window that moves or page by page, is one row in ten minutes", async () => {
  for (const url of ["/api/v1/cost?a=1", "/api/v1/cost?a=1", "/api/v1/cost?a=2"]) await cost(url);
  for (const url of ["/api/v1/audit?limit=1", "/api/v1/audit?cursor=a5&limit=1"]) {
    await journal.keep(BY, { verb: "list", noun: "audit", url });
  }
  expect(await asked()).toEqual(["/api/v1/cost?a=1", "/api/v1/audit?limit=1"]);
  nowMs = 600_000;
  await cost("/api/v1/cost?a=1");
  expect(await asked()).toHaveLength(3);
});

test("other reads are no rows", async () => {
  await journal.keep(BY, { verb: "list", noun: "cluster", url: "/api/v1/clusters" });
  await journal.keep({ ...BY, actor: { kind: "anonymous" } }, { verb: "read", noun: "health", url: "/livez" });
  expect(await asked()).toEqual([]);
});
