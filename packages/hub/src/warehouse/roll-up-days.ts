import { type CountedHour, countedHours, exchangeSegments } from "../ledger/exchange-segments.ts";
import { hoursFingerprint } from "../ledger/hours-fingerprint.ts";
import { type LiveSegment, liveSegments, ownersOf } from "../ledger/segment-rows.ts";
import type { SegmentInfo } from "../ledger/segments.ts";
import { Attempts } from "./attempts.ts";
import { type Duck, queryRows, unavailable } from "./duck.ts";
import { clusterRanges, inSteps, ofRange } from "./in-steps.ts";
import { isQuietDay } from "./plan-merges.ts";
import { type SegmentFiles, sourceOf } from "./segment-reader.ts";
import { StagedTable } from "./staged-table.ts";
import { isRefused, letGo } from "./unnamed-files.ts";
import { writeSegments } from "./write-segments.ts";
import { writtenSegments } from "./written-segments.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What a day's row is of; hours, revisions and coverage are summed over. */
const KEYS = `cluster_id, node_uid, node_name, node_pool, machine_deployment, instance_id, instance_type, region, zone,
  namespace, workload_type, workload_name, cost_center, env, owner_team, label_source, labels, mode, resource, resource_kind,
  cost_kind, pricing, price_source, currency`;
const SUMS = ["requested", "used", "allocated"].map((name) => `sum(${name})::decimal(38, 0) as ${name}`).join(", ");

/**
 * Sums the priced hours of quiet days into a file for each day, so that a question for a month reads a day's rows once. A
 * day whose prices changed since is summed again. Nothing but speed depends on it: a question takes a cluster's day from
 * there only when hours and revisions are exactly those that it asks for. Days of fewer rows than `fromRows` are left alone.
 */
export async function rollUpDays(files: SegmentFiles, duck: Duck, nowMs: number, fromRows: number): Promise<void> {
  const all = { fromMs: null, toMs: null, clusterIds: null };
  const hours = await liveSegments(files.store.db, { kind: "cost", ...all });
  const days = Map.groupBy(await liveSegments(files.store.db, { kind: "cost_day", ...all }), dayOf);
  const attempts = new Attempts();
  for (const [dayMs, ofDay] of Map.groupBy(hours, dayOf)) {
    if (!isQuietDay(ofDay, nowMs) || ofDay.reduce((sum, { rows }) => sum + rows, 0) < fromRows) continue;
    await attempts.at(() => rollUpDay(files, duck, { dayMs, segments: ofDay, old: days.get(dayMs) ?? [] }, nowMs));
  }
  attempts.end();
}

/** A day of priced hours, and the sums of it that there are. */
interface Day {
  readonly dayMs: number;
  readonly segments: readonly LiveSegment[];
  readonly old: readonly LiveSegment[];
}

async function rollUpDay(files: SegmentFiles, duck: Duck, day: Day, nowMs: number): Promise<void> {
  const { dayMs, old } = day;
  const counted = await countedHours(files.store.db, dayMs, dayMs + DAY_MS);
  const wanted = fingerprints(counted);
  if (old.length > 0 && sameMap(wanted, await ownersOf(files.store.db, old))) return;
  const summed = await sumDay(files, duck, day, counted);
  try {
    await files.store.write((trx) => exchangeSegments(trx, old, [{ ...summed, clusters: wanted }], nowMs));
  } catch (error) {
    await letGo(writtenSegments(files, [{ ...summed, clusters: wanted }]), error);
    if (!isRefused(error)) throw error;
  }
}

function dayOf({ hourStartMs }: LiveSegment): number {
  return hourStartMs - (hourStartMs % DAY_MS);
}

function fingerprints(counted: readonly CountedHour[]): ReadonlyMap<string, number> {
  const clusters = Map.groupBy(counted, ({ clusterId }) => clusterId);
  return new Map([...clusters].map(([clusterId, hours]) => [clusterId, hoursFingerprint(hours)]));
}

function sameMap(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

async function sumDay(
  files: SegmentFiles,
  duck: Duck,
  { dayMs, segments }: Day,
  counted: readonly CountedHour[],
): Promise<Omit<SegmentInfo, "clusters">> {
  const table = new StagedTable({ cluster_id: "text", hour_start_ms: "number", revision: "number" });
  for (const { clusterId, hourStartMs, revision } of counted) table.add(clusterId, hourStartMs, revision);
  const source = sourceOf(files.dataDir, segments);
  const part = { kind: "cost_day" as const, hourStartMs: dayMs, endMs: dayMs + DAY_MS, generation: 1 };
  try {
    return await duck.use(async (connection) => {
      await table.load(connection, "counted");
      const clusters = await queryRows(
        connection,
        `select cluster_id, count(*) as rows from ${source} group by cluster_id`,
      );
      const ranges = clusterRanges(
        clusters.map((row) => ({ clusterId: row.text("cluster_id"), rows: row.number("rows") })),
      );
      const steps = ranges.map((range) => sumOf(source, dayMs, ofRange(range)));
      return inSteps(connection, files.dataDir, steps, async (summed) => {
        const rows = { ...part, rows: 0, clusters: new Map(), select: `select * from ${summed}` };
        const [file] = await writeSegments(connection, files, [rows]);
        if (file === undefined) throw new TypeError("no file was written");
        const [count] = await queryRows(connection, `select count(*) as rows from ${sourceOf(files.dataDir, [file])}`);
        return { ...file, rows: count?.number("rows") ?? 0 };
      });
    });
  } catch (cause) {
    throw unavailable("written", cause);
  }
}

function sumOf(source: string, dayMs: number, clusters: string): string {
  return `
    select ${KEYS}, ${dayMs}::bigint as hour_start_ms, ${SUMS}, sum(cost)::decimal(18, 9) as cost
    from ${source} semi join counted using (cluster_id, hour_start_ms, revision) where ${clusters}
    group by ${KEYS} order by cluster_id, node_uid`;
}
