/**
 * Agent, hub, or both are killed again and again while pods come and go: what the hub holds in the end is what the simulator
 * wrote down, none of it lost and none twice; and the cluster is unknown only while nobody reports it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterView } from "@plimsoll/contracts/rest";
import type { HubSettings } from "@plimsoll/hub";
import { type PodTruth, type Simulator, startSimulator } from "@plimsoll/sim";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import { type HeldUsage, heldUsage } from "./held-usage.ts";
import { type HubClient, hubClient } from "./hub-client.ts";
import { until } from "./until.ts";
import { createUsageTruth } from "./usage-truth.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 6);
const seed = Number(process.env.PLIMSOLL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const BEAT_MS = 1_000;
const VICTIMS = ["agent", "hub", "both"] as const;

let state = seed;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

const room = mkdtempSync(join(tmpdir(), "plimsoll-kill-"));
const settings = {
  dataDir: join(room, "hub"),
  beatMs: BEAT_MS,
  policy: { sampleIntervalMs: 10_000, usageFlushMs: 10_000, usageResendMs: 60_000, reportIntervalMs: 10_000 },
} as const;
let ports = { port: 0, controlPort: 0 };
let simulator: Simulator;
let hub: ChildProcess;
let hubStartedMs = 0;
let client: HubClient;
let agent: AgentProcess;
/** States seen that silence does not explain. */
const unexplained: string[] = [];

beforeAll(async () => {
  console.log(`PLIMSOLL_SEED=${seed}`);
  simulator = await startSimulator({ clusters: 1, seed, load: "flat", sickness: false, podsPerCluster: 150 });
  writeFileSync(join(room, "kubeconfig"), simulator.kubeconfig());
  ports = { port: await freePort(), controlPort: await freePort() };
  await startHubProcess();
}, 60_000);

