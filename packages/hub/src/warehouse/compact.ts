import { liveSegments } from "../ledger/segment-rows.ts";
import { Attempts } from "./attempts.ts";
import type { Duck } from "./duck.ts";
import { planMerges } from "./plan-merges.ts";
import { rewriteSegments } from "./rewrite-segments.ts";
import type { SegmentFiles } from "./segment-reader.ts";
import { WAREHOUSE_KINDS } from "./warehouse-port.ts";

/**
 * Merges small files of the same kind into hour and day files; a merge that fails keeps none of the others. Returns the files
 * saved.
 */
export async function compactSegments(files: SegmentFiles, duck: Duck, nowMs: number): Promise<number> {
  const attempts = new Attempts();
  let saved = 0;
  for (const kind of WAREHOUSE_KINDS) {
    const live = await liveSegments(files.store.db, { kind, fromMs: null, toMs: null, clusterIds: null });
    for (const segments of planMerges(kind, live, nowMs)) {
      const rewrite = { kind, segments, where: "true" };
      const left = await attempts.at(() => rewriteSegments(files, duck, rewrite, nowMs));
      saved += segments.length - (left ?? segments.length);
    }
  }
  attempts.end();
  return saved;
}
