import type { SequenceRange } from "@plimsoll/contracts/wire";
import type { LostEntries } from "./recover-segments.ts";
import type { LogEntry } from "./segment-log.ts";

/** Does a range hold a sequence? */
export function isIn({ first, last }: SequenceRange, sequence: number): boolean {
  return sequence >= first && sequence <= last;
}

/** Entries of one spool, in order of their sequences, as a loss. */
export function lostOf(entries: readonly LogEntry[]): LostEntries {
  const sequences = entries.map(({ sequence }) => sequence);
  const sealed = entries.flatMap(({ sealedAtMs }) => sealedAtMs ?? []);
  const until = entries.flatMap(({ untilMs }) => untilMs ?? []);
  return {
    spoolId: entries[0]?.spoolId ?? "",
    range: { first: Math.min(...sequences), last: Math.max(...sequences) },
    batches: entries.length,
    bytes: entries.reduce((sum, { length }) => sum + length, 0),
    openEnd: false,
    afterMs: sealed.length === 0 ? null : Math.min(...sealed),
    beforeMs: until.length === 0 ? null : Math.max(...until),
  };
}

/**
 * Runs of batches that may be replaced by one: never sent, and without a hole between them, so that what a run stands for is
 * one range of sequences, and one place in the order of facts. A batch that stands for others can be part of one where its
 * own sequence follows theirs directly.
 */
export function unsentRuns(
  entries: Iterable<LogEntry>,
  isFree: (entry: LogEntry) => boolean,
  most: number,
): readonly (readonly LogEntry[])[] {
  const runs: LogEntry[][] = [];
  let run: LogEntry[] = [];
  for (const entry of entries) {
    const range = isFree(entry) ? rangeOf(entry) : undefined;
    if (!range) continue;
    const [first, before] = [run[0], run.at(-1)];
    const follows = before?.spoolId === entry.spoolId && before.sequence + 1 === range.first;
    const length = range.last - (first ? (rangeOf(first) ?? range) : range).first + 1;
    if (!follows || length > most) {
      run = [];
      runs.push(run);
    }
    run.push(entry);
  }
  return runs;
}

/** The sequences that a batch stands for, its own with them; undefined = they are not one range. */
export function rangeOf({ sequence, replaces }: LogEntry): SequenceRange | undefined {
  if (replaces === null) return { first: sequence, last: sequence };
  return replaces.last + 1 === sequence ? { first: replaces.first, last: sequence } : undefined;
}
