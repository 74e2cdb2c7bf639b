/**
 * A killed process never shows a missing flush: what it wrote is in the page cache. So the system calls are looked at once.
 * Hub: segment, then its folder, then the ledger's commit, then the acknowledgement. Agent: the entry, then "spooled", then
 * the wire. BREAK=nofsync must turn it red.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatRanges } from "../../packages/hub/src/ledger/sequence-marks.ts";
import { openStore } from "../../packages/hub/src/store/store.ts";
import { until } from "../fleet/until.ts";
import { ensureStrace } from "../strace.ts";
import { freePorts } from "../testbed/free-ports.ts";
import { AgentChild, type SpooledBatch } from "./agent-child.ts";
import { breakOfRun } from "./broken-parts.ts";
import { type Fact, usageFact } from "./facts.ts";
import { HubChild } from "./hub-child.ts";
import { isFlush, isWrite, lengthOf, missingStep, readCalls, type SystemCall, underStrace } from "./system-calls.ts";

const broken = breakOfRun();
const room = mkdtempSync(join(tmpdir(), "plimsoll-order-"));
const dataDir = join(room, "hub");
const traces = { hub: join(room, "hub.trace"), agent: join(room, "agent.trace") };
/** An answer, or a batch, of at least so many bytes is told from everything else on its connection. */
const LARGE = 16_000;
const RANGES = 4_000;
const QUIET_MS = 500;

let ports: readonly number[] = [];
let hub: HubChild;
let agent: AgentChild;
const spooled: SpooledBatch[] = [];

function startHub(under: readonly string[] = []): Promise<HubChild> {
  const [port = 0, controlPort = 0] = ports;
  return new HubChild({ settings: { dataDir, port, controlPort }, offsetMs: 0, broken, under }).ready();
}

async function startAgent(joinToken: string | null, under: readonly string[] = []): Promise<AgentChild> {
  const config = { hubUrl: hub.url, joinToken, stateDir: join(room, "agent"), instance: "traced" };
  const child = new AgentChild({ config, offsetMs: 0, seed: 1, broken }, (batch) => spooled.push(batch), under);
  await child.joined();
  return child;
}

/** Facts whose names no codec makes shorter: `bytes` of them and more. */
function facts(bytes: number): readonly Fact[] {
  const hourMs = Date.now() - (Date.now() % 3_600_000);
  return Array.from({ length: Math.ceil(bytes / 40) }, (_, index) => {
    const fact = usageFact(index, { fromMs: hourMs, asOfMs: hourMs + 1, unseenMs: 0 }, { cpu: 1n, memory: 1n });
    const podUid = randomBytes(20).toString("base64");
    return fact.kind === "usage" ? { kind: "usage", row: { ...fact.row, podUid } } : fact;
  });
}

async function deliver(given: readonly Fact[]): Promise<void> {
  const before = spooled.length;
  agent.drive(given);
  await until(
    "spooled",
    async () => spooled.length,
    (count) => count > before,
  );
  await delivered();
}

function delivered(): Promise<unknown> {
  return until(
    "delivered",
    () => agent.status(),
    (status) => status?.batches === 0 && status.connected,
    90_000,
  );
}

/** Gives the hub a mark of many ranges for this spool: its next acknowledgement names them all. */
async function fray(spoolId: string): Promise<void> {
  const store = await openStore({ sqlite: join(dataDir, "hub.sqlite") });
  const ranges = Array.from({ length: RANGES }, (_, index) => ({ first: 2e6 + 2 * index, last: 2e6 + 2 * index }));
  const change = store.db.updateTable("ledger_marks").set({ ranges: formatRanges(ranges) });
  const { numUpdatedRows } = await change.where("spool_id", "=", spoolId).executeTakeFirstOrThrow();
  await store.close();
  expect(Number(numUpdatedRows)).toBe(1);
}

beforeAll(async () => {
  ensureStrace();
  ports = await freePorts(2);
  hub = await startHub();
  agent = await startAgent(await hub.joinToken("traced"));
  await deliver(facts(1));
}, 120_000);

afterAll(async () => {
  await Promise.all([agent?.kill(), hub?.kill()]);
  rmSync(room, { recursive: true, force: true });
});

