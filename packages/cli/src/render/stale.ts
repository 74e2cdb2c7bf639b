import type { InventoryRecord } from "@plimsoll/contracts";
import { ageSeconds } from "../format/age.ts";

/** Older than this when the report was made, a cluster's figures are marked with their age (seconds). */
const STALE_SECONDS = 15 * 60;

/** Are the figures old enough, or of an unknown age, to say so? */
export function isStale({ observed_at }: Pick<InventoryRecord, "observed_at">, asOf: string): boolean {
  const age = ageSeconds(observed_at, asOf);
  return age === null || age > STALE_SECONDS;
}
