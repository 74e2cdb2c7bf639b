import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../state/private-file.ts";
import type { LostEntries } from "./recover-segments.ts";
import type { SpoolFiles } from "./spool-files.ts";
import { readOnlyFolder } from "./spool-place.ts";

const Count = z.number().int().nonnegative();
const Lost = z.object({
  spoolId: z.string(),
  range: z.object({ first: Count, last: Count }),
  batches: Count,
  bytes: Count,
  openEnd: z.boolean(),
  afterMs: z.number().nullable(),
  beforeMs: z.number().nullable(),
});
const Note = z.object({
  losses: z.array(Lost),
  /** Spools that had a damaged end: none of their sequences may be used any more. */
  ended: z.array(z.string()),
  /** Any spool of before may be one of them: a note of before could not be read. */
  endsAll: z.boolean().default(false),
});

/** What a repair found lost, and took the traces of away: the agent tells the hub of it when it starts. */
export interface LostNote {
  readonly losses: readonly LostEntries[];
  readonly ended: readonly string[];
  readonly endsAll: boolean;
}

const NAME = "lost.json";
const NOTHING: LostNote = { losses: [], ended: [], endsAll: false };

/** The note of a folder; an empty one where there is none. Of one that cannot be read only that it was there is known. */
export async function readLostNote(files: Pick<SpoolFiles, "list" | "readAll">): Promise<LostNote> {
  if (!(await files.list()).includes(NAME)) return NOTHING;
  try {
    return Note.parse(JSON.parse(Buffer.from(await files.readAll(NAME)).toString("utf8")));
  } catch {
    return { ...NOTHING, endsAll: true };
  }
}

/** Makes a note durable in the folder of a lane, with what an earlier one says. Rejects as `fs` does. */
export async function addLostNote(path: string, { losses, ended }: Omit<LostNote, "endsAll">): Promise<void> {
  const before = await readLostNote(readOnlyFolder(path));
  const note: LostNote = { ...before, losses: [...before.losses, ...losses], ended: [...before.ended, ...ended] };
  await writePrivateFile(join(path, NAME), JSON.stringify(note));
}

/** It was told: the note goes. */
export async function dropLostNote(files: SpoolFiles): Promise<void> {
  if ((await files.list()).includes(NAME)) await files.remove(NAME);
}
