import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JoinAnswer, JoinTokenAnswer } from "@plimsoll/contracts/rest";
import { type Envelope, sealBatch } from "@plimsoll/contracts/wire";
import { type AgentClient, agentClient } from "../../packages/hub/src/channel/testing/agent-client.ts";
import { makeAgentKey } from "../../packages/hub/src/registration/testing/agent-key.ts";
import { openStore } from "../../packages/hub/src/store/store.ts";
import type { JoinedCluster } from "../../packages/hub/src/testing/test-hub.ts";
import { Duck, literal } from "../../packages/hub/src/warehouse/duck.ts";
import { openWarehouse } from "../../packages/hub/src/warehouse/warehouse.ts";
import { clusterFacts, sumOf, TICKS } from "./facts.ts";
import { cpuSecondsOf, peakMebibytesOf } from "./process-cpu.ts";

/** What a receiver took for the facts. Bytes are of everything; CPU is user and system time, seconds. */
export interface Receiving {
  /** Until the last answer. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMebibytes: number;
  /** CPU of the hour after, of the same series: nothing is new then, and the process is warm. */
  readonly nextHourCpuSeconds: number;
}

/** What our hub took, and what it holds of one hour. */
export interface HubRun extends Receiving {
  readonly wireBytes: number;
  readonly segmentBytes: number;
  readonly segments: number;
  readonly ledgerBytes: number;
  readonly compaction: { readonly cpuSeconds: number; readonly segmentBytes: number; readonly segments: number };
}

/** How the hub is run. */
export interface HubOptions {
  readonly clusters: number;
  readonly startMs: number;
  /** Every cluster waits with its next tick until all have theirs acknowledged; else it sends what its window holds. */
  readonly tickByTick?: boolean;
  /** A folder for a CPU profile of the hub; undefined = none. */
  readonly profileFolder?: string | undefined;
}

