import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { exchangeSegments, ownersOf, type SegmentOwners, smallSegments } from "../ledger/exchange-segments.ts";
import type { LiveSegment } from "../ledger/segment-rows.ts";
import type { SegmentInfo } from "../ledger/segments.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import { type Duck, literal, queryRows, unavailable } from "./duck.ts";
import { FACT_KEYS, type FactKind, newestOf } from "./newest.ts";
import { dropFaulty, type SegmentFiles, sourceOf } from "./segment-reader.ts";
import { writeSegments } from "./write-segments.ts";

/** Files of one generation that are worth a merge while their hour is still written. */
const MERGE_FROM = 16;
/** An hour that nothing was written to for so long is merged whole. */
const QUIET_MS = 2 * 3_600_000;
const KINDS: readonly SegmentKind[] = ["usage", "node", "sample", "gap", "cost"];

/** Files of one kind and hour that become one. */
interface Merge {
  readonly kind: SegmentKind;
  readonly hourStartMs: number;
  readonly segments: readonly LiveSegment[];
}

/**
 * Merges small files of the same kind and hour; of rows with an equal key only the newest stays. Files of one generation
 * become one of the next, so a row is copied a few times at most however long its hour lasts. Returns the files saved.
 */
export async function compactSegments(files: SegmentFiles, duck: Duck, nowMs: number): Promise<number> {
  let saved = 0;
  for (const kind of KINDS) {
    for (const merge of mergesOf(kind, await smallSegments(files.store.db, kind), nowMs)) {
      saved += (await mergeSegments(files, duck, merge, nowMs)) ? merge.segments.length - 1 : 0;
    }
  }
  return saved;
}

function mergesOf(kind: SegmentKind, segments: readonly LiveSegment[], nowMs: number): readonly Merge[] {
  return [...Map.groupBy(segments, ({ hourStartMs }) => hourStartMs)]
    .flatMap(([hourStartMs, ofHour]) => {
      if (hourStartMs + 3_600_000 + QUIET_MS < nowMs) return [{ kind, hourStartMs, segments: ofHour }];
      const generations = Map.groupBy(ofHour, ({ generation }) => generation).values();
      return [...generations].map((ofGeneration) => ({ kind, hourStartMs, segments: ofGeneration }));
    })
    .filter((merge) => isWorthIt(merge, nowMs));
}

function isWorthIt({ hourStartMs, segments }: Merge, nowMs: number): boolean {
  return segments.length >= (hourStartMs + 3_600_000 + QUIET_MS < nowMs ? 2 : MERGE_FROM);
}

/** False when the ledger moved on meanwhile: the merged file is dropped, another pass tries again. */
async function mergeSegments(files: SegmentFiles, duck: Duck, merge: Merge, nowMs: number): Promise<boolean> {
  const owners = await ownersOf(files.store.db, merge.segments);
  const merged = await writeMerged(files, duck, merge, owners).catch(async (error: unknown) => {
    // A damaged file must not keep the others apart for ever.
    if ((await dropFaulty(files, merge.segments)).length > 0) return null;
    throw error;
  });
  if (merged === null) return false;
  try {
    await files.store.write((trx) => exchangeSegments(trx, merge.segments, owners, merged, nowMs));
    return true;
  } catch (error) {
    for (const { path } of merged) await files.disk.remove(join(files.dataDir, path));
    if (error instanceof PlimsollError && error.code === "ledger_moved") return false;
    throw error;
  }
}

async function writeMerged(
  files: SegmentFiles,
  duck: Duck,
  { kind, hourStartMs, segments }: Merge,
  owners: SegmentOwners,
): Promise<readonly SegmentInfo[]> {
  const source = sourceOf(files.dataDir, segments);
  const newest = kind === "cost" ? `select * from ${source} ${onlyCounted(owners)}` : newestRows(kind, source);
  const order = kind === "cost" ? "cluster_id, node_uid, namespace, workload_name" : FACT_KEYS[kind].join(", ");
  try {
    return await duck.use(async (connection) => {
      const [count] = await queryRows(connection, `select count(*) as rows from (${newest})`);
      const rows = count?.number("rows") ?? 0;
      const generation = Math.max(...segments.map((segment) => segment.generation)) + 1;
      const select = `${newest} order by ${order}`;
      const hour = { kind, hourStartMs, generation, rows, clusters: owners.clusters, select };
      return writeSegments(connection, files, rows > 0 ? [hour] : []);
    });
  } catch (cause) {
    throw unavailable("written", cause);
  }
}

/** Priced rows of the revisions that the ledger counts; those of earlier ones go. */
function onlyCounted({ clusters }: SegmentOwners): string {
  const counted = [...clusters].map(([clusterId, revision]) => `(${literal(clusterId)}, ${revision})`);
  return `where (cluster_id, revision) in (${counted.join(", ")})`;
}

/** `version` is how the newest rows are found, no column of the files. */
function newestRows(kind: FactKind, source: string): string {
  return `select * exclude (version) from (${newestOf(kind, source)})`;
}
