import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "tmp";

/** Of this process: in a container every hub has the same process id. */
const RUN = randomUUID().slice(0, 8);

let opened = 0;

/** A folder for what does not fit into memory, of this process and this call alone. */
export function temporaryFolder(dataDir: string): string {
  opened += 1;
  return join(dataDir, FOLDER, `${process.pid}-${RUN}-${opened}`);
}

/** Removes what processes left there that are gone. */
export function sweepTemporary(dataDir: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(join(dataDir, FOLDER));
  } catch {
    return; // there is none yet
  }
  for (const name of names) {
    if (!isOfLiving(name)) rmSync(join(dataDir, FOLDER, name), { recursive: true, force: true });
  }
}

function isOfLiving(name: string): boolean {
  const [first, run] = name.split("-");
  const pid = Number(first);
  // Its own process id with another run: an earlier one had the same.
  if (pid === process.pid) return run === RUN;
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
