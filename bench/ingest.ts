/**
 * Ingest end to end, envelope bytes to durable and counted, and what is asked of it: `npm run bench -- ingest`. One
 * process, one disk; figures per second and per CPU-second (other work on the machine falsifies only the first).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Batch, Envelope } from "@plimsoll/contracts/wire";
import { createCosts } from "../packages/hub/src/cost/costs.ts";
import { createIngest } from "../packages/hub/src/ingest/create-ingest.ts";
import { openLedger } from "../packages/hub/src/ledger/ledger.ts";
import { openQuarantine } from "../packages/hub/src/ledger/quarantine.ts";
import { openStore } from "../packages/hub/src/store/store.ts";
import { openWarehouse } from "../packages/hub/src/warehouse/warehouse.ts";
import { inventCluster } from "./invented/invented-cluster.ts";

const CLUSTERS = Number(process.argv[2] ?? 50);
const NODES = 50;
const PODS_PER_NODE = 30;
const RESENDS = 4;
const HOUR = Date.UTC(2026, 2, 14, 9);
const HOUR_MS = 3_600_000;
const NOW = HOUR + RESENDS * 300_000;

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
  const cluster = inventCluster(id, { nodes: NODES, podsPerNode: PODS_PER_NODE });
  const times = Array.from({ length: RESENDS }, (_, index) => (index + 1) * 300);
  const sealed = (batch: (seconds: number) => Batch) => times.map((seconds) => cluster.seal(batch(seconds), NOW));
  return {
    id,
    usage: sealed((seconds) => ({ kind: "usage", rows: cluster.usage(HOUR, seconds) })),
    nodes: sealed((seconds) => ({ kind: "node", rows: cluster.nodes(HOUR, seconds) })),
    samples: sealed((seconds) => ({ kind: "sample", rows: cluster.samples(HOUR, seconds) })),
  };
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
