import type { SequenceRange } from "@plimsoll/contracts/wire";
import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { LedgerEntry, LedgerVerdict } from "./ledger.ts";
import { addRange, holds, type Mark } from "./sequence-marks.ts";
import { type KnownBatch, readSpoolState, type SpoolState, spoolName } from "./spool-state.ts";

/** The verdict on each entry, as if those before it had been committed. */
export async function judgeEntries(
  db: Kysely<Tables>,
  entries: readonly LedgerEntry[],
): Promise<readonly LedgerVerdict[]> {
  const spools = new Map<string, Spool>();
  for (const [name, ofSpool] of Map.groupBy(entries, (entry) => spoolName(entry.key))) {
    const [head] = ofSpool;
    if (head) spools.set(name, new Spool(await readSpoolState(db, head.key, ofSpool.flatMap(rangesOf))));
  }
  return entries.map((entry) => spools.get(spoolName(entry.key))?.judge(entry) ?? "applied");
}

function rangesOf({ key, replaces }: LedgerEntry): readonly SequenceRange[] {
  const own = { first: key.sequence, last: key.sequence };
  return replaces ? [own, replaces] : [own];
}

/** A spool's state while entries are judged one after the other. */
class Spool {
  private mark: Mark;
  private readonly batches: Map<number, KnownBatch>;

  constructor({ mark, batches }: SpoolState) {
    this.mark = mark;
    this.batches = new Map(batches);
  }

  judge(entry: LedgerEntry): LedgerVerdict {
    const { sequence } = entry.key;
    const known = this.batches.get(sequence);
    if (known) {
      if (known.sha256 !== entry.sha256) return "conflict";
      if (known.state !== "quarantined") return "duplicate";
    } else if (holds(this.mark, sequence)) {
      // Another batch stands for it, or its row is older than the ledger keeps rows.
      return "duplicate";
    }
    const verdict = entry.replaces && this.hasCounted(entry.replaces) ? "superseded" : "applied";
    this.note(entry, verdict);
    return verdict;
  }

  /** Was any of these applied, itself or through another that stands for it? */
  private hasCounted({ first, last }: SequenceRange): boolean {
    for (let sequence = first; sequence <= last; sequence += 1) {
      const known = this.batches.get(sequence);
      if (known ? known.state === "applied" : holds(this.mark, sequence)) return true;
    }
    return false;
  }

  private note({ key, sha256, replaces }: LedgerEntry, state: "applied" | "superseded"): void {
    this.batches.set(key.sequence, { sha256, state });
    this.mark = addRange(this.mark, { first: key.sequence, last: key.sequence });
    if (replaces && state === "applied") this.mark = addRange(this.mark, replaces);
  }
}
