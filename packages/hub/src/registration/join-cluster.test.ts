import { X509Certificate } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSealing } from "../sealing/sealing.ts";
import { openStore, type Store } from "../store/store.ts";
import { createJoinToken } from "./create-join-token.ts";
import { type HubAuthority, openAuthority } from "./hub-authority.ts";
import { joinCluster } from "./join-cluster.ts";
import { type AgentKey, makeAgentKey } from "./testing/agent-key.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const HOUR = 3_600_000;
const ADMIN = { actor: { kind: "admin" }, requestId: "r1", address: "10.0.0.7" } as const;
const AGENT = { actor: { kind: "anonymous" }, requestId: "r2", address: "10.0.0.8" } as const;

let store: Store;
let authority: HubAuthority;
let key: AgentKey;
beforeEach(async () => {
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
  authority = await openAuthority(store, createSealing(Buffer.alloc(32, 7)), NOW);
  key = await makeAgentKey();
});
afterEach(() => store.close());

async function tokenFor(clusterName: string, labels = {}): Promise<string> {
  const order = { clusterName, ttlSeconds: 3600, labels };
  return (await createJoinToken(store, order, authority.sha256, ADMIN, NOW)).text;
}

function join(token: string, fingerprint = "fp-1", { csr = key.csr, at = NOW, agentVersion = "0.1.0" } = {}) {
  const deps = { store, authority, hubVersion: "0.1.0", simulated: false };
  return joinCluster(deps, { token, csr, fingerprint, agentVersion }, AGENT, at);
}

const clusters = () => store.db.selectFrom("clusters").selectAll().execute();

describe("an agent with a token", () => {
  test("registers its cluster under the token's name and labels, and gets a certificate of it", async () => {
    const joined = await join(await tokenFor("prod-eu", { env: "prod" }));
    expect(joined).toMatchObject({ name: "prod-eu", incarnation: 1, reattached: false });
    expect(joined.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    expect(new X509Certificate(joined.certificate).subject).toBe(`CN=${joined.id}`);
    expect(await clusters()).toMatchObject([
      { id: joined.id, name: "prod-eu", fingerprint: "fp-1", mode: "push", phase: "active", labels: '{"env":"prod"}' },
    ]);
  });

  test("that comes back with another token is the same cluster, and its older certificate ends", async () => {
    const first = await join(await tokenFor("prod-eu", { env: "prod" }));
    const other = await makeAgentKey();
    const again = await join(await tokenFor("prod-eu", { team: "pay" }), "fp-1", { csr: other.csr });
    expect(again).toMatchObject({ id: first.id, incarnation: 1, reattached: true });
    expect(await clusters()).toMatchObject([{ labels: '{"env":"prod","team":"pay"}', resource_version: 2 }]);
    const certificates = await store.db.selectFrom("certificates").selectAll().orderBy("revoked_at_ms").execute();
    expect(certificates.map(({ revoked_at_ms }) => revoked_at_ms).sort()).toEqual([NOW, null]);
  });

  test("whose answer was lost asks again with the same key", async () => {
    const token = await tokenFor("prod-eu");
    const first = await join(token);
    expect(await join(token)).toMatchObject({ id: first.id, reattached: true });
  });
});

describe("is refused", () => {
  const refusals: readonly [string, string, () => Promise<unknown>][] = [
    [
      "a token that is used, for another key",
      "join_token_used",
      async () => {
        const token = await tokenFor("prod-eu");
        await join(token);
        return join(token, "fp-1", { csr: (await makeAgentKey()).csr });
      },
    ],
    ["a token of another hub", "join_token_invalid", async () => join(`plj1.${"A".repeat(43)}.${"0".repeat(64)}`)],
    ["a text that is no token", "join_token_invalid", async () => join("let me in")],
    ["an expired token", "join_token_expired", async () => join(await tokenFor("prod-eu"), "fp-1", { at: NOW + HOUR })],
    [
      "a known cluster under a new name",
      "cluster_already_registered",
      async () => {
        await join(await tokenFor("prod-eu"));
        return join(await tokenFor("prod-us"));
      },
    ],
    [
      "a known name with another cluster",
      "cluster_name_taken",
      async () => {
        await join(await tokenFor("prod-eu"));
        return join(await tokenFor("prod-eu"), "fp-2");
      },
    ],
    ["a request for no key", "csr_invalid", async () => join(await tokenFor("prod-eu"), "fp-1", { csr: "?" })],
    [
      "an agent that is newer than the hub",
      "agent_too_new",
      async () => join(await tokenFor("prod-eu"), "fp-1", { agentVersion: "0.2.0" }),
    ],
    [
      "an agent without a version",
      "agent_version_invalid",
      async () => join(await tokenFor("prod-eu"), "fp-1", { agentVersion: "new" }),
    ],
  ];
  test.each(refusals)("%s: %s", async (_, code, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code });
  });

  test("under a new name with the name that exists", async () => {
    await join(await tokenFor("prod-eu"));
    await expect(join(await tokenFor("prod-us"))).rejects.toThrow("registered already, as prod-eu");
  });

  test("and leaves the token unused", async () => {
    await join(await tokenFor("prod-eu"));
    const token = await tokenFor("prod-us");
    await expect(join(token)).rejects.toMatchObject({ code: "cluster_already_registered" });
    expect(await join(token, "fp-2")).toMatchObject({ name: "prod-us", reattached: false });
  });
});

test("a tombstone's name and fingerprint are free", async () => {
  const first = await join(await tokenFor("prod-eu"));
  await store.db.updateTable("clusters").set({ phase: "deregistered" }).execute();
  const second = await join(await tokenFor("prod-eu"));
  expect(second).toMatchObject({ reattached: false });
  expect(second.id).not.toBe(first.id);
});

test("many that join at once under one name are one cluster", async () => {
  const tokens = await Promise.all(["a", "b", "c", "d"].map(() => tokenFor("prod-eu")));
  const keys = await Promise.all(tokens.map(() => makeAgentKey()));
  const joined = await Promise.all(tokens.map((token, index) => join(token, "fp-1", { csr: keys[index]?.csr ?? "" })));
  expect(new Set(joined.map(({ id }) => id)).size).toBe(1);
  expect(joined.filter(({ reattached }) => !reattached)).toHaveLength(1);
});

test("the audit log has tokens and registrations, without the secret", async () => {
  const token = await tokenFor("prod-eu");
  const { id } = await join(token);
  const rows = await store.db.selectFrom("audit").selectAll().orderBy("id").execute();
  expect(rows).toMatchObject([
    { actor: "admin", verb: "create", thing: "join-token", outcome: "allowed", request_id: "r1" },
    { actor: "anonymous", verb: "join", thing: "cluster", thing_id: "prod-eu", cluster_id: id, request_id: "r2" },
  ]);
  const stored = JSON.stringify([rows, await store.db.selectFrom("join_tokens").selectAll().execute()]);
  expect(stored).not.toContain(token.split(".")[1]);
  expect(stored).toContain("10.0.0.8");
});

test.each<[Record<string, string>, string]>([
  [{ "-env": "prod" }, "labels.-env"],
  [{ env: "prod!" }, "labels.env"],
  [{ env: "a".repeat(64) }, "labels.env"],
  [{ "a/b/c": "d" }, "labels.a/b/c"],
  [{ region: "eu" }, "labels.region"],
  [Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, ""])), "labels"],
])("labels %j are refused naming %s", async (labels, field) => {
  await expect(tokenFor("prod-eu", labels)).rejects.toMatchObject({ code: "parameter_invalid", fields: { field } });
});
