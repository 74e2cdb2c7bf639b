import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@plimsoll/collect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AuditBudget } from "../audit/audit-budget.ts";
import { createCheckpoints } from "../audit/checkpoints.ts";
import { ReadJournal } from "../audit/read-journal.ts";
import { openPolicies } from "../channel/policies.ts";
import { completeHubConfig } from "../config/check-config.ts";
import { Closers } from "../config/closers.ts";
import { NOUNS, VERBS } from "../identity/access.ts";
import type { Actor } from "../identity/actor.ts";
import { authorize } from "../identity/authorize.ts";
import { insertCluster } from "../inventory/testing/insert-cluster.ts";
import { silentLog } from "../log/hub-log.ts";
import { createMetrics } from "../metrics/hub-metrics.ts";
import { openFacts } from "../parts/facts.ts";
import { openFleet } from "../parts/fleet.ts";
import { openKeys } from "../parts/keys.ts";
import { openPullLoop } from "../parts/pull.ts";
import { buildRestApp } from "../parts/rest-app.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import { openStore, type Store } from "../store/store.ts";
import { createServer, type ServerDeps } from "./server.ts";

const deps = { clock: systemClock, random: Math.random, log: silentLog };
const folder = mkdtempSync(join(tmpdir(), "plimsoll-routes-"));
const closers = new Closers((part, error) => {
  throw new Error(`${part} does not close`, { cause: error });
});
afterAll(async () => {
  await closers.run();
  rmSync(folder, { recursive: true });
});

let actor: Actor = { kind: "admin" };
let scope: ClusterScope | null = null;
let app: Awaited<ReturnType<typeof buildRestApp>>;

beforeAll(async () => {
  const config = completeHubConfig({ dataDir: folder });
  const store = await openStore({ sqlite: join(folder, "hub.sqlite") });
  closers.add("store", () => store.close());
  await store.migrate();
  await insertCluster(store, { id: "seen", name: "the-seen-one" });
  await insertCluster(store, { id: "secret", name: "the-secret-one" });
  const keys = await openKeys(config, deps, store);
  const policies = await openPolicies(store, config.policy, deps.clock.now());
  const fleet = await openFleet(config, deps, store);
  closers.add("liveness", () => fleet.liveness.stop());
  const { answers, ...intake } = await openFacts(config, deps, { store, ...fleet }, closers);
  if (!answers) throw new Error("nothing answers what things cost");
  const base = { store, keys, fleet };
  const parts = { ...base, control: { policies, ...answers, news: null }, ingest: { ...intake, news: null } };
  const metrics = createMetrics({
    version: "0.0.0",
    connectivity: () => ({}),
    streams: () => ({ control: 0, ingest: 0 }),
    refusalsLeftOut: () => 0,
  });
  app = await buildRestApp(config, deps, parts, {
    server: serverDeps(store),
    checkpoints: createCheckpoints({ ...deps, store, key: base.keys.checkpointKey }),
    pull: openPullLoop(config, deps, base, intake.ingest, metrics, closers),
    metrics,
    health: { live: {}, ready: {} },
    addresses: () => ({ url: "http://127.0.0.1:1", control: "127.0.0.1:2", ingest: "127.0.0.1:2" }),
  });
  closers.add("app", () => app.close());
  await app.ready();
});

function serverDeps(store: Store): ServerDeps {
  return {
    ...deps,
    actorOf: async () => actor,
    authorize: (who, verb, thing) => {
      const allowed = authorize(who, verb, thing, () => new Set(["seen"]));
      return scope ?? allowed;
    },
    refusals: new AuditBudget(store, deps.clock, deps.log),
    reads: new ReadJournal(store, deps.clock, deps.log),
    onAnswer: () => {},
    tls: null,
  };
}

/** Routes that say nothing of any cluster, or prove by themselves who asks. */
const OPEN = new Set(["/livez", "/readyz", "/metrics", "/openapi.json", "/*", "/api/v1/join"]);

test("every route says what it does to what", () => {
  expect(app.routeList.length).toBeGreaterThan(20);
  for (const { method, url, access } of app.routeList) {
    expect(NOUNS, `${method} ${url}`).toContain(access.noun);
    expect(VERBS, `${method} ${url}`).toContain(access.verb);
    const reads = method === "GET" || method === "HEAD";
    expect(["list", "read"].includes(access.verb), `${method} ${url} ${access.verb}`).toBe(reads);
  }
});

test("a route that does not cannot be added", async () => {
  const bare = createServer(serverDeps(await openStore({ sqlite: ":memory:" })), []);
  expect(() => bare.get("/sneaky", async () => "hello")).toThrow("/sneaky does not say what it does to what");
  await bare.close();
});

test("every route but the open ones refuses who is nobody", async () => {
  actor = { kind: "anonymous" };
  for (const { method, url } of app.routeList) {
    if (OPEN.has(url)) continue;
    const answer = await app.inject({ method: asMethod(method), url: url.replace(":cluster", "the-seen-one") });
    expect(answer.statusCode, `${method} ${url}`).toBe(401);
  }
  actor = { kind: "admin" };
});

test("no answer says anything of a cluster outside the scope", async () => {
  scope = new Set(["seen"]);
  const seen: string[] = [];
  for (const { method, url } of app.routeList) {
    if (method !== "GET") continue;
    for (const cluster of ["the-secret-one", "secret"]) {
      const path = url.replace(":cluster", cluster).replace("*", "");
      for (const query of ["", `?cluster=${cluster}`, "?search=secret"]) {
        const answer = await app.inject({ url: `${path}${query}` });
        const echoed = answer.body.replaceAll(/"detail":"[^"]*"/g, "");
        expect(echoed, `${path}${query}`).not.toMatch(/the-secret-one|fingerprint-of-secret|"secret"/);
        if (answer.body.includes("the-seen-one")) seen.push(url);
      }
    }
  }
  scope = null;
  expect([...new Set(seen)]).toEqual(expect.arrayContaining(["/api/v1/clusters", "/api/v1/inventory"]));
  expect((await app.inject({ url: "/api/v1/clusters" })).body).toContain("the-secret-one");
});

function asMethod(method: string): "GET" | "HEAD" | "POST" | "PUT" {
  const known = (["GET", "HEAD", "POST", "PUT"] as const).find((each) => each === method);
  if (!known) throw new Error(`no test knows ${method}`);
  return known;
}
