import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import { batchRow, raiseMark } from "./commit-entries.ts";
import type { LedgerEntry } from "./ledger.ts";
import { holds } from "./sequence-marks.ts";
import { readMark } from "./spool-state.ts";

/** Gives a batch whose rows do not count its place in the mark, unless the place is taken. */
export async function registerQuarantined(trx: Kysely<Tables>, entry: LedgerEntry): Promise<void> {
  const { sequence } = entry.key;
  if (holds(await readMark(trx, entry.key), sequence)) return;
  await trx.insertInto("ledger_batches").values(batchRow(entry, "quarantined")).execute();
  await raiseMark(trx, entry.key, [{ first: sequence, last: sequence }], entry.receivedAtMs);
}
