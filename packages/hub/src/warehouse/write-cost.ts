import type { SegmentTarget } from "./append-facts.ts";
import { COST_SELECT, stageCost } from "./cost-facts.ts";
import type { CostRecord } from "./cost-record.ts";
import { unavailable } from "./duck.ts";
import type { Written } from "./warehouse-port.ts";
import { type SegmentRows, writeSegments } from "./write-segments.ts";
import { writtenSegments } from "./written-segments.ts";

/** Writes priced rows, one file for each hour. A cluster's hour must be there with one revision only. */
export async function writeCost(target: SegmentTarget, records: readonly CostRecord[]): Promise<Written> {
  if (records.length === 0) return writtenSegments(target, []);
  const hours = [...Map.groupBy(records, ({ hourStartMs }) => hourStartMs)].map(
    ([hourStartMs, ofHour]): SegmentRows => ({
      kind: "cost",
      hourStartMs,
      endMs: hourStartMs + 3_600_000,
      generation: 0,
      rows: ofHour.length,
      clusters: new Map(ofHour.map(({ place, revision }) => [place.clusterId, revision])),
      select: `select * from (${COST_SELECT}) where hour_start_ms = ${hourStartMs}`,
    }),
  );
  try {
    const segments = await target.duck.use(async (connection) => {
      for (const [name, table] of Object.entries(stageCost(records))) await table.load(connection, name);
      return writeSegments(connection, target, hours);
    });
    return writtenSegments(target, segments);
  } catch (cause) {
    throw unavailable("written", cause);
  }
}
