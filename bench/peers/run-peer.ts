import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../test/testbed/free-ports.ts";
import { type ClusterFacts, metricOf, sumOf, TICK_MS, TICKS, VALUES, VALUES_PER_TICK } from "./facts.ts";
import { cpuSecondsOf, peakMebibytesOf } from "./process-cpu.ts";
import type { PeerName, PeerProgram } from "./programs.ts";
import type { RemoteWriteVersion } from "./remote-write.ts";
import { sendAll } from "./remote-write-sender.ts";
import type { Receiving } from "./run-hub.ts";

/** What a peer took, and what it holds in its data folder; `parts` are named as the peer names them. */
export interface PeerRun extends Receiving {
  /** Until everything is in files: flushed and, where the peer does that by itself, merged. */
  readonly settledCpuSeconds: number;
  readonly diskBytes: Readonly<Record<string, number>>;
}

const HOUR_MS = 3_600_000;

/** How a peer is run: its arguments, and what is done after the last answer so that its files hold everything. */
interface Peer {
  readonly args: (folder: string, address: string) => readonly string[];
  readonly ready: string;
  readonly settle: (url: string) => Promise<void>;
  /** Folders below the data folder whose bytes are told apart. */
  readonly parts: Readonly<Record<string, string>>;
}

/** What is still in memory alone, of data and index, and merges that run. */
const AT_WORK = /^vm_(?:parts\{type="[a-z]+\/inmemory"|(?:active_merges|pending_rows)\{[^}]*)\} (\d+)/gm;

const PEERS: { readonly [Name in PeerName]: Peer } = {
  "victoria-metrics": {
    args: (folder, address) => [`-storageDataPath=${folder}/data`, `-httpListenAddr=${address}`, "-loggerLevel=ERROR"],
    ready: "/health",
    settle: async (url) => {
      await ask(`${url}/internal/force_flush`);
      await untilStill(`${url}/metrics`, AT_WORK);
      await ask(`${url}/internal/force_merge`);
      await untilStill(`${url}/metrics`, AT_WORK);
    },
    parts: { all: "data" },
  },
  prometheus: {
    args: (folder, address) => [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
      "--web.enable-remote-write-receiver",
      "--web.enable-admin-api",
      "--log.level=error",
    ],
    ready: "/-/ready",
    // The head stays in memory and in the log for hours; a snapshot writes it as the block that it would become.
    settle: async (url) => ask(`${url}/api/v1/admin/tsdb/snapshot`, "POST").then(() => undefined),
    parts: { log: "data/wal", headChunks: "data/chunks_head", block: "data/snapshots" },
  },
};

/** Facts of all clusters for one hour, and for each cluster the requests that carry them. */
export interface HourOfFacts {
  readonly facts: readonly ClusterFacts[];
  readonly requests: Readonly<Record<RemoteWriteVersion, readonly (readonly Uint8Array[])[]>>;
}

/** Feeds a peer two hours by remote write, sees by query that it holds all of them, and weighs its files after the first. */
export async function runPeer(
  { name, path }: PeerProgram,
  hours: readonly [HourOfFacts, HourOfFacts],
  version: RemoteWriteVersion,
): Promise<PeerRun> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-peers-"));
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, "prometheus.yml"), "global: {}\n");
  const peer = PEERS[name];
  const child = spawn(path, peer.args(folder, `127.0.0.1:${port}`), { stdio: ["ignore", "ignore", "inherit"] });
  try {
    await untilReady(`${url}${peer.ready}`, child);
    const pid = child.pid ?? 0;
    const [begin, before] = [performance.now(), cpuSecondsOf(pid)];
    await sendAll(`${url}/api/v1/write`, hours[0].requests[version], version);
    const cpuSeconds = cpuSecondsOf(pid) - before;
    const wallSeconds = (performance.now() - begin) / 1000;
    await peer.settle(url);
    const settledCpuSeconds = cpuSecondsOf(pid) - before;
    const peakMebibytes = peakMebibytesOf(pid);
    const diskBytes = Object.fromEntries(
      Object.entries(peer.parts).map(([part, path]) => [part, bytesBelow(join(folder, path))]),
    );
    const beforeNext = cpuSecondsOf(pid);
    await sendAll(`${url}/api/v1/write`, hours[1].requests[version], version);
    const nextHourCpuSeconds = cpuSecondsOf(pid) - beforeNext;
    await peer.settle(url);
    for (const cluster of hours.flatMap(({ facts }) => facts)) await checkCluster(url, cluster);
    return { cpuSeconds, wallSeconds, peakMebibytes, settledCpuSeconds, nextHourCpuSeconds, diskBytes };
  } finally {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws unless the peer counts every value of a cluster and sums them as the facts do. */
async function checkCluster(url: string, facts: ClusterFacts): Promise<void> {
  // Just before the next hour: a range may or may not hold its two ends.
  const time = String((facts.startMs + HOUR_MS - TICK_MS) / 1000);
  const overAll = async (what: "count" | "sum"): Promise<number> => {
    // Functions over time drop the name, so each name is asked for by itself.
    const series = VALUES.map((name) => `sum(${what}_over_time(${metricOf(name)}{cluster="${facts.clusterId}"}[1h]))`);
    const text = await ask(`${url}/api/v1/query?${new URLSearchParams({ query: series.join(" + "), time })}`);
    return Number(/"value":\[[^,]*,"([^"]*)"\]/.exec(text)?.[1] ?? Number.NaN);
  };
  const [count, sum, expected] = [await overAll("count"), await overAll("sum"), sumOf(facts)];
  if (count !== VALUES_PER_TICK * TICKS) throw new Error(`${url} holds ${count} values of ${facts.clusterId}`);
  // Sums of doubles depend on their order.
  if (!(Math.abs(sum - expected) <= 1e-9 * expected)) throw new Error(`${url} sums ${sum}, the facts ${expected}`);
}

async function ask(url: string, method = "GET"): Promise<string> {
  const response = await fetch(url, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await sleep(100);
  }
  throw new Error(`${url} is not ready after a minute`);
}

/** Waits until counters that say how much runs are 0 twice, a second apart. */
async function untilStill(url: string, counters: RegExp): Promise<void> {
  for (let still = 0, tries = 0; still < 2; tries += 1) {
    if (tries > 120) throw new Error(`${url} shows work for two minutes`);
    await sleep(1000);
    const running = [...(await ask(url)).matchAll(counters)].reduce((sum, [, count]) => sum + Number(count), 0);
    still = running === 0 ? still + 1 : 0;
  }
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, "exit");
  child.kill("SIGKILL");
  await over;
}
