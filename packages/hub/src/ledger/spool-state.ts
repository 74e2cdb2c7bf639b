import type { SequenceRange } from "@plimsoll/contracts/wire";
import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { SpoolKey } from "./ledger.ts";
import { EMPTY_MARK, joinRange, type Mark, parseRanges } from "./sequence-marks.ts";

/** A batch of a spool that the ledger knows. */
export interface KnownBatch {
  readonly sha256: string;
  readonly state: Tables["ledger_batches"]["state"];
}

/** What the ledger knows of a spool, as far as it matters to the sequences that were asked for. */
export interface SpoolState {
  readonly mark: Mark;
  readonly batches: ReadonlyMap<number, KnownBatch>;
}

/** The spool as one text, to group by. */
export function spoolName({ clusterId, incarnation, spoolId }: SpoolKey): string {
  return `${clusterId}/${incarnation}/${spoolId}`;
}

/** The stored mark of a spool. */
export async function readMark(db: Kysely<Tables>, spool: SpoolKey): Promise<Mark> {
  const row = await db
    .selectFrom("ledger_marks")
    .select(["contiguous", "ranges"])
    .where("cluster_id", "=", spool.clusterId)
    .where("incarnation", "=", spool.incarnation)
    .where("spool_id", "=", spool.spoolId)
    .executeTakeFirst();
  return row === undefined ? EMPTY_MARK : { contiguous: row.contiguous, ranges: parseRanges(row.ranges) };
}

/** The mark, and the batches of these ranges that have a row. */
export async function readSpoolState(
  db: Kysely<Tables>,
  spool: SpoolKey,
  ranges: readonly SequenceRange[],
): Promise<SpoolState> {
  const batches = new Map<number, KnownBatch>();
  for (const { first, last } of ranges.reduce(joinRange, [])) {
    const rows = await db
      .selectFrom("ledger_batches")
      .select(["sequence", "sha256", "state"])
      .where("cluster_id", "=", spool.clusterId)
      .where("incarnation", "=", spool.incarnation)
      .where("spool_id", "=", spool.spoolId)
      .where("sequence", ">=", first)
      .where("sequence", "<=", last)
      .execute();
    for (const row of rows) batches.set(row.sequence, row);
  }
  return { mark: await readMark(db, spool), batches };
}
