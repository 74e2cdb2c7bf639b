import type { ObjectMeta } from "@plimsoll/contracts";
import { parseInstant } from "../metering/instant.ts";

/** The form that every API server writes, but for 29 February: surely a time, and quick to see for 5,000 pods. */
const SURELY_A_TIME =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Throws `timestamp_invalid` naming the field when a time that rules read is no RFC 3339 time. */
export function checkTimestamps(object: string, metadata: ObjectMeta, startTime?: string): void {
  const times: readonly (readonly [string, string | undefined])[] = [
    ["metadata.creationTimestamp", metadata.creationTimestamp],
    ["metadata.deletionTimestamp", metadata.deletionTimestamp],
    ["status.startTime", startTime],
  ];
  for (const [field, text] of times) {
    if (text !== undefined && !SURELY_A_TIME.test(text)) parseInstant(text, `${object} ${field}`);
  }
}
