import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpConnection, fixedCredential, type KubeConnection } from "@plimsoll/collect";
import { create, type NodeRow, PolicySchema, type UsageRow } from "@plimsoll/contracts/wire";
import { type Simulator, startSimulator } from "@plimsoll/sim";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentHandle } from "./agent.ts";
import { type AgentSettings, completeConfig } from "./config/agent-config.ts";
import { runAgent } from "./run-agent.ts";
import { type CollectingHub, startCollectingHub } from "./testing/collecting-hub.ts";
import { startFakeHub } from "./testing/fake-hub.ts";
import { type FakeJoin, startFakeJoin } from "./testing/fake-join.ts";
import { createFastClock } from "./testing/fast-clock.ts";
import { createTestAuthority, type TestAuthority } from "./testing/test-authority.ts";

/** A minute passes in three seconds. */
const SPEED = 20;
/** Shortly before an hour, and a window of samples, are over. */
const START = Date.UTC(2026, 0, 31, 8, 59, 20);
const PAST_NINE = Date.UTC(2026, 0, 31, 9, 0, 40);

let authority: TestAuthority;
let clock: ReturnType<typeof createFastClock>;
let simulator: Simulator;
let hub: CollectingHub;
let rest: FakeJoin;
let path: string;
let agents: AgentHandle[];
let connections: KubeConnection[];
let lines: string[];

beforeAll(async () => {
  authority = await createTestAuthority();
});
beforeEach(async () => {
  clock = createFastClock(START, SPEED);
  simulator = await startSimulator({
    clusters: 1,
    podsPerCluster: 40,
    sickness: false,
    load: "flat",
    clock,
    tickMs: 1_000,
    bookmarkSeconds: 5,
  });
  hub = await startCollectingHub(authority, () => clock.now() + 5_000);
  rest = await startFakeJoin(authority, () => hub.address);
  path = await mkdtemp(join(tmpdir(), "plimsoll-agent-"));
  agents = [];
  connections = [];
  lines = [];
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.stop()));
  for (const connection of connections) connection.close();
  hub.stop();
  rest.stop();
  await simulator.stop();
  await rm(path, { recursive: true });
});

function cluster() {
  const [first] = simulator.clusters;
  if (!first) throw new Error("no cluster");
  return first;
}

function start(settings: Partial<AgentSettings> = {}): AgentHandle {
  const { server, token } = cluster();
  const connection = createHttpConnection({
    server,
    context: "sim",
    credentials: fixedCredential({ headers: { authorization: `Bearer ${token}` } }),
    clock,
    random: () => 0.5,
    requestDeadlineMs: 30_000 * SPEED,
    connectMs: 10_000 * SPEED,
  });
  connections.push(connection);
  const config = completeConfig({
    hubUrl: rest.url,
    stateDir: join(path, "state"),
    joinToken: `plj1.${"s".repeat(43)}.${authority.sha256}`,
    instance: "agent-0",
    sampleIntervalMs: 10_000,
    usageFlushMs: 10_000,
    usageResendMs: 20_000,
    ...settings,
  });
  const log = (level: string, event: string, fields = {}) => lines.push(`${level} ${event} ${JSON.stringify(fields)}`);
  const agent = runAgent(config, { connection, clock, random: () => 0.5, log });
  agents.push(agent);
  return agent;
}

/** Of each key the newest row that the hub has. */
function newest<R extends { readonly asOfMs: number }>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  const kept = new Map<string, R>();
  for (const row of rows) {
    const held = kept.get(keyOf(row));
    if (!held || row.asOfMs >= held.asOfMs) kept.set(keyOf(row), row);
  }
  return [...kept.values()];
}

const usageRows = (): UsageRow[] =>
  newest(
    hub.batches.flatMap((batch) => (batch.kind === "usage" ? batch.rows : [])),
    (row) => `${row.podUid} ${row.intervalStartMs} ${row.hourStartMs}`,
  );
const nodeRows = (): NodeRow[] =>
  newest(
    hub.batches.flatMap((batch) => (batch.kind === "node" ? batch.rows : [])),
    (row) => `${row.nodeUid} ${row.hourStartMs}`,
  );

/** What a row says of cpu, in nanocore-seconds, next to what the simulator says of the pod up to the row's end. */
function compare(row: UsageRow) {
  const truth = cluster()
    .truth(new Date(row.hourStartMs), new Date(row.hourStartMs + 3_600_000))
    .find(({ uid }) => uid === row.podUid);
  const limit = row.intervalEndMs ?? row.asOfMs;
  const pieces = (truth?.requests ?? []).map((stretch) => {
    const begin = Math.max(Date.parse(stretch.from), row.hourStartMs);
    const end = Math.min(Date.parse(stretch.to), limit);
    return end > begin ? stretch.cpuNanocores * BigInt(end - begin) : 0n;
  });
  // A pod that went without a trace of its end is charged until it was missed; on this clock that is many seconds.
  const lateMs = truth?.end ? Math.max(0, limit - Date.parse(truth.end)) : 0;
  return {
    pod: row.podName,
    told: row.resources.get("cpu")?.request,
    real: pieces.reduce((sum, piece) => sum + piece, 0n) / 1_000n,
    lateMs,
  };
}