afterAll(async () => {
  await agent?.end("SIGKILL");
  await killHub();
  await simulator?.stop();
  rmSync(room, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function startHubProcess(): Promise<void> {
  hubStartedMs = Date.now();
  const given: HubSettings = { ...settings, ...ports };
  const program = new URL("hub-process.ts", import.meta.url);
  hub = fork(program, [JSON.stringify(given)], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
  let log = "";
  hub.stderr?.setEncoding("utf8").on("data", (text: string) => (log += text));
  const [said] = await Promise.race([
    once(hub, "message"),
    once(hub, "exit").then(() => Promise.reject(new Error(`the hub ended by itself: ${log.slice(-2_000)}`))),
  ]);
  client = hubClient(said as { readonly url: string; readonly adminToken: string });
}

async function killHub(): Promise<void> {
  if (!hub || hub.exitCode !== null || hub.signalCode !== null) return;
  const gone = once(hub, "exit");
  hub.kill("SIGKILL");
  await gone;
}

async function startAgent(token?: string): Promise<void> {
  const [cluster] = simulator.clusters;
  const joining = token === undefined ? [] : ["--token", token];
  const url = `http://127.0.0.1:${ports.port}`;
  const where = ["--state", join(room, "agent"), "--kubeconfig", join(room, "kubeconfig")];
  agent = startAgentProcess(["--hub", url, ...joining, ...where, "--context", cluster?.name ?? ""]);
}

/** Notes when the cluster is called offline although it was heard, or this hub has not listened for long enough. */
async function watchedState(): Promise<ClusterView | undefined> {
  const view = await client.cluster(nameOf());
  if (view?.connectivity.state === "offline") {
    const heardMs = Date.parse(view.connectivity.lastBeatAt ?? "") || 0;
    const silentMs = Date.now() - Math.max(heardMs, hubStartedMs);
    if (silentMs < view.connectivity.unknownAfterSeconds * 1_000) unexplained.push(`offline after ${silentMs} ms`);
  }
  return view;
}

const nameOf = () => simulator.clusters[0]?.name ?? "";
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function backOnline(): Promise<void> {
  const since = Date.now();
  await until("online", watchedState, (view) => {
    const heard = Date.parse(view?.connectivity.lastBeatAt ?? "") || 0;
    return view?.connectivity.state === "online" && heard >= since;
  });
}

async function kill(victim: (typeof VICTIMS)[number]): Promise<number> {
  const ends = [];
  if (victim !== "hub") ends.push(agent.end("SIGKILL"));
  if (victim !== "agent") ends.push(killHub());
  await Promise.all(ends);
  const killed = [agent.child.signalCode, hub.signalCode].filter((signal) => signal === "SIGKILL").length;
  expect(killed).toBe(ends.length);
  return killed;
}

async function startAgain(): Promise<void> {
  if (hub.signalCode !== null) await startHubProcess();
  if (agent.child.signalCode !== null) await startAgent();
}

test("usage is the truth after kills of agent, hub and both, none lost and none twice", async () => {
  const { token } = await client.joinToken(nameOf());
  firstHourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await startAgent(token);
  await backOnline();
  await until("first usage", held, (usage) => usage.size > 0);
  const knownMs = simulator.now().getTime();
  let kills = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await wait(1_000 + random() * 3_000);
    kills += await kill(VICTIMS[round % VICTIMS.length] ?? "both");
    await startAgain();
    // Every third time again, in the middle of the start.
    if (round % 3 === 1) {
      await wait(random() * 1_500);
      kills += await kill("both");
      await startAgain();
    }
    await backOnline();
  }
  expect(kills).toBeGreaterThan(0);

  // The pods that matter most are those whose life ended under the kills: their rows are final.
  await until(
    "a pod has ended",
    async () => endedSince(knownMs),
    (count) => count > 0,
    300_000,
  );
  const toMs = simulator.now().getTime();
  const pods = simulator.truth(nameOf(), new Date(0), new Date(toMs)).filter((pod) => endOf(pod) > knownMs);
  const ended = pods.filter((pod) => endOf(pod) <= toMs);
  const born = ended.filter(({ start }) => Date.parse(start) >= knownMs);
  let usage: Usage = new Map();
  await until(
    "held up to the end",
    async () => {
      usage = await held();
      const late = pods.filter((pod) => !(endOf(pod) <= toMs ? usage.get(pod.uid)?.ended : usage.has(pod.uid)));
      return late.map(({ name, start, end, uid }) => `${name} ${start} ${end} ${usage.get(uid)?.asOfMs ?? "unheard"}`);
    },
    (late) => late.length === 0,
    45_000,
  );
  const unseen = [...usage.values()].filter(({ unseenMs }) => unseenMs > 0).length;
  console.log(
    `${kills} kills, ${usage.size} pods held; of those known ${ended.length} ended, ${born.length} of them born meanwhile; ` +
      `${unseen} with unseen time`,
  );
  expect(ended.length).toBeGreaterThan(0);

  // Truth up to the moment that the hub's rows run to: for a pod that ended, its whole life.
  const faults = createUsageTruth(simulator, nameOf(), firstHourMs).faults(usage, kills);
  expect(faults).toEqual([]);
  expect(unexplained).toEqual([]);
}, 900_000);

function endedSince(knownMs: number): number {
  const nowMs = simulator.now().getTime();
  const pods = simulator.truth(nameOf(), new Date(firstHourMs), new Date(nowMs));
  return pods.filter((pod) => endOf(pod) > knownMs && endOf(pod) <= nowMs).length;
}

const endOf = ({ end }: PodTruth): number => (end === null ? Number.POSITIVE_INFINITY : Date.parse(end));
/** An agent that sees a cluster for the first time meters from the start of the hour. */
let firstHourMs = 0;
type Usage = ReadonlyMap<string, HeldUsage>;
const held = (): Promise<Usage> => heldUsage(settings.dataDir, join(room, "scratch"));
