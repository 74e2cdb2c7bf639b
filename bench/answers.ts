/**
 * How long the commands about a fleet take with 200 clusters and 24 priced hours, against limits that a person still calls at
 * once: `npm run bench -- answers`. The hub is a process of its own; a command is everything but the start of Node.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HubSettings } from "@plimsoll/hub";
import { run } from "../packages/cli/src/run.ts";
import { testingTerminal } from "../packages/cli/src/testing-terminal.ts";
import { createCosts } from "../packages/hub/src/cost/costs.ts";
import { createIngest } from "../packages/hub/src/ingest/create-ingest.ts";
import { toStoredText } from "../packages/hub/src/inventory/stored-documents.ts";
import { openLedger } from "../packages/hub/src/ledger/ledger.ts";
import { openQuarantine } from "../packages/hub/src/ledger/quarantine.ts";
import { openStore, type Store } from "../packages/hub/src/store/store.ts";
import { dynamicFacts } from "../packages/hub/src/testing/dynamic-facts.ts";
import { openWarehouse } from "../packages/hub/src/warehouse/warehouse.ts";
import { type InventedCluster, inventCluster } from "./invented/invented-cluster.ts";
import { median } from "./measure-process.ts";

const CLUSTERS = Number(process.env.CLUSTERS ?? 200);
const NODES = Number(process.env.NODES ?? 5);
const PODS_PER_NODE = Number(process.env.PODS_PER_NODE ?? 20);
const HOURS = 24;
const ROUNDS = 20;
const HOUR_MS = 3_600_000;
/** Of the running hour, as an agent's last usage would have it. */
const AGE_MS = 60_000;

/** Milliseconds that 95 of 100 answers are to stay within. */
const COMMANDS: readonly (readonly [limitMs: number, args: string])[] = [
  [500, "get clusters"],
  [100, "describe cluster cluster-100"],
  [500, "top clusters"],
  [1_000, "top nodes"],
  [1_000, "top namespaces"],
  [1_000, "cost --by cost-center --window 24h"],
];

const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-answers-"));
let hub: ChildProcess | undefined;
let env: Readonly<Record<string, string>> = {};
try {
  await time(
    `${CLUSTERS * NODES * PODS_PER_NODE} pods of ${CLUSTERS} clusters, ${HOURS} hours and the running one`,
    fill,
  );
  hub = await time("start of the hub", startHub);
  for (const [limitMs, args] of COMMANDS) await measure(limitMs, args.split(" "));
  console.log(`hub: ${memory(hub, "VmRSS")} of memory, ${memory(hub, "VmHWM")} at most`);
} finally {
  hub?.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
}

