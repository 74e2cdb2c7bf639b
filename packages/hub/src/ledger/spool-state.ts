import type { SequenceRange } from "@plimsoll/contracts/wire";
import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { SpoolKey } from "./ledger.ts";
import { EMPTY_MARK, joinRange, type Mark, parseRanges, withoutLost } from "./sequence-marks.ts";

/** Spool of the gaps that the hub itself records when an entry leaves the quarantine: its sequences are entries' ids, with holes. */
export const HUB_SPOOL = "hub-quarantine";

/** A batch of a spool that the ledger knows. */
export interface KnownBatch {
  readonly sha256: string;
  readonly state: Tables["ledger_batches"]["state"];
}

/** What the ledger knows of a spool, as far as it matters to the sequences that were asked for. */
export interface SpoolState {
  /** Of what came: sequences that were given up as lost are not in it. */
  readonly mark: Mark;
  readonly batches: ReadonlyMap<number, KnownBatch>;
}

/** The spool as one text, to group by. */
export function spoolName({ clusterId, incarnation, spoolId }: SpoolKey): string {
  return `${clusterId}/${incarnation}/${spoolId}`;
}

/** The stored mark of a spool, and what of it is there only because it was given up as lost. */
export interface StoredMark {
  readonly mark: Mark;
  readonly lost: readonly SequenceRange[];
}

/** The stored mark of a spool, with what is lost closed: what its sender need not keep. */
export async function readMark(db: Kysely<Tables>, spool: SpoolKey): Promise<Mark> {
  return (await readStoredMark(db, spool)).mark;
}

/** The stored mark of a spool, and what of it is lost. */
export async function readStoredMark(db: Kysely<Tables>, spool: SpoolKey): Promise<StoredMark> {
  const row = await db
    .selectFrom("ledger_marks")
    .select(["contiguous", "ranges", "lost"])
    .where("cluster_id", "=", spool.clusterId)
    .where("incarnation", "=", spool.incarnation)
    .where("spool_id", "=", spool.spoolId)
    .executeTakeFirst();
  if (row === undefined) return { mark: EMPTY_MARK, lost: [] };
  return { mark: { contiguous: row.contiguous, ranges: parseRanges(row.ranges) }, lost: parseRanges(row.lost) };
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
  const { mark, lost } = await readStoredMark(db, spool);
  return { mark: withoutLost(mark, lost), batches };
}
