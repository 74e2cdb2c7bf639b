/**
 * Agent, hub, or both are killed again and again while pods come and go: what the hub holds in the end is what the simulator
 * wrote down, none of it lost and none twice; and the cluster is unknown only while nobody reports it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterView } from "@plimsoll/contracts/rest";
import type { HubSettings } from "@plimsoll/hub";
import { type PodTruth, type Simulator, startSimulator } from "@plimsoll/sim";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../oracle/random.ts";
import { freePorts } from "../testbed/free-ports.ts";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import { type HeldUsage, heldUsage } from "./held-usage.ts";
import { type HubClient, hubClient } from "./hub-client.ts";
import { until } from "./until.ts";

const BEAT_MS = 1_000;
const VICTIMS = ["agent", "hub", "both"] as const;
/**
 * A pod ends for the agent when the API shows it: the simulator's tick (1 s) later than it was planned, and on a busy machine
 * later still. What it is billed too much for that is told from a row that counts twice: that is a flush, 10 s, or more.
 */
const SEEN_LATE_SECONDS = 3n;
const HUB_START_MS = 60_000;

const seed = Number(process.env.PLIMSOLL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const { next: random } = seededRandom(seed);
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

async function startHubProcess(): Promise<void> {
  hubStartedMs = Date.now();
  const given: HubSettings = { ...settings, ...ports };
  const program = new URL("hub-process.ts", import.meta.url);
  hub = fork(program, [JSON.stringify(given)], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
  let log = "";
  hub.stderr?.setEncoding("utf8").on("data", (text: string) => (log += text));
  // Its last words come after its end.
  const ended = once(hub, "close").then(() =>
    Promise.reject(new Error(`the hub ended by itself: ${log.slice(-2_000)}`)),
  );
  const [said] = await Promise.race([once(hub, "message", { signal: AbortSignal.timeout(HUB_START_MS) }), ended]);
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

/** Kills agent, hub or both `rounds` times and more, and then holds the hub's usage against the simulator's truth. */
export function killLoop(rounds: number): void {
  beforeAll(async () => {
    console.log(`PLIMSOLL_SEED=${seed}`);
    simulator = await startSimulator({ clusters: 1, seed, load: "flat", sickness: false, podsPerCluster: 150 });
    writeFileSync(join(room, "kubeconfig"), simulator.kubeconfig());
    // Not just any free ones: while the hub is dead, an outgoing connection would be given its port, and it could not start.
    const [port = 0, controlPort = 0] = await freePorts(2);
    ports = { port, controlPort };
    await startHubProcess();
  }, 120_000);

  afterAll(async () => {
    await agent?.end("SIGKILL");
    await killHub();
    await simulator?.stop();
    rmSync(room, { recursive: true, force: true });
  });

  const title = "usage is the truth after kills of agent, hub and both, none lost and none twice";
  test(title, () => killAndCompare(rounds), (rounds + 15) * 60_000);
}

async function killAndCompare(rounds: number): Promise<void> {
  const { token } = await client.joinToken(nameOf());
  firstHourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await startAgent(token);
  await backOnline();
  await until("first usage", held, (usage) => usage.size > 0);
  const knownMs = simulator.now().getTime();
  let kills = 0;
  for (let round = 0; round < rounds; round += 1) {
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
    120_000,
  );
  const unseen = [...usage.values()].filter(({ unseenMs }) => unseenMs > 0).length;
  console.log(
    `${kills} kills, ${usage.size} pods held; of those known ${ended.length} ended, ${born.length} of them born meanwhile; ` +
      `${unseen} with unseen time`,
  );
  expect(ended.length).toBeGreaterThan(0);

  // Truth up to the moment that the hub's rows run to: for a pod that ended, its whole life.
  const faults = [...usage].flatMap(([uid, holds]) => faultsOf(uid, holds, kills));
  expect(faults).toEqual([]);
  expect(unexplained).toEqual([]);
}

function endedSince(knownMs: number): number {
  const nowMs = simulator.now().getTime();
  const pods = simulator.truth(nameOf(), new Date(firstHourMs), new Date(nowMs));
  return pods.filter((pod) => endOf(pod) > knownMs && endOf(pod) <= nowMs).length;
}

const endOf = ({ end }: PodTruth): number => (end === null ? Number.POSITIVE_INFINITY : Date.parse(end));
/** An agent that sees a cluster for the first time meters from the start of the hour. */
let firstHourMs = 0;
const truths = new Map<number, ReadonlyMap<string, PodTruth>>();
/** By UID, up to a second since 1970; rows run to few different ones. */
function truthAt(second: number): ReadonlyMap<string, PodTruth> {
  const known = truths.get(second);
  if (known) return known;
  const pods = simulator.truth(nameOf(), new Date(firstHourMs), new Date(second * 1_000));
  const made = new Map(pods.map((pod) => [pod.uid, pod]));
  truths.set(second, made);
  return made;
}

/**
 * What the hub holds of a pod against its truth at the moment that its rows run to, which lies within a second. An agent that
 * starts again goes on from whole units, so each kill may cost one. Only a pod that has ended may be held for longer than it
 * lived, by what its end was seen late; and only one that says that it may have run unseen, for less, by no more than that.
 */
function faultsOf(uid: string, holds: HeldUsage, kills: number): string[] {
  const asOf = holds.asOfMs / 1_000;
  const whole = truthAt(Math.ceil(simulator.now().getTime() / 1_000)).get(uid);
  if (!whole) return [`${uid} is no pod of the simulator`];
  // Of a pod that was seen in its first second there is nothing yet.
  const [least, most] = [Math.floor(asOf), Math.ceil(asOf)].map((second) => truthAt(second).get(uid)?.requested);
  const over = endOf(whole) <= holds.asOfMs ? SEEN_LATE_SECONDS : 0n;
  const under = BigInt(Math.ceil(holds.unseenMs / 1_000));
  const sums = [
    {
      name: "cpu",
      held: holds.cpu,
      of: (sum: Sum | undefined) => sum?.cpuNanocoreSeconds ?? 0n,
      rate: (stretch: Stretch) => stretch.cpuNanocores,
    },
    {
      name: "memory",
      held: holds.memory,
      of: (sum: Sum | undefined) => sum?.memoryByteSeconds ?? 0n,
      rate: (stretch: Stretch) => stretch.memoryBytes,
    },
  ];
  return sums.flatMap(({ name, held, of, rate }) => {
    const second = of(whole.requested) / BigInt(whole.seconds) + 1n;
    // That its init containers are done is heard late by an agent that is dead meanwhile: what they reserve bounds it.
    const peak =
      whole.requests
        .map(rate)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .at(-1) ?? 0n;
    const upTo = whole.requests.length > 1 ? peak * BigInt(whole.seconds) : of(most);
    const [from, to] = [of(least) - under * second - BigInt(kills), upTo + over * second];
    if (held >= from && held <= to) return [];
    const run = `${whole.start} to ${whole.end ?? "now"}, held up to ${new Date(holds.asOfMs).toISOString()}`;
    return [`${uid} ${name}: ${held} is not from ${from} to ${to}; ${run}, ${holds.unseenMs} ms unseen`];
  });
}

type Sum = PodTruth["requested"];
type Stretch = PodTruth["requests"][number];
type Usage = ReadonlyMap<string, HeldUsage>;
const held = (): Promise<Usage> => heldUsage(settings.dataDir, join(room, "scratch"));