interface Delivery {
  readonly client: AgentClient;
  readonly stream: ReturnType<AgentClient["deliver"]>;
  readonly envelopes: readonly Envelope[];
  /** Sum of all their values. */
  readonly total: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SPOOL = "0198c1f2-0000-7000-8000-000000000000";

/** Ingests the facts into a real hub: every cluster with its own certificate on a stream of its own, each tick one batch. */
export async function runHub(options: HubOptions): Promise<HubRun> {
  const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-peers-"));
  const child = startHub(dataDir, options.profileFolder);
  try {
    const ended = once(child, "exit").then(() => []);
    const [hub]: { url: string; adminToken: string }[] = await Promise.race([once(child, "message"), ended]);
    if (hub === undefined) throw new Error("the hub did not start");
    const deliveries: Delivery[] = [];
    for (let number = 0; number < options.clusters; number += 1) {
      deliveries.push(await connect(hub, number, options.startMs));
    }
    const received = await deliver(child.pid ?? 0, deliveries, options.tickByTick ?? false);
    const nextHourCpuSeconds = await deliverHour(child.pid ?? 0, deliveries, 1, options.tickByTick ?? false);
    for (const { client } of deliveries) client.close();
    await end(child);
    const wireBytes = deliveries
      .flatMap(({ envelopes }) => envelopes.slice(0, TICKS))
      .reduce((sum, { bytes }) => sum + bytes.length, 0);
    await checkSegments(dataDir, deliveries);
    return { ...received, nextHourCpuSeconds, wireBytes, ...(await weigh(dataDir, options.startMs)) };
  } finally {
    child.kill("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startHub(dataDir: string, profileFolder: string | undefined): ChildProcess {
  return fork(join(import.meta.dirname, "hub-process.ts"), [dataDir], {
    execArgv: profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`],
    stdio: ["ignore", "inherit", "ignore", "ipc"],
  });
}

async function end(child: ChildProcess): Promise<void> {
  const over = once(child, "exit");
  child.send("stop");
  await over;
}

/** Joins a cluster, seals its batches and opens its stream up to the welcome: what comes then is measured. */
async function connect(
  hub: { readonly url: string; readonly adminToken: string },
  number: number,
  startMs: number,
): Promise<Delivery> {
  const cluster = await joinCluster(hub, `bench-${String(number).padStart(2, "0")}`);
  const { clusterId, incarnation } = cluster;
  const facts = { sealedAtMs: Date.now(), agentClockMs: Date.now(), policyRevision: 1, replaces: null };
  const hours = [startMs, startMs + HOUR_MS].map((hourMs) => clusterFacts(clusterId, number, hourMs));
  const envelopes = hours
    .flatMap(({ ticks }) => ticks)
    .map((rows, tick) =>
      sealBatch({ clusterId, incarnation, spoolId: SPOOL, sequence: tick + 1 }, { kind: "sample", rows }, facts),
    );
  const client = agentClient(cluster);
  const stream = client.deliver();
  stream.send({
    case: "hello",
    value: {
      $typeName: "plimsoll.v1.IngestHello",
      clusterId,
      incarnation,
      agentVersion: "0.1.0",
      instance: "bench",
      sessionEpoch: 0n,
      spools: [],
      relay: "",
    },
  });
  await stream.until("welcome");
  return { client, stream, envelopes, total: hours.reduce((sum, hour) => sum + sumOf(hour), 0) };
}

async function joinCluster(
  { url, adminToken }: { readonly url: string; readonly adminToken: string },
  name: string,
): Promise<JoinedCluster> {
  const post = async (path: string, body: unknown, token?: string): Promise<unknown> => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const order = await post("/api/v1/join-tokens", { clusterName: name, labels: {} }, adminToken);
  const key = await makeAgentKey();
  const fingerprint = `fingerprint-of-${name}`;
  const request = { token: JoinTokenAnswer.parse(order).token, csr: key.csr, fingerprint, agentVersion: "0.1.0" };
  return { ...JoinAnswer.parse(await post("/api/v1/join", request)), ...key, fingerprint };
}

async function deliver(
  pid: number,
  deliveries: readonly Delivery[],
  tickByTick: boolean,
): Promise<Omit<Receiving, "nextHourCpuSeconds">> {
  const begin = performance.now();
  const cpuSeconds = await deliverHour(pid, deliveries, 0, tickByTick);
  return { cpuSeconds, wallSeconds: (performance.now() - begin) / 1000, peakMebibytes: peakMebibytesOf(pid) };
}

/** CPU seconds until the last acknowledgement of an hour. */
async function deliverHour(
  pid: number,
  deliveries: readonly Delivery[],
  hour: number,
  tickByTick: boolean,
): Promise<number> {
  const before = cpuSecondsOf(pid);
  const step = tickByTick ? 1 : TICKS;
  for (let tick = hour * TICKS; tick < (hour + 1) * TICKS; tick += step) {
    await Promise.all(deliveries.map((delivery) => deliverPart(delivery, tick, tick + step)));
  }
  return cpuSecondsOf(pid) - before;
}

/** Sends some of the batches, which the hub's window holds, and waits for the acknowledgement of the last one. */
async function deliverPart({ stream, envelopes }: Delivery, from: number, to: number): Promise<void> {
  for (const { bytes } of envelopes.slice(from, to)) stream.send({ case: "envelope", value: bytes });
  for (;;) {
    const answer = await stream.next();
    if (answer?.case !== "ack") throw new Error(`the hub answered ${answer?.case ?? "nothing"}`);
    if (Number(answer.value.contiguous) === to) return;
  }
}

/** Throws unless the files of a hub that has ended hold every value once, by their count and their sum. */
async function checkSegments(dataDir: string, deliveries: readonly Delivery[]): Promise<void> {
  const duck = await Duck.open({ temporaryFolder: join(dataDir, "check"), memoryMegabytes: 256, threads: 2 });
  const files = literal(join(dataDir, "segments/sample/*/*.parquet"));
  const [held] = await duck.query(
    `select count(*) as rows, sum(requested + used_min + used_avg + used_max) as total from read_parquet(${files})`,
  );
  duck.close();
  const rows = deliveries.flatMap(({ envelopes }) => envelopes).reduce((sum, envelope) => sum + envelope.rows, 0);
  const total = deliveries.reduce((sum, delivery) => sum + delivery.total, 0);
  if (held?.number("rows") !== rows) throw new Error(`the hub holds ${held?.number("rows")} rows of ${rows}`);
  // The facts are summed as doubles, whose last digits depend on their order.
  const off = Math.abs(Number(held.big("total")) - total);
  if (!(off <= 1e-9 * total)) throw new Error(`the hub sums ${held.big("total")}, the facts ${total}`);
}

/** Bytes of a hub that has ended, and what they become by compaction: of one of its two hours. */
async function weigh(
  dataDir: string,
  startMs: number,
): Promise<Pick<HubRun, "segmentBytes" | "segments" | "ledgerBytes" | "compaction">> {
  const path = join(dataDir, "hub.sqlite");
  const ledgerBytes = statSync(path).size / 2;
  const store = await openStore({ sqlite: path });
  const warehouse = await openWarehouse({ dataDir, store });
  const live = async () => {
    const rows = await store.db
      .selectFrom("segments")
      .select(["bytes", "hour_start_ms"])
      .where("state", "=", "live")
      .execute();
    return rows.map(({ bytes, hour_start_ms }) => ({ bytes, first: hour_start_ms === startMs }));
  };
  try {
    const written = (await live()).filter(({ first }) => first);
    const cpu = process.cpuUsage();
    await warehouse.compact(Date.now() + DAY_MS); // when everything has long been quiet
    const { user, system } = process.cpuUsage(cpu);
    const merged = await live();
    return {
      segmentBytes: bytesOf(written),
      segments: written.length,
      ledgerBytes,
      compaction: { cpuSeconds: (user + system) / 2e6, segmentBytes: bytesOf(merged) / 2, segments: merged.length },
    };
  } finally {
    await warehouse.close();
    await store.close();
  }
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}
