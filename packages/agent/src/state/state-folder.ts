import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { isDiskFull } from "../spool/disk-fault.ts";
import { RESERVE_NAME } from "../spool/reserve.ts";
import { takeLock } from "./state-lock.ts";

/** The folder that an agent keeps everything in, locked for this process. */
export interface StateFolder {
  readonly path: string;
  /** Path of something in it. */
  file(name: string): string;
  release(): Promise<void>;
}

/** Where the spool of a state folder lies, and the room that it has set aside. */
export const SPOOL_FOLDER = "spool";
const SPOOL_RESERVE = join(SPOOL_FOLDER, RESERVE_NAME);

/** Makes (owner only) and locks a state folder. Throws `state_unusable` or `state_busy`. */
export async function openStateFolder(path: string): Promise<StateFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const lock = () => takeLock(join(path, "lock"), path);
    // The spool's reserve is there for this: an agent that starts on a full disk may make room on it.
    const release = await lock().catch(async (error: unknown) => {
      if (!isDiskFull(error)) throw error;
      await rm(join(path, SPOOL_RESERVE), { force: true });
      return lock();
    });
    return { path, file: (name) => join(path, name), release };
  } catch (error) {
    if (error instanceof PlimsollError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlimsollError("state_unusable", { path, reason }, { cause: error });
  }
}
