import { AgentPolicyAnswer } from "@plimsoll/contracts/rest";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type JoinedCluster, startTestHub, type TestHub } from "../../packages/hub/src/testing/test-hub.ts";
import { ChannelAgent, type ChannelAgentOptions } from "./channel-agent.ts";

/** The agent's real channel against a real hub: what comes in the middle of a long delivery. */

/** A day of spool, a batch each minute. */
const DAY = 1_440;
/** For a busy machine. */
const LONG = { timeout: 120_000, interval: 5 };

let hub: TestHub;
let cluster: JoinedCluster;
const agents: ChannelAgent[] = [];

beforeEach(async () => {
  hub = await startTestHub();
  cluster = await hub.join("prod-eu");
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.remove();
  await hub.remove();
});

async function agentWith(options: ChannelAgentOptions): Promise<ChannelAgent> {
  const agent = await ChannelAgent.make(cluster, options);
  agents.push(agent);
  return agent;
}

async function rowsCounted(): Promise<number> {
  const { text } = await hub.ask("/metrics");
  const found = /^plimsoll_ingest_rows\w*\{kind="sample"\} (\d+)$/m.exec(text);
  return Number(found?.[1] ?? 0);
}

test("a policy reaches an agent while it replays a day of spool, not after it", async () => {
  const applied: { readonly sampleIntervalMs: number; readonly atMs: number; readonly waiting: number }[] = [];
  const agent: ChannelAgent = await agentWith({
    batches: DAY,
    onPolicy: (_, sampleIntervalMs) =>
      applied.push({ sampleIntervalMs, atMs: performance.now(), waiting: agent.waiting }),
  });
  await agent.connect();
  await vi.waitFor(() => expect(agent.waiting).toBeLessThan(DAY - 100), LONG);
  const before = performance.now();
  const change = { method: "PUT", body: { sampleIntervalMs: 15_000 } };
  AgentPolicyAnswer.parse((await hub.ask("/api/v1/policy", change)).body);
  await vi.waitFor(() => expect(applied.at(-1)).toMatchObject({ sampleIntervalMs: 15_000 }), LONG);
  const { atMs = 0, waiting = 0 } = applied.at(-1) ?? {};
  console.log(`the policy was applied after ${Math.round(atMs - before)} ms, with ${waiting} of ${DAY} batches to go`);
  expect(waiting).toBeGreaterThan(0);
  await vi.waitFor(() => expect(agent.waiting).toBe(0), LONG);
  expect([await rowsCounted(), agent.refused]).toEqual([DAY, []]);
});

test("streams that are asked to connect anew in the middle of a delivery lose nothing and repeat nothing", async () => {
  const agent = await agentWith({ batches: DAY });
  await agent.connect();
  let moves = 0;
  for (let waiting = agent.waiting; waiting > 0 && moves < 3; waiting = agent.waiting) {
    const goesOn = () =>
      agent.connected.control > moves && agent.connected.ingest > moves && agent.waiting < waiting - 100;
    await vi.waitFor(() => expect(agent.waiting === 0 || goesOn()).toBe(true), LONG);
    if (agent.waiting === 0) break;
    const answer = await hub.ask("/api/v1/streams/moves", { method: "POST", body: { withinSeconds: 1 } });
    expect(answer.body).toEqual({ control: 1, ingest: 1 });
    moves += 1;
  }
  await vi.waitFor(() => expect(agent.waiting).toBe(0), LONG);
  console.log(`${moves} moves on the way of ${DAY} batches`);
  expect(moves).toBeGreaterThan(0);
  expect([await rowsCounted(), agent.refused]).toEqual([DAY, []]);
});

describe("of two live agents of one cluster the newest wins", () => {
  test.each<[string, ChannelAgentOptions, boolean]>([
    ["of another name", { instance: "agent-1" }, true],
    ["of another name, whose data streams began before their sessions", { instance: "agent-1" }, false],
    ["of the same name, started from a copy of the state folder", { startedMs: 2 }, true],
  ])("one %s: the older stops for good, the newer delivers", async (_, newerOptions, controlFirst) => {
    const older = await agentWith({ batches: 3 });
    await older.connect({ controlFirst });
    await vi.waitFor(() => expect(older.waiting).toBe(0), LONG);
    const newer = await agentWith({ ...newerOptions, batches: 5 });
    await newer.connect({ controlFirst });
    expect(await older.ended()).toMatchObject([{ reason: "fenced" }, { reason: "fenced" }]);
    await older.spool();
    await vi.waitFor(() => expect(newer.waiting).toBe(0), LONG);
    await newer.spool();
    await vi.waitFor(() => expect(newer.waiting).toBe(0), LONG);
    expect([older.waiting, await rowsCounted()]).toEqual([1, 3 + 5 + 1]);
    expect(newer.connected).toEqual({ control: 1, ingest: 1 });
  });
});
