/** Control and ingest on one data folder, in one process as far as this test is concerned: who serves what to whom. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterList, ClusterView } from "@plimsoll/contracts/rest";
import { AgentMessageSchema, create, IngestRequestSchema, sealBatch } from "@plimsoll/contracts/wire";
import { startSimulator } from "@plimsoll/sim";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type AgentClient,
  agentClient,
  type IngestTestStream,
} from "../../packages/hub/src/channel/testing/agent-client.ts";
import type { HubRole, HubSettings } from "../../packages/hub/src/config/hub-config.ts";
import { openStore, type Store } from "../../packages/hub/src/store/store.ts";
import { type JoinedCluster, startTestHub, type TestHub } from "../../packages/hub/src/testing/test-hub.ts";
import { sampleRow } from "../hub/facts.ts";

/** What another process changed is looked for each second. */
const SOON = { timeout: 5_000, interval: 50 };

const WINDOW_MS = 300_000;
/** What gRPC answers to a call of a service that is not there. */
const UNIMPLEMENTED = 12;

let dataDir: string;
const hubs: TestHub[] = [];
const clients: AgentClient[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "plimsoll-roles-"));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const hub of hubs.splice(0).reverse()) await hub.stop();
  rmSync(dataDir, { recursive: true });
});

async function start(role: HubRole, settings: Partial<HubSettings> = {}): Promise<TestHub> {
  const hub = await startTestHub({ dataDir, role, ...settings });
  hubs.push(hub);
  return hub;
}

/** Control first, as a person would. */
async function startBoth(): Promise<{ readonly control: TestHub; readonly ingest: TestHub }> {
  const control = await start("control");
  const ingest = await start("ingest");
  await vi.waitFor(async () => expect((await readyOf(control)).ingest).toBe(`at ${ingest.controlAddress}`), SOON);
  return { control, ingest };
}

async function readyOf(hub: TestHub): Promise<Record<string, string>> {
  const { body } = await hub.ask("/readyz");
  const { checks } = body as { checks: readonly { name: string; message: string }[] };
  return Object.fromEntries(checks.map(({ name, message }) => [name, message]));
}

function dial(cluster: JoinedCluster, address: string): AgentClient {
  const client = agentClient({ ...cluster, controlAddress: address });
  clients.push(client);
  return client;
}

function hello(of: JoinedCluster, instance: string) {
  const { clusterId, incarnation, fingerprint } = of;
  const value = { clusterId, incarnation, fingerprint, agentVersion: "0.1.0", instance };
  return create(AgentMessageSchema, { body: { case: "hello", value } }).body;
}

async function connect(of: JoinedCluster, instance = "a") {
  const stream = dial(of, of.controlAddress).control();
  stream.send(hello(of, instance));
  await stream.until("welcome");
  return stream;
}

async function deliver(of: JoinedCluster, change: { instance?: string; sessionEpoch?: bigint } = {}) {
  const stream = dial(of, of.ingestAddress).deliver();
  const { clusterId, incarnation } = of;
  const value = { clusterId, incarnation, agentVersion: "0.1.0", instance: "a", ...change };
  stream.send(create(IngestRequestSchema, { body: { case: "hello", value } }).body);
  return stream;
}

/** Sends one batch and gives what came of it. */
async function sendBatch(stream: IngestTestStream, { clusterId, incarnation }: JoinedCluster, sequence: number) {
  const key = { clusterId, incarnation, spoolId: "0198c1f2-0000-7000-8000-000000000001", sequence };
  const told = { sealedAtMs: Date.now(), agentClockMs: Date.now(), policyRevision: 0, replaces: null };
  const { bytes } = sealBatch(
    key,
    { kind: "sample", rows: [sampleRow({ windowStartMs: Math.floor(Date.now() / WINDOW_MS - 1) * WINDOW_MS })] },
    told,
  );
  stream.send({ case: "envelope", value: bytes });
  return stream.next();
}

async function inStore<T>(ask: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ sqlite: join(dataDir, "hub.sqlite") });
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

describe("one data folder holds one control and one ingest", () => {
  test.each<[readonly HubRole[], HubRole, string]>([
    [["control", "ingest"], "ingest", "ingest"],
    [["control", "ingest"], "control", "control"],
    [["control"], "all", "control"],
    [["ingest"], "all", "ingest"],
    [["all"], "ingest", "ingest"],
    [["all"], "control", "control"],
  ])("beside %j no %s starts", async (running, role, part) => {
    for (const one of running) await start(one);
    const pid = String(process.pid);
    await expect(start(role)).rejects.toMatchObject({ code: "data_dir_in_use", fields: { path: dataDir, part, pid } });
  });

  test("also when both are started at the same moment on an empty folder", async () => {
    const [ingest, control] = await Promise.all([start("ingest"), start("control")]);
    expect(control?.adminToken).toBe(ingest?.adminToken);
    expect([control, ingest].filter((hub) => hub?.firstStart)).toHaveLength(1);
  });
});

