import type { SegmentInfo } from "../ledger/segments.ts";
import type { SegmentTarget } from "./append-facts.ts";
import { COST_SELECT, stageCost } from "./cost-facts.ts";
import type { CostRecord } from "./cost-record.ts";
import { unavailable } from "./duck.ts";
import { type HourRows, writeSegments } from "./write-segments.ts";

/** Writes priced rows, one file for each hour. A cluster's hour must be there with one revision only. */
export async function writeCost(
  target: SegmentTarget,
  records: readonly CostRecord[],
): Promise<readonly SegmentInfo[]> {
  if (records.length === 0) return [];
  const hours = [...Map.groupBy(records, ({ hourStartMs }) => hourStartMs)].map(
    ([hourStartMs, ofHour]): HourRows => ({
      kind: "cost",
      hourStartMs,
      generation: 0,
      rows: ofHour.length,
      clusters: new Map(ofHour.map(({ place, revision }) => [place.clusterId, revision])),
      select: `select * from (${COST_SELECT}) where hour_start_ms = ${hourStartMs}`,
    }),
  );
  try {
    return await target.duck.use(async (connection) => {
      for (const [name, table] of Object.entries(stageCost(records))) await table.load(connection, name);
      return writeSegments(connection, target, hours);
    });
  } catch (cause) {
    throw unavailable("written", cause);
  }
}
