import { open, readFile, rm } from "node:fs/promises";
import { PlimsollError } from "@plimsoll/contracts";
import { z } from "zod";
import { writePrivateFile } from "./private-file.ts";

const Owner = z.object({ pid: z.number().int(), started: z.string() });
type Owner = z.infer<typeof Owner>;

/**
 * Takes the lock of a state folder for this process; gives its release. One that a dead process left is taken over. Throws
 * `state_busy`.
 */
export async function takeLock(lockPath: string, folder: string): Promise<() => Promise<void>> {
  const own: Owner = { pid: process.pid, started: await startOf(process.pid) };
  if (!(await create(lockPath, own))) {
    const pid = await lockHolder(lockPath);
    if (pid !== null) throw new PlimsollError("state_busy", { path: folder, pid });
    await writePrivateFile(lockPath, JSON.stringify(own));
  }
  return () => rm(lockPath, { force: true });
}

/** Process that holds a lock; null = none that is alive does. */
export async function lockHolder(lockPath: string): Promise<number | null> {
  const holder = await readOwner(lockPath);
  return holder && (await isAlive(holder)) ? holder.pid : null;
}

async function create(path: string, own: Owner): Promise<boolean> {
  try {
    const handle = await open(path, "wx", 0o600);
    await handle.writeFile(JSON.stringify(own)).finally(() => handle.close());
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Undefined when a crash left half a lock. */
async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return Owner.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** In a container every agent is process 1: the start time tells one from the other. */
async function isAlive({ pid, started }: Owner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return (await startOf(pid)) === started;
}

/** When a process started, in ticks since boot (field 22 of Linux' stat); "" where the system does not say. */
async function startOf(pid: number): Promise<string> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may hold blanks.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
