import type { GapRow } from "@plimsoll/contracts/wire";
import type { SpoolLoss } from "../spool/spool.ts";

/** A loss of the spool as the hub is told of it. */
export function lossGap(loss: SpoolLoss, nowMs: number): GapRow {
  const { reason, missing, spoolId, first, last, batches, bytes, startMs, endMs } = loss;
  return {
    startMs,
    endMs,
    asOfMs: Math.max(nowMs, endMs),
    reason,
    missing: missing === "gap" ? null : missing,
    subject: null,
    detail: detailOf(loss),
    lostBatches: batches,
    lostRows: 0,
    lostBytes: bytes,
    lostSequences: { spoolId, first, last },
  };
}

function detailOf({ reason, missing, batches, bytes, openEnd }: SpoolLoss): string {
  const what = `${batches} ${missing} batches of ${bytes} bytes`;
  switch (reason) {
    case "spool_full":
      return `The spool was full: ${what} were dropped, the oldest`;
    case "disk_full":
      return `The disk was full: ${what} were dropped, the oldest`;
    case "spool_age":
      return `The spool keeps samples no longer: ${what} were dropped`;
    case "spool_corrupt":
      return `The spool was damaged: ${what} are lost${openEnd ? "; the last may never have been finished" : ""}`;
  }
}
