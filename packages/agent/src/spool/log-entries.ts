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
 * Runs of batches that may be replaced by one: never sent, each directly behind the other in the sequence, none of them a
 * replacement itself, so that what a run stands for has one place in the order of facts.
 */
export function unsentRuns(
  entries: Iterable<LogEntry>,
  isFree: (entry: LogEntry) => boolean,
  most: number,
): readonly (readonly LogEntry[])[] {
  const runs: LogEntry[][] = [];
  let run: LogEntry[] = [];
  for (const entry of entries) {
    if (entry.replaces !== null || !isFree(entry)) continue;
    const before = run.at(-1);
    const follows = before?.spoolId === entry.spoolId && before.sequence + 1 === entry.sequence && run.length < most;
    if (!follows) {
      run = [];
      runs.push(run);
    }
    run.push(entry);
  }
  return runs;
}
