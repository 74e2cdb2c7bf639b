import type { ObjectMeta } from "@plimsoll/contracts";
import { parseInstant } from "../metering/instant.ts";

/** Throws `timestamp_invalid` naming the field when a time that rules read is no RFC 3339 time. */
export function checkTimestamps(object: string, metadata: ObjectMeta, startTime?: string): void {
  const times: readonly (readonly [string, string | undefined])[] = [
    ["metadata.creationTimestamp", metadata.creationTimestamp],
    ["metadata.deletionTimestamp", metadata.deletionTimestamp],
    ["status.startTime", startTime],
  ];
  for (const [field, text] of times) {
    if (text !== undefined) parseInstant(text, `${object} ${field}`);
  }
}
