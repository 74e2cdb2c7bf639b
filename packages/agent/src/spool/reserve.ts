import type { SpoolFiles } from "./spool-files.ts";

/**
 * Bytes that are set aside on the disk, to be given up when it is full: then gap records can be written, batches be
 * coarsened and segments be followed by new ones, which is what makes room again.
 */
export interface Reserve {
  /** Gives the room up; false = there is none set aside. Never rejects. */
  release(): Promise<boolean>;
  /** Sets the room aside, if it is not and the disk has it. Never rejects. */
  ensure(): Promise<void>;
  /** Is the room set aside? */
  readonly held: boolean;
  readonly bytes: number;
}

/** Name of its file. */
export const RESERVE_NAME = "reserve";
/** Written in pieces, so that it costs no memory. */
const PIECE = 64 * 1024;

/** The reserve in a folder of its own; what an earlier run left of it is used. */
export function createReserve(files: SpoolFiles, bytes: number): Reserve {
  let held = false;
  return {
    bytes,
    get held() {
      return held;
    },
    async release() {
      held = false;
      try {
        if (!(await files.list()).includes(RESERVE_NAME)) return false;
        await files.remove(RESERVE_NAME);
        await files.syncFolder();
        return true;
      } catch {
        return false;
      }
    },
    async ensure() {
      if (held) return;
      try {
        if ((await files.list()).includes(RESERVE_NAME)) await files.remove(RESERVE_NAME);
        await fill(files, bytes);
        held = true;
      } catch {
        // No room for it: what it took of it goes to whoever needs it more.
        await files.remove(RESERVE_NAME).catch(() => {});
      }
    },
  };
}

/** Real bytes, not a hole: a file system may keep no room for holes, and compress zeros away. */
async function fill(files: SpoolFiles, bytes: number): Promise<void> {
  const file = await files.create(RESERVE_NAME);
  try {
    const piece = Buffer.alloc(Math.min(PIECE, bytes));
    for (let at = 0; at < piece.length; at += 4) piece.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    for (let done = 0; done < bytes; done += piece.length) {
      await file.write(piece.subarray(0, Math.min(piece.length, bytes - done)), done);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await files.syncFolder();
}
