import { join } from "node:path";
import { countSegments } from "../ledger/count-segments.ts";
import type { SegmentInfo } from "../ledger/segments.ts";
import type { Written } from "./warehouse-port.ts";
import type { SegmentDisk } from "./write-segments.ts";

/** Files that are durable and count once the ledger names them. */
export function writtenSegments({ disk, dataDir }: SegmentDisk, segments: readonly SegmentInfo[]): Written {
  return {
    count: (trx, nowMs) => countSegments(trx, segments, nowMs),
    discard: async () => {
      for (const { path } of segments) await disk.remove(join(dataDir, path));
    },
  };
}
