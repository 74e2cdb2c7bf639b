import { spawnSync } from "node:child_process";

/**
 * Makes sure that Prometheus' promtool is there: that of `PLIMSOLL_PROMTOOL` or on PATH, else Debian's, where this may be
 * installed (root, apt). Throws with what to do where it cannot.
 */
export function ensurePromtool(): string {
  const named = process.env.PLIMSOLL_PROMTOOL;
  if (named !== undefined) return named;
  if (runs(["which", "promtool"])) return "promtool";
  console.error("mixin tests: installing Debian's prometheus, for promtool …");
  const installed =
    process.getuid?.() === 0 &&
    runs(["apt-get", "update", "-q"]) &&
    runs(["apt-get", "install", "-y", "-q", "--no-install-recommends", "prometheus"]);
  if (!installed)
    throw new Error("No promtool for the mixin's tests: apt-get install prometheus, or PLIMSOLL_PROMTOOL");
  return "promtool";
}

function runs([program = "", ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
