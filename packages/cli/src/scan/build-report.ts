import type { ScanReport } from "@plimsoll/contracts";
import { type ClusterResult, reportFleet } from "@plimsoll/core";
import type { ClusterReading } from "./read-fleet.ts";

/** The fleet's report from what was read: every cluster once, a row also for each that gave nothing. */
export function buildReport(readings: readonly ClusterReading<ClusterResult>[], asOf: string): ScanReport {
  const results = readings.flatMap((reading) => ("result" in reading ? [reading.result] : []));
  const unreadable = readings.flatMap((reading) =>
    "error" in reading
      ? [{ name: reading.source.name, endpoint: reading.source.endpoint, errors: [reading.error] }]
      : [],
  );
  return reportFleet(results, unreadable, asOf);
}
