import { isIn } from "./log-entries.ts";
import { dropLostNote, readLostNote } from "./lost-note.ts";
import {
  type FoundSegment,
  findLosses,
  hasDamagedEnd,
  type KeepDamage,
  type LostEntries,
  type ReadHead,
  readSegments,
} from "./recover-segments.ts";
import { SegmentLog, type SegmentLogOptions } from "./segment-log.ts";
import { newSpoolId } from "./spool-id.ts";

/** How a log is opened. */
export interface OpenLogOptions extends SegmentLogOptions {
  /** Milliseconds since 1970 UTC, for new spool ids. */
  readonly now: () => number;
  readonly readHead: ReadHead;
  readonly keepDamage: KeepDamage;
}

/** A log that is ready, and what of it was lost. */
export interface OpenedLog {
  readonly log: SegmentLog;
  readonly losses: readonly LostEntries[];
  /** Cuts and removes what is damaged. Call it once the losses are on record: their traces go with it. */
  readonly tidy: () => Promise<void>;
}

/**
 * Opens a log as a crash may have left it: behind a damaged end a new spool id begins, so that no sequence is ever used
 * twice; damage in the middle is passed over. Whatever the bytes are, it does not throw for them.
 */
export async function openLog(options: OpenLogOptions): Promise<OpenedLog> {
  const { files, readHead, keepDamage, now } = options;
  const found = await readSegments(files, readHead, keepDamage);
  const bySpool = Map.groupBy(found, ({ spoolId }) => spoolId);
  const newest = found.at(-1);
  const note = await readLostNote(files);
  const log = new SegmentLog(options, found);
  await log.begin(
    newest && !hasDamagedEnd(newest) && !note.endsAll && !note.ended.includes(newest.spoolId)
      ? { spoolId: newest.spoolId, next: nextOf(newest) }
      : { spoolId: newSpoolId(now(), [...bySpool.keys(), ...note.ended]), next: 1 },
  );
  await finishReplacing(log);
  return {
    log,
    losses: [...note.losses, ...[...bySpool.values()].flatMap(findLosses)],
    async tidy() {
      await log.tidy();
      await dropLostNote(files);
    },
  };
}

function nextOf(segment: FoundSegment): number {
  return (segment.entries.at(-1)?.sequence ?? segment.firstSequence - 1) + 1;
}

/**
 * A crash may have come between a batch that stands for others and their removal. Those of which it is not proven that they
 * were never sent stay: the hub counts either the one or the others.
 */
async function finishReplacing(log: SegmentLog): Promise<void> {
  const waiting = [...log.waiting.values()];
  const replacing = waiting.filter(({ replaces }) => replaces !== null);
  const replaced = waiting.filter(
    (entry) =>
      log.isUnsent(entry) &&
      replacing.some(
        ({ spoolId, replaces }) => spoolId === entry.spoolId && replaces !== null && isIn(replaces, entry.sequence),
      ),
  );
  if (replaced.length > 0) await log.forget(replaced);
}
