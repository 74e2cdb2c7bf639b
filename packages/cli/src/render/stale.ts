import type { InventoryRecord, ScanReport } from "@plimsoll/contracts";
import { ageSeconds } from "../format/age.ts";

/** Older than this when the report was made, a cluster's figures are marked with their age (seconds). */
const STALE_SECONDS = 15 * 60;

/** Are the figures old enough, or of an unknown age, to say so? */
export function isStale({ observed_at }: Pick<InventoryRecord, "observed_at">, asOf: string): boolean {
  const age = ageSeconds(observed_at, asOf);
  return age === null || age > STALE_SECONDS;
}

/** Age in seconds of the oldest cluster behind the fleet's figures, where it is old enough to say so; else undefined. */
export function oldestStale({ clusters, asOf }: Pick<ScanReport, "clusters" | "asOf">): number | undefined {
  const behind = clusters.filter(({ capacity, inventory }) => capacity !== null && isStale(inventory, asOf));
  const ages = behind.map(({ inventory }) => ageSeconds(inventory.observed_at, asOf) ?? Number.POSITIVE_INFINITY);
  return ages.length === 0 ? undefined : Math.max(...ages);
}
