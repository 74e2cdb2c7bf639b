/**
 * Ingest end to end, envelope bytes to durable and counted, and what is asked of it: `node bench/ingest.bench.ts`. One
 * process, one disk; figures per second and per CPU-second (other work on the machine falsifies only the first).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Batch, Envelope, NodeRow, SampleRow, UsageRow } from "@plimsoll/contracts/wire";
import { roundSample, sealBatch } from "@plimsoll/contracts/wire";
import { createCosts } from "../packages/hub/src/cost/costs.ts";
import { createIngest } from "../packages/hub/src/ingest/create-ingest.ts";
import { openLedger } from "../packages/hub/src/ledger/ledger.ts";
import { openQuarantine } from "../packages/hub/src/ledger/quarantine.ts";
import { openStore } from "../packages/hub/src/store/store.ts";
import { openWarehouse } from "../packages/hub/src/warehouse/warehouse.ts";

const CLUSTERS = Number(process.argv[2] ?? 50);
const NODES = 50;
const PODS_PER_NODE = 30;
const RESENDS = 4;
const HOUR = Date.UTC(2026, 2, 14, 9);
const HOUR_MS = 3_600_000;
const NOW = HOUR + RESENDS * 300_000;
const GIB = 2 ** 30;

let seed = 7;
const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-bench-"));
const store = await openStore({ sqlite: join(dataDir, "control.sqlite") });
await store.migrate();
const warehouse = await openWarehouse({ dataDir, store });
const costs = createCosts({ store, warehouse, now: () => NOW });
const ingest = createIngest({
  ledger: openLedger(store),
  quarantine: openQuarantine(store),
  warehouse,
  clusterOf: async () => ({ incarnation: 1, gone: false }),
  now: () => NOW,
});

const clusters = Array.from({ length: CLUSTERS }, (_, index) => makeCluster(`cluster-${index}`));
for (const { id } of clusters) await register(id);

console.log(`${CLUSTERS} clusters, ${CLUSTERS * NODES} nodes, ${CLUSTERS * NODES * PODS_PER_NODE} pods`);
await deliver(
  "usage",
  clusters.flatMap((cluster) => cluster.usage),
);
await deliver(
  "node",
  clusters.flatMap((cluster) => cluster.nodes),
);
await deliver(
  "sample",
  clusters.flatMap((cluster) => cluster.samples),
);
await segmentSizes("as written");
await time("price the running hour", () => costs.priceTouched());
await time("price it again", async () => {
  await store.db.updateTable("cost_hours").set({ priced_version: 0 }).execute();
  return costs.priceTouched();
});
for (const aggregate of ["cluster", "owner-team", "cluster,namespace", "label:app"]) {
  await time(`cost by ${aggregate}`, () => costs.costOf({ window: "24h", aggregate, limit: 1000 }, "all", NOW));
}
await time("top nodes", () => costs.nodes("all", NOW));
await time("top namespaces", () => costs.namespaces("all", NOW));
await time("merge", () => warehouse.compact(HOUR + 10 * HOUR_MS));
await segmentSizes("merged");
await time("price the hour from merged files", async () => {
  await store.db.updateTable("cost_hours").set({ priced_version: 0 }).execute();
  return costs.priceTouched();
});
console.log(
  `RSS ${megabytes(process.memoryUsage.rss())} now, ${megabytes(process.resourceUsage().maxRSS * 1024)} at most`,
);
await ingest.stop();
await warehouse.close();
await store.close();
rmSync(dataDir, { recursive: true, force: true });

async function deliver(kind: string, envelopes: readonly Envelope[]): Promise<void> {
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  const queue = [...envelopes];
  let rows = 0;
  // As many on the way as agents of a fleet have: each waits for its acknowledgement before the next.
  const agent = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const answer = await ingest.ingestEnvelope(next.bytes, { clusterId: next.key.clusterId, name: "bench" });
      if (answer.kind !== "ack") throw new Error(JSON.stringify(answer));
      rows += next.rows;
    }
  };
  await Promise.all(Array.from({ length: CLUSTERS }, agent));
  const seconds = (performance.now() - begin) / 1000;
  const used = process.cpuUsage(cpu);
  const wire = envelopes.reduce((sum, { bytes }) => sum + bytes.length, 0);
  console.log(
    `${kind}: ${rows} rows of ${envelopes.length} envelopes in ${seconds.toFixed(1)} s: ${thousands(rows / seconds)} k rows/s, ` +
      `${thousands(rows / ((used.user + used.system) / 1e6))} k per CPU-second, ${(wire / rows).toFixed(1)} bytes a row on the wire`,
  );
}

async function segmentSizes(title: string): Promise<void> {
  const sizes = await store.db
    .selectFrom("segments")
    .select(({ fn }) => [
      "kind",
      fn.sum<number>("bytes").as("bytes"),
      fn.sum<number>("rows").as("rows"),
      fn.countAll<number>().as("files"),
    ])
    .groupBy("kind")
    .execute();
  for (const { kind, bytes, rows, files } of sizes) {
    console.log(`${title}: ${kind} ${rows} rows in ${files} files, ${(bytes / rows).toFixed(1)} bytes a row`);
  }
}

async function time(title: string, run: () => unknown): Promise<void> {
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  await run();
  const used = process.cpuUsage(cpu);
  console.log(
    `${title}: ${Math.round(performance.now() - begin)} ms, ${Math.round((used.user + used.system) / 1000)} ms of CPU`,
  );
}

interface Cluster {
  readonly id: string;
  readonly usage: readonly Envelope[];
  readonly nodes: readonly Envelope[];
  readonly samples: readonly Envelope[];
}

function makeCluster(id: string): Cluster {
  let sequence = 0;
  const seal = (batch: Batch): Envelope => {
    sequence += 1;
    const key = { clusterId: id, incarnation: 1, spoolId: "spool", sequence };
    return sealBatch(key, batch, { sealedAtMs: NOW, agentClockMs: NOW, policyRevision: 1, replaces: null });
  };
  const nodes = Array.from({ length: NODES }, (_, index) => ({ uid: uuid(), name: `ip-10-0-${id}-${index}.internal` }));
  const pods = nodes.flatMap((node) => Array.from({ length: PODS_PER_NODE }, () => makePod(node)));
  const times = Array.from({ length: RESENDS }, (_, index) => (index + 1) * 300);
  return {
    id,
    usage: times.map((seconds) => seal({ kind: "usage", rows: pods.map((pod) => pod(seconds)) })),
    nodes: times.map((seconds) => seal({ kind: "node", rows: nodes.map((node) => nodeRow(node, seconds)) })),
    samples: times.map((seconds) =>
      seal({ kind: "sample", rows: nodes.flatMap((node) => sampleRows(node.uid, seconds)) }),
    ),
  };
}

function makePod(node: { readonly uid: string; readonly name: string }): (seconds: number) => UsageRow {
  const workload = int(60);
  const app = `service-${workload}`;
  const milli = [50, 100, 250, 500, 1000][int(5)] ?? 50;
  const [podUid, podName] = [uuid(), `${app}-${text(10)}-${text(5)}`];
  const labels = { app, "cost-center": `cc-${workload % 9}`, env: "prod", "owner-team": `team-${workload % 14}` };
  const attribution = {
    namespace: `ns-${workload % 20}`,
    workloadType: "Deployment",
    workloadName: app,
    costCenter: labels["cost-center"],
    env: "prod",
    ownerTeam: labels["owner-team"],
    labelSource: "pod",
    labels,
  } as const;
  const start = HOUR - int(30 * 24 * 3600) * 1000;
  return (seconds) => ({
    podUid,
    intervalStartMs: start,
    hourStartMs: HOUR,
    asOfMs: HOUR + seconds * 1000,
    intervalEndMs: null,
    clamped: false,
    billedMs: seconds * 1000,
    unseenMs: 0,
    mode: "push",
    podName,
    nodeName: node.name,
    nodeUid: node.uid,
    attribution,
    resources: new Map([
      ["cpu", integrals(milli * 1e6, seconds)],
      ["memory", integrals(milli * 2 ** 21, seconds)],
    ]),
  });
}

function integrals(request: number, seconds: number) {
  const requested = BigInt(request * seconds);
  const usage = BigInt(Math.round(request * seconds * (0.05 + 1.1 * random())));
  return { request: requested, usage, charged: usage > requested ? usage : requested, usageCoveredMs: seconds * 1000 };
}

function nodeRow({ uid, name }: { readonly uid: string; readonly name: string }, seconds: number): NodeRow {
  return {
    nodeUid: uid,
    hourStartMs: HOUR,
    asOfMs: HOUR + seconds * 1000,
    nodeName: name,
    createdMs: HOUR - 86_400_000,
    deletedMs: null,
    instanceType: "m6i.4xlarge",
    region: "eu-central-1",
    zone: "eu-central-1a",
    pool: "general",
    machineDeployment: null,
    providerId: `aws:///eu-central-1a/i-0${text(16)}`,
    spot: false,
    virtual: false,
    presentMs: seconds * 1000,
    schedulableMs: seconds * 1000,
    resources: new Map([
      ["cpu", { capacity: 16_000_000_000n, allocatable: 15_890_000_000n }],
      ["memory", { capacity: BigInt(64 * GIB), allocatable: BigInt(62 * GIB) }],
    ]),
  };
}

function sampleRows(subject: string, seconds: number): SampleRow[] {
  return ["cpu", "memory", "pods", "ephemeral-storage"].map((resource) => {
    const size = resource === "cpu" || resource === "pods" ? 16e9 : 64 * GIB;
    const average = size * (0.2 + 0.5 * random());
    return roundSample({
      scope: "node",
      subject,
      resource,
      windowStartMs: HOUR + (seconds - 300) * 1000,
      windowMs: 300_000,
      requested: size / 2,
      usedMin: average * 0.8,
      usedAvg: average,
      usedMax: average * 1.2,
      readings: 5,
    });
  });
}

async function register(id: string): Promise<void> {
  const layers = { base: "{}", labels: "{}", session_epoch: 0, report_sequence: 0, resource_version: 1 };
  const registered = { created_at_ms: HOUR, updated_at_ms: HOUR };
  const identity = {
    id,
    name: id,
    fingerprint: id,
    incarnation: 1,
    mode: "push",
    phase: "active",
    simulated: 1,
  } as const;
  await store.db
    .insertInto("clusters")
    .values({ ...identity, ...layers, ...registered })
    .execute();
}

function thousands(value: number): string {
  return (value / 1000).toFixed(0);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function int(below: number): number {
  return Math.floor(random() * below);
}

function text(length: number): string {
  return Array.from({ length }, () => "bcdfghjklmnpqrstvwxz2456789"[int(27)]).join("");
}

function uuid(): string {
  const digits = Array.from({ length: 32 }, () => int(16).toString(16)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}
