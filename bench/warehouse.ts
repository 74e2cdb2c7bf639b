/**
 * The warehouse at the size of 500 clusters: `node bench/warehouse.ts [CLUSTERS] [HOURLY_DAYS] [HOURS]`. A day of usage (1,500 pods a
 * cluster, two resources, every row sent twice) is merged into hour and day files; a day of priced hours is merged and
 * summed; then 30 days are asked for. Facts of one hour go the ordinary way; the other hours are made of that file by SQL.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addSegments, liveSegments } from "../packages/hub/src/ledger/segment-rows.ts";
import { openStore } from "../packages/hub/src/store/store.ts";
import type { SegmentKind } from "../packages/hub/src/store/tables-ledger.ts";
import type { CostGrouping, CostHour } from "../packages/hub/src/warehouse/ask-cost.ts";
import { REAL_DISK } from "../packages/hub/src/warehouse/disk.ts";
import { Duck } from "../packages/hub/src/warehouse/duck.ts";
import { sourceOf } from "../packages/hub/src/warehouse/segment-reader.ts";
import { openWarehouse } from "../packages/hub/src/warehouse/warehouse.ts";
import { writeSegments } from "../packages/hub/src/warehouse/write-segments.ts";
import { attributed, randomOf, uuid } from "./warehouse/usage-facts.ts";

const CLUSTERS = Number(process.argv[2] ?? 500);
const HOURLY_DAYS = Number(process.argv[3] ?? 1);
/** Hours of the day that are made: with 1, the sums of days are as large as with 24, and made in a tenth of the time. */
const HOURS = Number(process.argv[4] ?? 24);
const DAYS = 30;
const NODES = 50;
const PODS_PER_NODE = 30;
const CLUSTERS_A_FILE = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST = Date.UTC(2026, 2, 1);
const USAGE_DAY = FIRST + (DAYS - 1) * DAY_MS;

const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-bench-"));
const store = await openStore({ sqlite: join(dataDir, "control.sqlite") });
await store.migrate();
const warehouse = await openWarehouse({ dataDir, store });
const duck = await Duck.open({ temporaryFolder: join(dataDir, "bench-tmp"), memoryMegabytes: 1_500, threads: 2 });
const target = { disk: REAL_DISK, dataDir, folders: new Set<string>(), abandoned: new Map<string, number | null>() };
const clusterIds = Array.from({ length: CLUSTERS }, (_, index) => `cluster-${String(index).padStart(3, "0")}`);

