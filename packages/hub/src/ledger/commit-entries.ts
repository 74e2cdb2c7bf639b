import { PlimsollError } from "@plimsoll/contracts";
import { describeKey, type SequenceRange } from "@plimsoll/contracts/wire";
import { type Kysely, sql, type Transaction } from "kysely";
import type { NewRow, Tables } from "../store/tables.ts";
import type { GappedTime, LedgerCommit, LedgerEntry, SpoolKey, TouchedHour } from "./ledger.ts";
import { addRange, formatRanges, heldRanges, joinRange, withoutRanges } from "./sequence-marks.ts";
import { readStoredMark, type StoredMark, spoolName } from "./spool-state.ts";

/** Rows of one insert: SQLite takes 32,766 values at most. */
const ROWS_PER_INSERT = 1_000;

/** Writes a commit of the ledger inside a transaction. Throws `ledger_moved`. */
export async function commitEntries(trx: Transaction<Tables>, commit: LedgerCommit): Promise<void> {
  const counted = commit.entries.flatMap(({ entry, verdict }) =>
    verdict === "applied" || verdict === "superseded" ? [{ entry, state: verdict }] : [],
  );
  await insertBatches(trx, counted);
  for (const ofSpool of Map.groupBy(counted, ({ entry }) => spoolName(entry.key)).values()) {
    const [head] = ofSpool;
    if (head) await raiseMark(trx, head.entry.key, ofSpool.flatMap(rangesOf), commit.nowMs);
  }
  await commit.written?.count(trx, commit.nowMs);
  await touchHours(trx, commit.touched);
  for (const gapped of commit.gapped) await touchGapped(trx, gapped);
}

type BatchState = Tables["ledger_batches"]["state"];

function rangesOf({ entry, state }: { readonly entry: LedgerEntry; readonly state: BatchState }) {
  const { sequence } = entry.key;
  const own = { first: sequence, last: sequence };
  return entry.replaces && state === "applied" ? [own, entry.replaces] : [own];
}

async function insertBatches(
  trx: Kysely<Tables>,
  counted: readonly { readonly entry: LedgerEntry; readonly state: BatchState }[],
): Promise<void> {
  for (let start = 0; start < counted.length; start += ROWS_PER_INSERT) {
    const part = counted.slice(start, start + ROWS_PER_INSERT);
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("ledger_batches")
      .values(part.map(({ entry, state }) => batchRow(entry, state)))
      // Out of the quarantine, the row changes its state; any other row that is there already belongs to another writer.
      .onConflict((conflict) =>
        conflict
          .columns(["cluster_id", "incarnation", "spool_id", "sequence"])
          .doUpdateSet(({ ref }) => ({ state: ref("excluded.state"), kind: ref("excluded.kind") }))
          .where("ledger_batches.state", "=", "quarantined"),
      )
      .executeTakeFirstOrThrow();
    if (Number(numInsertedOrUpdatedRows ?? 0n) !== part.length) {
      throw new PlimsollError("ledger_moved", { batch: part[0] ? describeKey(part[0].entry.key) : "" });
    }
  }
}

/** An entry as its row. */
export function batchRow(entry: LedgerEntry, state: BatchState): NewRow<"ledger_batches"> {
  return {
    cluster_id: entry.key.clusterId,
    incarnation: entry.key.incarnation,
    spool_id: entry.key.spoolId,
    sequence: entry.key.sequence,
    sha256: entry.sha256,
    kind: entry.kind,
    rows: entry.rows,
    state,
    sealed_at_ms: entry.sealedAtMs,
    received_at_ms: entry.receivedAtMs,
  };
}

/** Adds ranges that came to the stored mark of a spool; what of them was given up as lost is so no more. */
export async function raiseMark(
  trx: Kysely<Tables>,
  spool: SpoolKey,
  added: readonly SequenceRange[],
  nowMs: number,
): Promise<void> {
  const { mark, lost } = await readStoredMark(trx, spool);
  await storeMark(trx, spool, { mark: added.reduce(addRange, mark), lost: withoutRanges(lost, added) }, nowMs);
}

/** Gives up what of a range did not come: its place in the mark is closed, and what comes of it late still counts. */
export async function closeLost(
  trx: Kysely<Tables>,
  spool: SpoolKey,
  range: SequenceRange,
  nowMs: number,
): Promise<void> {
  const { mark, lost } = await readStoredMark(trx, spool);
  const missing = withoutRanges([range], heldRanges(mark));
  await storeMark(trx, spool, { mark: addRange(mark, range), lost: missing.reduce(joinRange, lost) }, nowMs);
}

async function storeMark(
  trx: Kysely<Tables>,
  spool: SpoolKey,
  { mark, lost }: StoredMark,
  nowMs: number,
): Promise<void> {
  const { contiguous, ranges } = mark;
  const values = { contiguous, ranges: formatRanges(ranges), lost: formatRanges(lost), updated_at_ms: nowMs };
  await trx
    .insertInto("ledger_marks")
    .values({ cluster_id: spool.clusterId, incarnation: spool.incarnation, spool_id: spool.spoolId, ...values })
    .onConflict((conflict) => conflict.columns(["cluster_id", "incarnation", "spool_id"]).doUpdateSet(values))
    .execute();
}

/** Hours whose facts changed wait for pricing from now on. */
async function touchHours(trx: Kysely<Tables>, touched: readonly TouchedHour[]): Promise<void> {
  for (let start = 0; start < touched.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto("cost_hours")
      .values(
        touched.slice(start, start + ROWS_PER_INSERT).map(({ clusterId, hourStartMs }) => ({
          cluster_id: clusterId,
          hour_start_ms: hourStartMs,
          facts_version: 1,
          priced_version: 0,
          revision: 0,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["cluster_id", "hour_start_ms"])
          .doUpdateSet({ facts_version: sql<number>`cost_hours.facts_version + 1` }),
      )
      .execute();
  }
}

/**
 * Coverage is computed when it is asked for, so that a gap of days, told again each minute, prices nothing again; but for the
 * hour that it reaches into: what a cluster costs now says how well it is backed.
 */
async function touchGapped(trx: Kysely<Tables>, { clusterId, toMs }: GappedTime): Promise<void> {
  await trx
    .updateTable("cost_hours")
    .set({ facts_version: sql<number>`facts_version + 1` })
    .where("cluster_id", "=", clusterId)
    .where("hour_start_ms", ">=", toMs - 3_600_000)
    .where("hour_start_ms", "<", toMs)
    .execute();
}