const toAgents = ({ target }: SystemCall): boolean => target.startsWith(`TCP:[127.0.0.1:${ports[1]}->`);
const toHub = ({ target }: SystemCall): boolean =>
  target.startsWith("TCP:[") && target.endsWith(`->127.0.0.1:${ports[1]}]`);

test("the hub flushes segment, folder and ledger, in this order, before it acknowledges", async () => {
  await hub.kill();
  await fray(spooled[0]?.spoolId ?? "");
  hub = await startHub(underStrace(traces.hub));
  await delivered();
  await pause(QUIET_MS);
  const from = lengthOf(traces.hub);
  await deliver(facts(1));
  await pause(QUIET_MS);
  await hub.kill();
  const calls = readCalls(traces.hub).filter(({ began }) => began >= from);
  const opened = calls.find(({ name, target }) => name === "openat" && /segments\/usage\/.*\.parquet/.test(target));
  const segment = opened?.target ?? "no segment was opened";
  const isSegment = ({ target }: SystemCall) => target === segment;
  const isFolder = ({ target }: SystemCall) => target === dirname(segment);
  const isWal = ({ target }: SystemCall) => target === join(dataDir, "hub.sqlite-wal");
  const isAck = (call: SystemCall) => isWrite(call) && toAgents(call) && call.result >= LARGE;
  const steps = [
    { what: "writing the segment", is: (call: SystemCall) => isWrite(call) && isSegment(call) },
    { what: "flushing the segment", is: (call: SystemCall) => isFlush(call) && isSegment(call) },
    { what: "flushing its folder", is: (call: SystemCall) => isFlush(call) && isFolder(call) },
    { what: "writing the ledger", is: (call: SystemCall) => isWrite(call) && isWal(call) },
    { what: "flushing the ledger", is: (call: SystemCall) => isFlush(call) && isWal(call) },
    { what: "acknowledging", is: isAck },
  ];
  expect(missingStep(calls, steps)).toBeNull();
  // Nothing is written to the segment after its flush, and nothing was acknowledged before.
  const flushed = calls.findLastIndex((call) => isFlush(call) && isSegment(call));
  expect(calls.slice(flushed).filter((call) => isWrite(call) && isSegment(call))).toEqual([]);
  expect(calls.slice(0, flushed).filter(isAck)).toEqual([]);
}, 180_000);

test("the agent flushes an entry before it calls it spooled, and before it sends it", async () => {
  await agent.kill();
  // A new spool, to see its first segment made.
  rmSync(join(room, "agent/spool"), { recursive: true, force: true });
  hub = await startHub();
  agent = await startAgent(null, underStrace(traces.agent));
  await delivered();
  await pause(QUIET_MS);
  const from = lengthOf(traces.agent);
  await deliver(facts(4 * LARGE));
  await pause(QUIET_MS);
  await agent.kill();
  const all = readCalls(traces.agent);
  const calls = all.filter(({ began }) => began >= from);
  const isSegment = ({ target }: SystemCall) => /spool\/usage\/.*\.seg$/.test(target);
  const write = { what: "writing the entry", is: (call: SystemCall) => isWrite(call) && isSegment(call) };
  const flush = { what: "flushing the entry", is: (call: SystemCall) => isFlush(call) && isSegment(call) };
  const tells = (call: SystemCall) => isWrite(call) && call.target.startsWith("UNIX") && call.result >= LARGE;
  const sends = (call: SystemCall) => isWrite(call) && toHub(call) && call.result >= LARGE;
  expect(missingStep(calls, [write, flush, { what: 'saying "spooled"', is: tells }])).toBeNull();
  expect(missingStep(calls, [write, flush, { what: "sending it", is: sends }])).toBeNull();
  const flushed = calls.findIndex(flush.is);
  expect(calls.slice(0, flushed).filter((call) => tells(call) || sends(call))).toEqual([]);
  // The segment's name is on disk before anything is written to it.
  const isMade = ({ name, text }: SystemCall) => name === "openat" && text.includes("O_CREAT");
  const made = { what: "making the segment", is: (call: SystemCall) => isMade(call) && isSegment(call) };
  const named = {
    what: "flushing its folder",
    is: (call: SystemCall) => isFlush(call) && /spool\/usage$/.test(call.target),
  };
  expect(missingStep(all, [made, named, write])).toBeNull();
}, 180_000);
