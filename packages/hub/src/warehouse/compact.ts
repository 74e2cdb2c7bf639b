import { liveSegments } from "../ledger/segment-rows.ts";
import type { Duck } from "./duck.ts";
import { planMerges } from "./plan-merges.ts";
import { rewriteSegments } from "./rewrite-segments.ts";
import type { SegmentFiles } from "./segment-reader.ts";
import { WAREHOUSE_KINDS } from "./warehouse-port.ts";

/** Merges small files of the same kind into hour and day files. Returns the files saved. */
export async function compactSegments(files: SegmentFiles, duck: Duck, nowMs: number): Promise<number> {
  let saved = 0;
  for (const kind of WAREHOUSE_KINDS) {
    const live = await liveSegments(files.store.db, { kind, fromMs: null, toMs: null, clusterIds: null });
    for (const segments of planMerges(kind, live, nowMs)) {
      const left = await rewriteSegments(files, duck, { kind, segments, where: "true" }, nowMs);
      saved += left === null ? 0 : segments.length - left;
    }
  }
  return saved;
}
