import { countSegments } from "../ledger/count-segments.ts";
import type { SegmentInfo } from "../ledger/segments.ts";
import { removeFiles } from "./unnamed-files.ts";
import type { Written } from "./warehouse-port.ts";
import type { SegmentDisk } from "./write-segments.ts";

/** Files that are durable and count once the ledger names them. */
export function writtenSegments(target: SegmentDisk, segments: readonly SegmentInfo[]): Written {
  return {
    count: (trx, nowMs) => countSegments(trx, segments, nowMs),
    discard: () => removeFiles(target, segments),
    abandon: async () => {
      for (const { path } of segments) target.abandoned.set(path, null);
    },
  };
}
