import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { takeLock } from "./state-lock.ts";

/** The folder that an agent keeps everything in, locked for this process. */
export interface StateFolder {
  readonly path: string;
  /** Path of something in it. */
  file(name: string): string;
  release(): Promise<void>;
}

/** Makes (owner only) and locks a state folder. Throws `state_unusable` or `state_busy`. */
export async function openStateFolder(path: string): Promise<StateFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const release = await takeLock(join(path, "lock"), path);
    return { path, file: (name) => join(path, name), release };
  } catch (error) {
    if (error instanceof PlimsollError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlimsollError("state_unusable", { path, reason }, { cause: error });
  }
}