async function measure(limitMs: number, args: readonly string[]): Promise<void> {
  const times: number[] = [];
  const cpu: number[] = [];
  let lines = 0;
  for (let round = -2; round < ROUNDS; round += 1) {
    const { terminal, out, err } = testingTerminal({}, env);
    const [begin, used] = [performance.now(), hubCpuMs()];
    const code = await run(args, { terminal, signal: new AbortController().signal });
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${err()}${out()}`);
    // The first two warm up.
    if (round >= 0) {
      times.push(performance.now() - begin);
      cpu.push(hubCpuMs() - used);
    }
    lines = out().trimEnd().split("\n").length;
  }
  const p95 = times.sort((a, b) => a - b)[Math.ceil(0.95 * times.length) - 1] ?? Number.NaN;
  console.log(
    `${args.join(" ")}: median ${median(times).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${limitMs} ms allowed: ` +
      `${(p95 / limitMs).toFixed(2)}${p95 > limitMs ? " TOO SLOW" : ""} (${lines} lines, ${median(cpu).toFixed(0)} ms of the hub's processor time)`,
  );
}

/** Registers the clusters, delivers their facts through the ingest and prices every hour, as a hub would have. */
async function fill(): Promise<void> {
  const nowMs = Date.now() - AGE_MS;
  const store = await openStore({ sqlite: join(dataDir, "hub.sqlite") });
  await store.migrate();
  const warehouse = await openWarehouse({ dataDir, store });
  const clusterOf = async () => ({ incarnation: 1, gone: false });
  const parts = { ledger: openLedger(store), quarantine: openQuarantine(store), warehouse, clusterOf };
  const ingest = createIngest({ ...parts, now: () => nowMs });
  const clusters = Array.from({ length: CLUSTERS }, (_, index) =>
    inventCluster(`cluster-${index}`, { nodes: NODES, podsPerNode: PODS_PER_NODE }),
  );
  for (const { id } of clusters) await register(store, id, nowMs);
  const deliver = async (cluster: InventedCluster, bytes: Uint8Array) => {
    const answer = await ingest.ingestEnvelope(bytes, { clusterId: cluster.id, name: "bench" });
    if (answer.kind !== "ack") throw new Error(JSON.stringify(answer));
  };
  const present = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  for (let hourMs = present - HOURS * HOUR_MS; hourMs <= present; hourMs += HOUR_MS) {
    const seconds = Math.min(3600, Math.floor((nowMs - hourMs) / 1000));
    await Promise.all(
      clusters.map(async (cluster) => {
        await deliver(cluster, cluster.seal({ kind: "node", rows: cluster.nodes(hourMs, seconds) }, nowMs).bytes);
        await deliver(cluster, cluster.seal({ kind: "usage", rows: cluster.usage(hourMs, seconds) }, nowMs).bytes);
        await deliver(cluster, cluster.seal({ kind: "sample", rows: cluster.samples(hourMs, seconds) }, nowMs).bytes);
      }),
    );
  }
  await createCosts({ store, warehouse, now: () => nowMs }).priceTouched();
  await warehouse.compact(nowMs);
  await ingest.stop();
  await warehouse.close();
  await store.close();
}

async function register({ db }: Store, id: string, nowMs: number): Promise<void> {
  const { layer, capacity, detected, resourceStates } = dynamicFacts(nowMs, {
    node_count: NODES,
    node_count_ready: NODES,
  });
  const documents = {
    base: "{}",
    labels: toStoredText({ env: "prod", "cost-center": "CC-1" }),
    dynamic: toStoredText(layer),
    capacity: toStoredText(capacity),
    detected: toStoredText(detected),
    resource_states: toStoredText(resourceStates),
  };
  const identity = {
    id,
    name: id,
    fingerprint: id,
    incarnation: 1,
    mode: "push",
    phase: "active",
    simulated: 1,
  } as const;
  const order = { session_epoch: 1, report_sequence: 1, resource_version: 1 };
  const createdMs = nowMs - (HOURS + 1) * HOUR_MS;
  const times = { created_at_ms: createdMs, updated_at_ms: nowMs, observed_at_ms: nowMs, received_at_ms: nowMs };
  await db
    .insertInto("clusters")
    .values({ ...identity, ...documents, ...order, ...times })
    .execute();
  await db
    .insertInto("liveness")
    .values({ cluster_id: id, connectivity: "online", since_ms: createdMs, last_beat_at_ms: nowMs })
    .execute();
}

/** Nobody beats here: a beat so long that all stay online. */
async function startHub(): Promise<ChildProcess> {
  const settings: HubSettings = { dataDir, port: 0, controlPort: 0, beatMs: HOUR_MS };
  const child = fork(new URL("../test/fleet/hub-process.ts", import.meta.url), [JSON.stringify(settings)], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the hub ended by itself")));
  const [{ url, adminToken }] = await Promise.race([once(child, "message"), ended]);
  env = { PLIMSOLL_HUB: url, PLIMSOLL_TOKEN: adminToken };
  await priced();
  return child;
}

/** Until the running hour's rates are there. */
async function priced(): Promise<void> {
  for (;;) {
    const { terminal, out } = testingTerminal({}, env);
    await run(["get", "clusters", "-o", "json"], { terminal, signal: new AbortController().signal });
    const { items }: { items: { cost: unknown }[] } = JSON.parse(out());
    if (items.length === CLUSTERS && items.every(({ cost }) => cost !== null)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Processor time of the hub so far, in steps of 10 ms; other work on the machine does not falsify it. */
function hubCpuMs(): number {
  const fields = readFileSync(`/proc/${hub?.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memory({ pid }: ChildProcess, field: "VmRSS" | "VmHWM"): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return `${Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024)} MiB`;
}

async function time<T>(title: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.log(`${title}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}
