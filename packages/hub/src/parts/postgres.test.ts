import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterView } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { openSession } from "../channel/open-session.ts";
import { openPolicies } from "../channel/policies.ts";
import { Liveness } from "../inventory/liveness.ts";
import { openRegistry } from "../inventory/registry.ts";
import { silentLog } from "../log/hub-log.ts";
import { openStore } from "../store/store.ts";
import { type PostgresServer, startPostgres } from "../store/testing/postgres-server.ts";
import { dynamicFacts } from "../testing/dynamic-facts.ts";
import { startTestHub } from "../testing/test-hub.ts";

let server: PostgresServer;
const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-on-postgres-"));
beforeAll(async () => {
  server = await startPostgres();
  await server.run("create database hub");
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

test("a hub keeps its registry in PostgreSQL as it does in SQLite", async () => {
  const postgresUrl = server.url("hub");
  const hub = await startTestHub({ dataDir, postgresUrl });
  const { clusterId } = await hub.join("prod-eu", { labels: { env: "prod" } });
  expect((await hub.join("prod-eu")).clusterId).toBe(clusterId);
  const change = { method: "PUT", body: { sampleIntervalMs: 15_000 } };
  expect((await hub.ask("/api/v1/policy", change)).body).toMatchObject({ revision: 2 });
  expect((await hub.ask("/readyz")).body).toMatchObject({
    status: "ok",
    checks: [{ name: "store", message: "postgres" }, {}, {}, {}],
  });
  await hub.stop();

  const clock = createManualClock(Date.now());
  const store = await openStore({ postgres: postgresUrl });
  const registry = await openRegistry(store);
  const settings = { beatMs: { push: 30_000, pull: 60_000 }, unknownAfterBeats: 4 };
  const liveness = await Liveness.open({ store, clock, log: silentLog, settings }, registry.list("all"));
  const start = {
    clusterId,
    incarnation: 1,
    instance: "a",
    agentVersion: "0.1.0",
    capabilities: [],
    policyRevision: 0,
    atMs: clock.now(),
  };
  const epochs = await Promise.all([openSession(store, start), openSession(store, start), openSession(store, start)]);
  expect(epochs.toSorted()).toEqual([1, 2, 3]);
  await registry.reload(clusterId);
  const stamp = { incarnation: 1, sessionEpoch: 3, sequence: 1 };
  expect(await registry.applyReport(clusterId, stamp, dynamicFacts(clock.now()), clock.now())).toBe("applied");
  liveness.heard(clusterId, { health: "degraded", clockOffsetMs: 1.5 });
  await liveness.stop();
  expect((await openPolicies(store, hubPolicy, clock.now())).current()).toMatchObject({ sampleIntervalMs: 15_000 });
  await store.close();

  const again = await startTestHub({ dataDir, postgresUrl });
  const shown = await again.get("/api/v1/clusters/prod-eu", ClusterView);
  expect(shown.record).toMatchObject({ k8s_version: "v1.33.4", health_status: "degraded", environment: "production" });
  expect(shown.watermarks?.[1]?.allocatable).toBe("9007199254740993");
  await again.stop();
}, 60_000);

const hubPolicy = { sampleIntervalMs: 60_000, usageFlushMs: 60_000, usageResendMs: 300_000, reportIntervalMs: 60_000 };