try {
  console.log(`${CLUSTERS} clusters of ${NODES} nodes and ${NODES * PODS_PER_NODE} pods`);
  await usageDay();
  await costDays();
  await questions();
  console.log(`peak RSS ${Math.round(process.resourceUsage().maxRSS / 1000)} MB (with the making of the facts)`);
} finally {
  await warehouse.close();
  duck.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function usageDay(): Promise<void> {
  await time("append an hour of usage", appendHour);
  const hour = await live("usage");
  await time("make the other hours", async () => {
    for (let index = 0; index < HOURS * 2; index += 1) {
      const [at, early] = [Math.floor(index / 2), index % 2];
      if (index === 0) continue;
      for (let first = 0; first < CLUSTERS; first += CLUSTERS_A_FILE) await copyHour(hour, at, early, first);
    }
  });
  await sizes("as written");
  await time("merge into hours (the day not over)", () => warehouse.compact(USAGE_DAY + DAY_MS + HOUR_MS));
  await sizes("hours");
  await time("merge into days", () => warehouse.compact(USAGE_DAY + DAY_MS + 4 * HOUR_MS));
  await sizes("days");
  for (const count of [1, 25]) {
    await time(`usage of an hour of ${count} clusters`, () => warehouse.usage(clusterIds.slice(0, count), USAGE_DAY));
  }
}

/** Through the warehouse, 13 clusters a commit as ingest does. */
async function appendHour(): Promise<number> {
  const random = randomOf(7);
  let rows = 0;
  for (let start = 0; start < CLUSTERS; start += 13) {
    const batches = clusterIds.slice(start, start + 13).map((clusterId) => {
      const pods = Array.from({ length: NODES }, () => uuid(random)).flatMap((nodeUid, node) =>
        Array.from({ length: PODS_PER_NODE }, () =>
          attributed(random, { nodeUid, nodeName: `${clusterId}-${node}` }, USAGE_DAY),
        ),
      );
      rows += pods.length;
      const key = { clusterId, incarnation: 1, spoolId: "spool", sequence: 1 };
      return { key, facts: { kind: "usage", rows: pods } } as const;
    });
    const { written } = await warehouse.append(batches);
    await store.write((trx) => written.count(trx, USAGE_DAY));
  }
  return rows;
}

/** The rows of the hour that was appended as those of another, or as an earlier word on the same. */
async function copyHour(hour: Parts, at: number, early: number, first: number): Promise<void> {
  const ids = clusterIds.slice(first, first + CLUSTERS_A_FILE);
  const hourStartMs = USAGE_DAY + at * HOUR_MS;
  const select = `
    select * replace (hour_start_ms + ${at * HOUR_MS} as hour_start_ms, as_of_ms + ${at * HOUR_MS - early * 300_000} as as_of_ms,
      ${at * 2 + 2 - early} as sequence, usage + hash(pod_uid, ${at}) % 1000000000000 as usage)
    from ${sourceOf(dataDir, hour)} where cluster_id between '${ids[0]}' and '${ids.at(-1)}'`;
  await write("usage", hourStartMs, HOUR_MS, select, new Map(ids.map((id) => [id, 0])));
}

/** A day of priced hours made of the usage, merged and summed by upkeep; the other days are its copies. */
async function costDays(): Promise<void> {
  await countHours();
  const usage = await live("usage");
  await time("make a day of priced hours", async () => {
    for (let at = 0; at < HOURS; at += 1) await priceHour(usage, USAGE_DAY + at * HOUR_MS);
  });
  await sizes("priced");
  await time("merge the priced day", () => warehouse.compact(USAGE_DAY + DAY_MS + 5 * HOUR_MS));
  await time("sum the priced day", () => warehouse.compact(USAGE_DAY + DAY_MS + 6 * HOUR_MS));
  await sizes("merged");
  for (const kind of ["cost", "cost_day"] as const) {
    const parts = await live(kind);
    const owners = await store.db
      .selectFrom("segment_clusters")
      .selectAll()
      .where("segment_id", "=", parts[0]?.id ?? "")
      .execute();
    const revisions = new Map(owners.map(({ cluster_id, revision }) => [cluster_id, revision]));
    const days = kind === "cost" ? HOURLY_DAYS : DAYS;
    await time(`copy ${kind} to ${days} days`, async () => {
      for (let day = 1; day < days; day += 1) {
        for (const part of parts) {
          const select = `select * replace (hour_start_ms - ${day * DAY_MS} as hour_start_ms) from ${sourceOf(dataDir, [part])}`;
          await write(kind, part.hourStartMs - day * DAY_MS, part.endMs - part.hourStartMs, select, revisions);
        }
      }
    });
  }
}

async function countHours(): Promise<void> {
  const rows = Array.from(
    { length: DAYS * HOURS },
    (_, at) => FIRST + Math.floor(at / HOURS) * DAY_MS + (at % HOURS) * HOUR_MS,
  ).flatMap((hour_start_ms) =>
    clusterIds.map((cluster_id) => ({ cluster_id, hour_start_ms, facts_version: 1, priced_version: 1, revision: 1 })),
  );
  await store.write(async (trx) => {
    for (let start = 0; start < rows.length; start += 1_000) {
      await trx
        .insertInto("cost_hours")
        .values(rows.slice(start, start + 1_000))
        .execute();
    }
  });
}

/** Rows as pricing makes them: cluster × node × owner × resource. */
async function priceHour(usage: Parts, hourStartMs: number): Promise<void> {
  const select = `
    select cluster_id, hour_start_ms, ${hourStartMs + HOUR_MS}::bigint as up_to_ms, 1::bigint as revision, node_uid, node_name,
      'general' as node_pool, null::varchar as machine_deployment, node_uid as instance_id, 'm6i.4xlarge' as instance_type,
      'eu-central-1' as region, 'eu-central-1a' as zone, namespace, workload_type, workload_name, cost_center, env, owner_team,
      label_source, labels, mode, resource, resource as resource_kind, 'workload' as cost_kind, 'on-demand' as pricing,
      'default' as price_source, sum(request)::decimal(38, 0) as requested, sum(usage)::decimal(38, 0) as used,
      sum(charged)::decimal(38, 0) as allocated, (sum(charged)::hugeint // 3600000 % 1000000000)::decimal(18, 0)::decimal(18, 9) as cost,
      'USD' as currency, 1000000 as coverage_ppm
    from ${sourceOf(dataDir, usage)} where hour_start_ms = ${hourStartMs} group by all`;
  await write("cost", hourStartMs, HOUR_MS, select, new Map(clusterIds.map((id) => [id, 1])));
}

async function questions(): Promise<void> {
  let hours: readonly CostHour[] = [];
  await time("read the priced hours of 30 days from the ledger", async () => {
    const rows = await store.db.selectFrom("cost_hours").select(["cluster_id", "hour_start_ms", "revision"]).execute();
    hours = rows.map(({ cluster_id, hour_start_ms, revision }) => ({
      clusterId: cluster_id,
      hourStartMs: hour_start_ms,
      revision,
    }));
  });
  const costCenter: CostGrouping = { by: [{ field: "cost-center" }], namespace: null };
  const label: CostGrouping = { by: [{ label: "app" }], namespace: null };
  const one = hours.filter(({ clusterId }) => clusterId === clusterIds[7]);
  const lastDay = hours.filter(({ hourStartMs }) => hourStartMs >= USAGE_DAY);
  await time("cost by cost center, 30 days", () => warehouse.cost(hours, costCenter));
  await time("the same again", () => warehouse.cost(hours, costCenter));
  await time("cost by label app, 30 days", () => warehouse.cost(hours, label));
  await time("cost of one cluster by workload, 30 days", () =>
    warehouse.cost(one, { by: [{ field: "workload" }], namespace: null }),
  );
  await time("cost by cost center, a whole day", () => warehouse.cost(lastDay, costCenter));
  const part = lastDay.filter(({ hourStartMs }) => hourStartMs < USAGE_DAY + 23 * HOUR_MS);
  await time("cost by cost center, 23 hours of it (by the hour)", () => warehouse.cost(part, costCenter));
}

type Parts = Awaited<ReturnType<typeof liveSegments>>;

function live(kind: SegmentKind): Promise<Parts> {
  return liveSegments(store.db, { kind, fromMs: null, toMs: null, clusterIds: null });
}

async function write(
  kind: SegmentKind,
  hourStartMs: number,
  lengthMs: number,
  select: string,
  owners: ReadonlyMap<string, number>,
): Promise<void> {
  const part = { kind, hourStartMs, endMs: hourStartMs + lengthMs, generation: 0, rows: 0, clusters: owners, select };
  const segments = await duck.use((connection) => writeSegments(connection, target, [part]));
  const [count] = await duck.query(`select count(*) as rows from ${sourceOf(dataDir, segments)}`);
  const counted = segments.map((segment) => ({ ...segment, rows: count?.number("rows") ?? 0 }));
  await store.write((trx) => addSegments(trx, counted, USAGE_DAY));
}

async function sizes(title: string): Promise<void> {
  const kinds = await store.db
    .selectFrom("segments")
    .select(({ fn }) => [
      "kind",
      fn.sum<number>("bytes").as("bytes"),
      fn.sum<number>("rows").as("rows"),
      fn.countAll<number>().as("files"),
    ])
    .groupBy("kind")
    .execute();
  for (const { kind, bytes, rows, files } of kinds) {
    const perRow = (bytes / rows).toFixed(1);
    console.log(
      `  ${title}: ${kind} ${rows} rows, ${files} files, ${Math.round(bytes / 1e6)} MB, ${perRow} bytes a row`,
    );
  }
}

async function time(title: string, run: () => unknown): Promise<void> {
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  await run();
  const used = process.cpuUsage(cpu);
  const seconds = ((performance.now() - begin) / 1000).toFixed(2);
  const rss = Math.round(process.memoryUsage.rss() / 1e6);
  console.log(`${title}: ${seconds} s, ${((used.user + used.system) / 1e6).toFixed(2)} s of CPU, RSS ${rss} MB`);
}
