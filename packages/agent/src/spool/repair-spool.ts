import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import type { BatchKind } from "@plimsoll/contracts/wire";
import { readEntryHead } from "../rows/entry-head.ts";
import { writePrivateFile } from "../state/private-file.ts";
import { lockHolder, takeLock } from "../state/state-lock.ts";
import { addLostNote } from "./lost-note.ts";
import { type FoundSegment, findLosses, hasDamagedEnd, type LostEntries, readSegments } from "./recover-segments.ts";
import { newHeader, SENT_MARK } from "./segment-header.ts";
import { LANES } from "./spool.ts";
import { openFolder } from "./spool-files.ts";
import { readOnlyFolder, type SpoolPlace } from "./spool-place.ts";

/** One thing that a repair does: to a segment, or to bytes of it. */
export interface RepairStep {
  readonly kind: BatchKind;
  readonly segment: string;
  /** `cut`: a damaged end; `move`: damaged bytes in the middle; `header`: written anew, the segment counts as sent. */
  readonly action: "cut" | "move" | "header";
  /** Of the damaged bytes. */
  readonly offset: number;
  readonly bytes: number;
  /** Where they are kept, in the quarantine; null for a header. */
  readonly keptAs: string | null;
}

/**
 * Takes damaged bytes out of a spool and puts them into the quarantine. What is lost with them is noted, and told to the hub
 * when the agent starts. Throws `state_busy` when an agent uses the spool; with `dryRun` it changes nothing.
 */
export async function repairSpool(
  place: SpoolPlace,
  { dryRun }: { readonly dryRun: boolean },
): Promise<readonly RepairStep[]> {
  const release = dryRun ? await lookAtLock(place) : await takeLock(place.lock, place.state);
  try {
    const steps: RepairStep[] = [];
    for (const kind of LANES) steps.push(...(await repairLane(place, kind, dryRun)));
    return steps;
  } finally {
    await release();
  }
}

/** The lock is free: what is only looked at need not hold it. */
async function lookAtLock({ lock, state }: SpoolPlace): Promise<() => Promise<void>> {
  const pid = await lockHolder(lock);
  if (pid !== null) throw new PlimsollError("state_busy", { path: state, pid });
  return async () => {};
}

async function repairLane(place: SpoolPlace, kind: BatchKind, dryRun: boolean): Promise<readonly RepairStep[]> {
  const path = join(place.spool, kind);
  const found = await readSegments(readOnlyFolder(path), readEntryHead, async () => {});
  const steps = found.flatMap((segment) => stepsOf(kind, segment));
  if (dryRun || steps.length === 0) return steps;
  await noteLosses(path, found);
  for (const segment of found) {
    if (stepsOf(kind, segment).length > 0) await rewrite(place, path, kind, segment);
  }
  return steps;
}

/** What cutting takes the traces of away is noted before; a hole in the middle goes on to show by the sequences around it. */
async function noteLosses(path: string, found: readonly FoundSegment[]): Promise<void> {
  const cut = found.filter((segment) => hasDamagedEnd(segment) && !segment.unreadable);
  if (cut.length === 0) return;
  const newest = found.at(-1);
  const losses = [...Map.groupBy(found, ({ spoolId }) => spoolId).values()].flatMap(findLosses);
  await addLostNote(path, {
    losses: losses.filter((lost) => isOfEnd(lost, cut)),
    ended: newest && cut.includes(newest) ? [newest.spoolId] : [],
  });
}

/** Did a loss stand in a damaged end? */
function isOfEnd({ spoolId, range }: LostEntries, cut: readonly FoundSegment[]): boolean {
  const nextOf = ({ entries, firstSequence }: FoundSegment) => (entries.at(-1)?.sequence ?? firstSequence - 1) + 1;
  return cut.some((segment) => segment.spoolId === spoolId && nextOf(segment) === range.first);
}

function stepsOf(kind: BatchKind, { name, intactHeader, bytes, damages }: FoundSegment): readonly RepairStep[] {
  const steps = damages.map(
    ({ offset, length, tail }): RepairStep => ({
      kind,
      segment: name,
      action: tail ? "cut" : "move",
      offset,
      bytes: length,
      keptAs: `${kind}-${name}@${offset}`,
    }),
  );
  if (intactHeader || bytes < newHeader().length) return steps;
  const header = { kind, segment: name, action: "header", offset: 0, bytes: newHeader().length, keptAs: null } as const;
  return [header, ...steps];
}

/** A segment anew, of its intact entries. What was damaged proves no more that nothing was sent. */
async function rewrite(place: SpoolPlace, path: string, kind: BatchKind, segment: FoundSegment): Promise<void> {
  const content = await readOnlyFolder(path).readAll(segment.name);
  const quarantine = await openFolder(place.quarantine);
  for (const { offset, length } of segment.damages) {
    const bytes = content.subarray(offset, offset + length);
    await writePrivateFile(join(place.quarantine, `${kind}-${segment.name}@${offset}`), bytes);
  }
  await quarantine.syncFolder();
  const header = Buffer.from(segment.unsent ? newHeader() : content.subarray(0, newHeader().length));
  if (!segment.intactHeader) {
    header.set(newHeader());
    header.set(SENT_MARK.bytes, SENT_MARK.position);
  }
  const entries = segment.entries.map(({ offset, length }) => content.subarray(offset, offset + length));
  await writePrivateFile(join(path, segment.name), Buffer.concat([header, ...entries]));
}
