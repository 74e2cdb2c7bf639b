import { spawnSync } from "node:child_process";

/**
 * Makes sure that strace is there for the tests of the order of system calls: on PATH, else Debian's, where this may be
 * installed (root, apt). Throws with what to do where it cannot.
 */
export function ensureStrace(): void {
  if (runs(["which", "strace"])) return;
  console.error("delivery tests: installing Debian's strace …");
  const installed =
    process.getuid?.() === 0 &&
    runs(["apt-get", "update", "-q"]) &&
    runs(["apt-get", "install", "-y", "-q", "--no-install-recommends", "strace"]);
  if (!installed) throw new Error("No strace for the tests of the order of system calls: apt-get install strace");
}

function runs([program = "", ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