describe("each has its own services", () => {
  test("no batch passes control, no report passes ingest", async () => {
    const { control, ingest } = await startBoth();
    const cluster = await control.join("prod-eu");
    expect(await dial(cluster, control.controlAddress).deliver().over).toBe(UNIMPLEMENTED);
    expect(await dial(cluster, ingest.controlAddress).control().over).toBe(UNIMPLEMENTED);
  });

  test("ingest serves health and metrics, and no figures of the fleet", async () => {
    const { control, ingest } = await startBoth();
    expect((await ingest.ask("/livez")).status).toBe(200);
    expect((await ingest.ask("/readyz")).status).toBe(200);
    expect((await ingest.ask("/metrics")).text).toContain("plimsoll_agent_streams");
    expect((await ingest.ask("/api/v1/clusters")).status).toBe(404);
    const replay = await control.ask("/api/v1/quarantine/1/replay", { method: "POST" });
    expect(replay).toMatchObject({ status: 421, body: { code: "ingest_elsewhere" } });
    expect(replay.text).toContain(ingest.url);
    expect((await ingest.ask("/api/v1/quarantine/1/replay", { method: "POST" })).body).toMatchObject({
      code: "quarantine_unknown",
    });
  });
});

describe("an agent", () => {
  test("cannot join before there has been an ingest; then it is told both addresses", async () => {
    const control = await start("control");
    await expect(control.join("prod-eu")).rejects.toThrow("ingest_unknown");
    const ingest = await start("ingest");
    const joined = await vi.waitFor(() => control.join("prod-eu"), SOON);
    expect(joined).toMatchObject({ controlAddress: control.controlAddress, ingestAddress: ingest.controlAddress });
  });

  test("that has joined just now delivers at once, also while control is down", async () => {
    const { control } = await startBoth();
    const cluster = await control.join("prod-eu");
    const stream = await deliver(cluster);
    await stream.until("welcome");
    expect(await sendBatch(stream, cluster, 1)).toMatchObject({ case: "ack", value: { contiguous: 1n } });
    await control.stop();
    const again = await deliver(cluster, { sessionEpoch: 0n, instance: "b" });
    await again.until("welcome");
    expect(await sendBatch(again, cluster, 2)).toMatchObject({ case: "ack", value: { contiguous: 2n } });
  });

  test("is told where batches go, again when that changes, and in one process that it is the same connection", async () => {
    const { control, ingest } = await startBoth();
    const stream = await connect(await control.join("prod-eu"));
    const routesTo = (address: string) => ({
      value: { routes: { destinations: [{ channel: { value: { address } } }] } },
    });
    expect(await stream.until("policy")).toMatchObject(routesTo(ingest.controlAddress));
    await ingest.stop();
    const moved = await start("ingest");
    expect(await stream.until("policy")).toMatchObject(routesTo(moved.controlAddress));
    for (const hub of hubs.splice(0).reverse()) await hub.stop();
    const all = await start("all");
    expect(await (await connect(await all.join("prod-eu"))).until("policy")).toMatchObject(routesTo(""));
  });

  test("that another session has followed is fenced; one that starts and knows no session delivers", async () => {
    const { control } = await startBoth();
    const cluster = await control.join("prod-eu");
    await connect(cluster, "a");
    const older = await deliver(cluster, { instance: "a", sessionEpoch: 1n });
    await older.until("welcome");
    await connect(cluster, "b");
    expect(await older.until("fenced")).toMatchObject({ value: { sessionEpoch: 2n, instance: "b" } });
    const late = await deliver(cluster, { instance: "a", sessionEpoch: 1n });
    expect(await late.next()).toMatchObject({ case: "fenced" });
    // A pod that is made anew while control is down has another name, and no session yet.
    const free = await deliver(cluster, { instance: "c", sessionEpoch: 0n });
    await free.until("welcome");
    expect(await sendBatch(free, cluster, 1)).toMatchObject({ case: "ack" });
  });

  test("whose certificate another joining replaced, or whose cluster is gone, may not go on", async () => {
    const { control } = await startBoth();
    const [first, other] = [await control.join("prod-eu"), await control.join("prod-us")];
    const [replaced, gone] = [await deliver(first), await deliver(other)];
    for (const stream of [replaced, gone]) await stream.until("welcome");
    await control.join("prod-eu");
    expect(await replaced.until("refused")).toMatchObject({ value: { code: "certificate_revoked" } });
    await inStore(({ db }) =>
      db
        .updateTable("clusters")
        .set({ phase: "deregistered", updated_at_ms: Date.now() })
        .where("id", "=", other.clusterId)
        .execute(),
    );
    expect(await gone.until("deregistered")).toBeTruthy();
  });
});

describe("a cluster without an agent", () => {
  test("is added by control, read by ingest and shown by control: figures, beats, and why it cannot be read", async () => {
    const simulator = await startSimulator({ clusters: 1, sickness: false, podsPerCluster: 20 });
    try {
      const { control, ingest } = await startBoth();
      const body = { kubeconfig: simulator.kubeconfig(), name: "edge-7" };
      expect((await control.ask("/api/v1/clusters", { method: "POST", body })).status).toBe(201);
      const shown = await vi.waitFor(
        async () => {
          const view = await control.get("/api/v1/clusters/edge-7", ClusterView);
          expect(view.connectivity.state).toBe("online");
          expect(view.watermarks).not.toBeNull();
          return view;
        },
        { timeout: 15_000, interval: 100 },
      );
      expect(shown.record.node_count).toBeGreaterThan(0);
      await simulator.stop();
      // A new credential is taken up at once: here one that reaches nobody.
      await inStore(({ db }) => db.updateTable("credentials").set({ id: "another" }).execute());
      await vi.waitFor(
        async () => {
          const { errors } = await control.get("/api/v1/clusters", ClusterList);
          expect(errors).toMatchObject([{ code: "cluster_unreachable" }]);
        },
        { timeout: 15_000, interval: 100 },
      );
      expect((await ingest.ask("/readyz")).status).toBe(200);
    } finally {
      await simulator.stop();
    }
  });
});
