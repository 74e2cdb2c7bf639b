import { AccessReview, ClusterList, JoinTokenAnswer, ServiceTokenAnswer, WhoAmI } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAgentKey } from "../registration/testing/agent-key.ts";
import { startTestHub, type TestHub } from "../testing/test-hub.ts";

let hub: TestHub;
let shop: string;

async function join(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
  const made = await hub.ask("/api/v1/join-tokens", { method: "POST", body: { clusterName: name, labels } });
  const { token } = JoinTokenAnswer.parse(made.body);
  const { csr } = await makeAgentKey();
  const body = { token, csr, fingerprint: `fp-${name}`, agentVersion: "0.1.0" };
  expect((await hub.ask("/api/v1/join", { method: "POST", token: null, body })).status).toBe(200);
}

async function tokenFor(name: string, role: string, selector: string | null): Promise<string> {
  const body = { name, grants: [{ role, selector }], ttlSeconds: 600 };
  const made = await hub.ask("/api/v1/service-tokens", { method: "POST", body });
  expect(made.status).toBe(201);
  return ServiceTokenAnswer.parse(made.body).token;
}

beforeAll(async () => {
  hub = await startTestHub();
  await join("shop-1", { tenant: "shop" });
  await join("bank-1", { tenant: "bank" });
  shop = await tokenFor("shop-viewer", "viewer", "tenant=shop");
});
afterAll(() => hub.stop());

test("a role on some clusters sees those, in lists, counts and by name", async () => {
  const list = ClusterList.parse((await hub.ask("/api/v1/clusters", { token: shop })).body);
  expect([list.items.map(({ name }) => name), list.total]).toEqual([["shop-1"], 1]);
  const overview = await hub.ask("/api/v1/overview", { token: shop });
  expect(overview.body).toMatchObject({ clusters: { total: 1 } });
  const [other, none] = await Promise.all([
    hub.ask("/api/v1/clusters/bank-1", { token: shop }),
    hub.ask("/api/v1/clusters/no-such", { token: shop }),
  ]);
  expect([other.status, none.status]).toEqual([404, 404]);
  expect(other.text.replaceAll("bank-1", "X").replace(/"requestId":"[^"]+"/, "")).toBe(
    none.text.replaceAll("no-such", "X").replace(/"requestId":"[^"]+"/, ""),
  );
});

test.each([
  ["PUT", "/api/v1/policy"],
  ["POST", "/api/v1/join-tokens"],
  ["POST", "/api/v1/service-tokens"],
  ["GET", "/api/v1/audit"],
  ["GET", "/api/v1/quarantine"],
  ["GET", "/api/v1/access-review"],
])("a viewer may not %s %s, and the attempt to change something is in the audit log", async (method, path) => {
  const headers = { "x-request-id": `denied-${path.split("/").at(-1)}-${method}` };
  const answer = await hub.ask(path, { method, token: shop, ...(method === "GET" ? {} : { body: {} }), headers });
  expect(answer.body).toMatchObject({ status: 403, code: "forbidden" });
  const log = await hub.ask(`/api/v1/audit?requestId=${headers["x-request-id"]}`);
  expect(log.body).toMatchObject(
    method === "GET" ? { items: [] } : { items: [{ actor: "token:shop-viewer", outcome: "refused" }] },
  );
});

test("who one is and what one may do is told", async () => {
  const who = WhoAmI.parse((await hub.ask("/api/v1/whoami", { token: shop })).body);
  expect(who).toMatchObject({ actor: "token:shop-viewer", grants: [{ role: "viewer", selector: "tenant=shop" }] });
  expect(who.may).toContainEqual({ verb: "list", thing: "cluster", selectors: ["tenant=shop"] });
  expect(who.may.map(({ verb, thing }) => `${verb} ${thing}`)).not.toContain("update policy");
});

test.each([
  ["list", "cluster", undefined, true],
  ["read", "cluster", "shop-1", true],
  ["read", "cluster", "bank-1", false],
  ["read", "cluster", "no-such", false],
  ["update", "policy", undefined, false],
  ["read", "health", undefined, true],
])("can-i %s %s %s: %s", async (verb, thing, cluster, allowed) => {
  const query = new URLSearchParams({ verb, thing, ...(cluster === undefined ? {} : { cluster }) });
  const { body } = await hub.ask(`/api/v1/can-i?${query}`, { token: shop });
  expect(body).toMatchObject({ allowed });
});

test("the access review names everybody with a role", async () => {
  const { items } = AccessReview.parse((await hub.ask("/api/v1/access-review")).body);
  expect(items.map(({ actor }) => actor)).toEqual(["admin", "token:shop-viewer"]);
  expect(items[1]?.lastUsedAt).not.toBeNull();
});

test("the audit log of a cluster is asked for by its name", async () => {
  const { body } = await hub.ask("/api/v1/audit?cluster=shop-1");
  expect(body).toMatchObject({ items: [{ verb: "join", thing: "cluster", thingId: "shop-1" }], total: 1 });
});

test("a withdrawn token is nobody from the next request on", async () => {
  const token = await tokenFor("soon-gone", "viewer", null);
  expect((await hub.ask("/api/v1/clusters", { token })).status).toBe(200);
  await hub.ask("/api/v1/service-tokens/soon-gone/withdraw", { method: "POST", body: {} });
  expect((await hub.ask("/api/v1/clusters", { token })).status).toBe(401);
});

test("a role follows the labels of its clusters", async () => {
  const all = await tokenFor("no-bank", "viewer", "tenant!=bank");
  const names = async () =>
    ClusterList.parse((await hub.ask("/api/v1/clusters", { token: all })).body).items.map(({ name }) => name);
  expect(await names()).toEqual(["shop-1"]);
  await join("mill-1", { tenant: "mill" });
  expect(await names()).toEqual(["mill-1", "shop-1"]);
});