function expectTruth(rows: readonly UsageRow[]): void {
  const compared = rows.map(compare);
  const exact = compared.filter(({ lateMs }) => lateMs === 0);
  expect(exact.filter(({ told, real }) => told !== real)).toEqual([]);
  expect(exact.length).toBeGreaterThan(rows.length * 0.9);
  for (const { lateMs } of compared) expect(lateMs).toBeLessThan(60_000);
}

describe("an agent", () => {
  test("joins, reports what the cluster is, and tells usage that equals what really happened", async () => {
    const agent = start();
    await agent.joined;
    await expect.poll(() => hub.reports.length, { timeout: 10_000 }).toBeGreaterThan(0);
    const nodes = cluster().nodeTruth(new Date(START), new Date(clock.now() + 60_000)).length;
    expect(hub.reports[0]).toMatchObject({
      layer: {
        node_count: nodes,
        agent_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        k8s_version: expect.stringMatching(/^v1\./),
      },
    });
    await expect.poll(() => agent.status().ingest.state, { timeout: 10_000 }).toBe("connected");
    expect(agent.status()).toMatchObject({
      state: "running",
      ready: true,
      live: true,
      cluster: { id: "c-1", name: "sim", incarnation: 1 },
      control: { state: "connected" },
    });
    // Past nine o'clock: rows of two hours, and a window of samples that is over.
    const kinds = () => new Set(hub.batches.map(({ kind }) => kind));
    await expect.poll(() => clock.now() > PAST_NINE && kinds().has("sample"), { timeout: 15_000 }).toBe(true);
    await agent.stop();
    expect(agent.status()).toMatchObject({ state: "stopped", spool: { batches: 0 } });
    expect(hub.controls.at(-1)?.received.at(-1)?.body.case).toBe("goodbye");

    const rows = usageRows();
    expect(new Set(rows.map((row) => row.hourStartMs)).size).toBe(2);
    expect(rows.length).toBeGreaterThan(40);
    expectTruth(rows);
    expect(rows.some((row) => (row.resources.get("cpu")?.usageCoveredMs ?? 0) > 0)).toBe(true);
    expect(nodeRows().length).toBe(nodes * 2);
    expect(hub.repeats).toBe(0);
  });

  test("goes on after a restart: no second joining, the same spool, and nothing is told twice or lost", async () => {
    const first = start();
    await expect.poll(() => hub.batches.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await first.stop();
    const second = start({ joinToken: null });
    await expect.poll(() => clock.now() > PAST_NINE, { timeout: 10_000 }).toBe(true);
    await second.stop();
    expect(rest.joins).toBe(1);
    const facts = hub.batches.filter((batch) => batch.kind === "usage");
    expect(new Set(facts.map(({ spoolId }) => spoolId)).size).toBe(1);
    expect(facts.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(facts.map((_, index) => index + 1));
    expectTruth(usageRows());
  });

  test("spools while the hub acknowledges nothing or is away, and delivers when it is back", async () => {
    hub.acknowledging = false;
    const agent = start();
    await expect.poll(() => agent.status().spool.batches, { timeout: 10_000 }).toBeGreaterThan(2);
    const port = Number(hub.address.split(":")[1]);
    hub.stop();
    await expect.poll(() => agent.status().control.state).toBe("waiting");
    const spooled = agent.status().spool.batches;
    await expect.poll(() => agent.status().spool.batches, { timeout: 10_000 }).toBeGreaterThan(spooled);
    hub = await startCollectingHub(authority, () => clock.now(), port);
    await expect.poll(() => agent.status().spool.batches, { timeout: 15_000 }).toBe(0);
    await expect.poll(() => agent.status().control.state, { timeout: 10_000 }).toBe("connected");
    const facts = hub.batches.filter((batch) => batch.kind === "usage");
    expect(facts.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(facts.map((_, index) => index + 1));
  });

  test("measures the hub's clock and tells its facts by it", async () => {
    const agent = start();
    await expect.poll(() => hub.reports.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(Math.abs((agent.status().clockOffsetMs ?? 0) - 5_000)).toBeLessThan(4_000);
  });

  test("reports a node that goes within seconds, without waiting for the next report", async () => {
    start({ reportIntervalMs: 300_000 });
    await expect.poll(() => hub.reports.length, { timeout: 10_000 }).toBeGreaterThan(0);
    const count = hub.reports.at(-1)?.layer.node_count ?? 0;
    const [node] = cluster().nodeTruth(new Date(START), new Date(clock.now()));
    const askedAt = clock.now();
    cluster().remove("nodes", "", node?.name ?? "");
    await expect.poll(() => hub.reports.at(-1)?.layer.node_count, { interval: 5 }).toBe(count - 1);
    expect(clock.now() - askedAt).toBeLessThan(100_000);
  });

  test("stops for good when another one takes over, and keeps what it had not delivered", async () => {
    hub.acknowledging = false;
    const agent = start();
    await expect.poll(() => agent.status().spool.batches, { timeout: 10_000 }).toBeGreaterThan(0);
    const fence = { $typeName: "plimsoll.v1.Fenced" as const, sessionEpoch: 9n, instance: "agent-1" };
    hub.controls.at(-1)?.say({ case: "fenced", value: fence });
    expect(await agent.ended).toMatchObject({ reason: "fenced", code: "agent_fenced" });
    expect(agent.status()).toMatchObject({ state: "fenced", live: false });
    expect((await stat(join(path, "state/spool/usage"))).isDirectory()).toBe(true);
  });
});

test("an agent that starts while control is down delivers by the last policy, at the hub's time", async () => {
  const ingest = await startCollectingHub(authority, () => clock.now() + 5_000);
  const channel = { case: "grpc", value: { address: ingest.address } } as const;
  const routes = { destinations: [{ name: "hub", channel }] };
  const value = create(PolicySchema, { revision: 3n, usageFlushMs: 15_000, routes });
  const greet = hub.onControl;
  hub.onControl = (body, stream) => {
    greet(body, stream);
    if (body.case === "hello") stream.say({ case: "policy", value });
  };
  const first = start();
  await expect.poll(() => ingest.batches.length, { timeout: 15_000 }).toBeGreaterThan(0);
  await first.stop();
  hub.stop();
  const [before, streams] = [ingest.batches.length, hub.ingests.length];
  const second = start();
  await expect.poll(() => ingest.batches.length, { timeout: 15_000 }).toBeGreaterThan(before);
  expect(second.status().control.state).not.toBe("connected");
  expect(Math.abs((second.status().clockOffsetMs ?? 0) - 5_000)).toBeLessThan(4_000);
  expect(hub.ingests).toHaveLength(streams);
  ingest.stop();
});

test("a policy that the disk does not take runs all the same, and is said to the hub as applied", async () => {
  const agent = start();
  await agent.joined;
  await expect.poll(() => agent.status().control.state).toBe("connected");
  await mkdir(join(path, "state/policy.json"));
  const value = create(PolicySchema, { revision: 3n, spoolMaxBytes: 2n ** 31n });
  hub.controls.at(-1)?.say({ case: "policy", value });
  const answers = () => hub.controls.flatMap(({ received }) => received.map(({ body }) => body));
  await expect
    .poll(() => answers().find((body) => body.case === "policyApplied"))
    .toMatchObject({ value: { revision: 3n, errorCode: "" } });
  expect(agent.metrics()).toContain(`plimsoll_agent_spool_limit_bytes ${2 ** 31}`);
  expect(lines.some((line) => line.includes("policy_not_kept"))).toBe(true);
  await agent.stop();
});

describe("an agent does not start", () => {
  test("in the state folder of another one", async () => {
    await start().joined;
    const second = start();
    await expect(second.joined).rejects.toMatchObject({ code: "state_busy" });
    expect(await second.ended).toMatchObject({ reason: "failed", code: "state_busy" });
  });

  test("in the state folder of another cluster", async () => {
    const first = start();
    await first.joined;
    await first.stop();
    const other = await startSimulator({ clusters: 1, seed: 2, clock, podsPerCluster: 20, sickness: false });
    const mine = simulator;
    simulator = other;
    const second = start();
    expect(await second.ended).toMatchObject({ reason: "failed", code: "state_other_cluster" });
    await mine.stop();
  });

  test("without a token where it has not joined", async () => {
    await expect(start({ joinToken: null }).joined).rejects.toMatchObject({ code: "join_token_missing" });
  });
});

test("an agent that is stopped before it could join ends at once", async () => {
  rest.stop();
  const agent = start({ hubUrl: "http://127.0.0.1:1" });
  await expect.poll(() => lines.some((line) => line.includes("join_delayed"))).toBe(true);
  await agent.stop();
  expect(await agent.ended).toMatchObject({ reason: "stopped" });
  await expect(agent.joined).rejects.toBeDefined();
  const unused = await startFakeHub(authority);
  unused.stop();
});
