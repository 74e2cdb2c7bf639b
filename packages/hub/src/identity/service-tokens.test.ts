import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type Store } from "../store/store.ts";
import type { Grant } from "./roles.ts";
import { openServiceTokens, type ServiceTokens } from "./service-tokens.ts";

const BY = { actor: { kind: "admin" }, requestId: "r1", address: "10.0.0.7" } as const;
const VIEWER: Grant = { role: "viewer", selector: "tenant=shop" };

let store: Store;
let tokens: ServiceTokens;
let failures: unknown[] = [];
beforeEach(async () => {
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
  failures = [];
  tokens = openServiceTokens(store, (error) => failures.push(error));
});
afterEach(() => store.close());

const make = (name = "grafana", grants: readonly Grant[] = [VIEWER]) =>
  tokens.create({ name, grants, ttlSeconds: 60 }, BY, 1_000);

test("a token is its name with its roles until it ends", async () => {
  const { text, expiresAtMs } = await make();
  expect(text).toMatch(/^pls1\.[-\w]{43}$/);
  expect(await tokens.actorOf(text, expiresAtMs - 1)).toEqual({ kind: "token", name: "grafana", grants: [VIEWER] });
  expect(await tokens.actorOf(text, expiresAtMs)).toBeUndefined();
});

test("its text is nowhere in the store, audit log included", async () => {
  const { text } = await make();
  const stored = [
    await store.db.selectFrom("service_tokens").selectAll().execute(),
    await store.db.selectFrom("audit").selectAll().execute(),
  ];
  expect(JSON.stringify(stored)).not.toContain(text.slice(5));
  expect(stored[1]).toMatchObject([{ verb: "create", thing: "service-token", thing_id: "grafana", actor: "admin" }]);
});

test("a withdrawn token is nobody's, and the audit log says who withdrew it", async () => {
  const { text } = await make();
  await tokens.withdraw("grafana", BY, 2_000);
  expect(await tokens.actorOf(text, 2_000)).toBeUndefined();
  const rows = await store.db.selectFrom("audit").select(["verb", "detail"]).orderBy("id").execute();
  expect(rows.map(({ verb }) => verb)).toEqual(["create", "delete"]);
  expect(JSON.parse(rows[1]?.detail ?? "{}").before.grants).toEqual([VIEWER]);
});

test("its last use is kept to a minute", async () => {
  const { text } = await make();
  const used = async () => (await tokens.list())[0]?.lastUsedAtMs;
  expect(await used()).toBeNull();
  for (const at of [1_000, 30_000]) await tokens.actorOf(text, at);
  expect(await used()).toBe(1_000);
  await tokens.actorOf(text, 60_999);
  expect(await used()).toBe(1_000);
});

test("it works on a disk that takes no more, and that is told", async () => {
  const { text } = await make();
  const full = { ...store, write: () => Promise.reject(new Error("disk full")) };
  const onFull = openServiceTokens(full, (error) => failures.push(error));
  expect(await onFull.actorOf(text, 1_000)).toMatchObject({ name: "grafana" });
  expect(failures).toEqual([new Error("disk full")]);
});

describe("is refused:", () => {
  test("a second token of one name", async () => {
    await make();
    await expect(make()).rejects.toMatchObject({ code: "name_taken" });
  });

  test("a role on clusters that cannot be named so", async () => {
    await expect(make("a", [{ role: "viewer", selector: "tenant in (" }])).rejects.toMatchObject({
      code: "selector_invalid",
    });
  });

  test("no role at all", async () => {
    await expect(make("a", [])).rejects.toMatchObject({ code: "parameter_invalid" });
  });

  test("withdrawing what is not there", async () => {
    await expect(tokens.withdraw("gone", BY, 1)).rejects.toMatchObject({ code: "service_token_unknown" });
  });
});

test.each(["", "pls1.", "pls1.aaaa", "pla1.aaaa", "x"])("%j is nobody's", async (text) => {
  await make();
  expect(await tokens.actorOf(text, 1_000)).toBeUndefined();
});
