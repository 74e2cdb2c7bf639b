/**
 * A hub of 200 simulated clusters is killed and started again, after a silence that is longer than what makes a cluster
 * unknown: none is called unknown for it, and all are heard again within a minute.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ClusterView } from "@plimsoll/contracts/rest";
import type { HubSettings } from "@plimsoll/hub";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../packages/hub/src/store/store.ts";
import { type HubClient, hubClient } from "../fleet/hub-client.ts";
import { until } from "../fleet/until.ts";
import { freePorts } from "../testbed/free-ports.ts";
import type { FleetOrder, FleetWord, JoinOrder } from "./fleet-process.ts";

const PARTS = ["north", "south"];
const CLUSTERS_PER_PART = 100;
const CLUSTERS = PARTS.length * CLUSTERS_PER_PART;
/** Shorter than the default: what is called unknown is called so while the test looks. */
const BEAT_MS = 15_000;
const UNKNOWN_AFTER_MS = 4 * BEAT_MS;
const DEAD_MS = 5_000;
const BACK_MS = 60_000;
/** Long, for a machine that others use too; a minute on a quiet one. */
const JOIN_WITHIN_MS = 480_000;
/** A join token is a write; as many at once as a person's script would ask for. */
const JOINS_AT_ONCE = 8;

const room = mkdtempSync(join(tmpdir(), "plimsoll-restart-"));
const children: ChildProcess[] = [];
let settings: HubSettings;
let hub: ChildProcess;
let client: HubClient;
/** When the hub that runs was ready. */
let startedMs = 0;

beforeAll(async () => {
  const [port = 0, controlPort = 0] = await freePorts(2);
  settings = { dataDir: join(room, "hub"), port, controlPort, beatMs: BEAT_MS, simulated: true };
  await startHub();
  await Promise.all(PARTS.map((part) => startPart(part, `http://127.0.0.1:${port}`)));
}, JOIN_WITHIN_MS);

afterAll(async () => {
  await Promise.all(children.map(kill));
  rmSync(room, { recursive: true, force: true, maxRetries: 3 });
});

function start(program: string, order: unknown): ChildProcess {
  const child = fork(new URL(program, import.meta.url), [JSON.stringify(order)], { execArgv: [] });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function startHub(): Promise<void> {
  hub = start("../fleet/hub-process.ts", settings);
  client = hubClient((await heard(hub)) as { readonly url: string; readonly adminToken: string });
  startedMs = Date.now();
}

async function startPart(part: string, hubUrl: string): Promise<void> {
  const order: FleetOrder = { part, clusters: CLUSTERS_PER_PART, hubUrl, stateDir: join(room, "agents") };
  const child = start("fleet-process.ts", order);
  const word = (await heard(child)) as FleetWord;
  if (word.kind !== "clusters") throw new Error("it has no clusters");
  const tokens: Record<string, string> = {};
  const names = [...word.names];
  await Promise.all(
    Array.from({ length: JOINS_AT_ONCE }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        tokens[name] = (await client.joinToken(name)).token;
    }),
  );
  child.send(tokens satisfies JoinOrder);
  await heard(child);
}

/** The next that it says; fails when it ends instead. */
async function heard(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(() => Promise.reject(new Error("a process ended by itself, see its output")));
  const [word]: unknown[] = await Promise.race([once(child, "message"), ended]);
  return word;
}

const isFull = ({ connectivity, watermarks, record }: ClusterView) =>
  connectivity.state === "online" && watermarks !== null && record.health_status === "healthy";
const lastBeatMs = ({ connectivity }: ClusterView) => Date.parse(connectivity.lastBeatAt ?? "");

/** As if it had been dead for so long: the last beats that the hub has stored are of before. */
async function ageStoredBeats(byMs: number): Promise<void> {
  const store = await openStore({ sqlite: join(settings.dataDir, "hub.sqlite") });
  await store.db
    .updateTable("liveness")
    .set((eb) => ({ last_beat_at_ms: eb("last_beat_at_ms", "-", byMs) }))
    .execute();
  await store.close();
}

function memory(child: ChildProcess, field: "VmRSS" | "VmHWM"): string {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(
    readFileSync(`/proc/${child.pid}/status`, "utf8"),
  )?.[1];
  return `${Math.round(Number(kilobytes) / 1024)} MiB`;
}

test(
  `of ${CLUSTERS} clusters none is called unknown falsely after a restart, and all are back within ${BACK_MS / 1000} s`,
  async () => {
    const before = await until(
      "all there",
      client.clusters,
      (seen) => seen.filter(isFull).length === CLUSTERS,
      JOIN_WITHIN_MS,
    );
    const [rss, most] = [memory(hub, "VmRSS"), memory(hub, "VmHWM")];
    await kill(hub);
    await ageStoredBeats(UNKNOWN_AFTER_MS);
    await wait(DEAD_MS);

    await startHub();
    const silent = (await client.clusters()).filter((cluster) => lastBeatMs(cluster) + UNKNOWN_AFTER_MS < startedMs);
    expect(silent.length, "clusters silent for longer than what is unknown").toBeGreaterThan(CLUSTERS / 2);
    const falsely = new Set<string>();
    const look = async () => {
      const seen = await client.clusters();
      for (const { name, connectivity, record, watermarks } of seen) {
        if (connectivity.state === "offline" || connectivity.state === "never-seen")
          falsely.add(`${name} ${connectivity.state}`);
        if (record.health_status === "unknown" || watermarks === null) falsely.add(`${name} without figures`);
      }
      return seen;
    };
    const isBack = (cluster: ClusterView) => cluster.connectivity.state === "online" && lastBeatMs(cluster) > startedMs;
    const after = await until("all back", look, (seen) => seen.filter(isBack).length === CLUSTERS, BACK_MS);
    const lastMs = Math.max(...after.map(lastBeatMs)) - startedMs;

    expect([...falsely]).toEqual([]);
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    console.log(
      `${CLUSTERS} clusters: hub ${rss} of memory, ${most} at most; after the restart all back in ` +
        `${((Date.now() - startedMs) / 1000).toFixed(1)} s (last beat ${(lastMs / 1000).toFixed(1)} s), ` +
        `${memory(hub, "VmRSS")}, ${memory(hub, "VmHWM")} at most`,
    );
  },
  2 * JOIN_WITHIN_MS,
);
