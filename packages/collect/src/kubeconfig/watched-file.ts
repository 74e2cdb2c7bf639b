import { readFile, stat } from "node:fs/promises";

/** Reads a small text file again whenever it changed: tokens and certificates are rotated under running programs. */
export interface WatchedFile {
  /** The present text, trimmed. Rejects as `fs` does. */
  read(): Promise<string>;
  /** The next `read` reads again, whatever the file's time says. */
  forget(): void;
}

/** Change is seen by modification time, size and inode; a projected volume swaps a link, which changes all of them. */
export function createWatchedFile(path: string): WatchedFile {
  let held: { stamp: string; text: string } | undefined;
  return {
    async read() {
      const { mtimeMs, size, ino } = await stat(path);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      if (held?.stamp !== stamp) held = { stamp, text: (await readFile(path, "utf8")).trim() };
      return held.text;
    },
    forget() {
      held = undefined;
    },
  };
}
