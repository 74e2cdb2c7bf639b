import { spawnSync } from "node:child_process";

/**
 * Makes sure that a Chromium is there for the browser tests: that of `PLIMSOLL_CHROMIUM` or on PATH, else Debian's, where this
 * may be installed (root, apt). Throws with what to do where it cannot.
 */
export function ensureChromium(): void {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  if (process.env.PLIMSOLL_CHROMIUM !== undefined || names.some((name) => runs(["which", name], "ignore"))) return;
  console.error("browser tests: installing Debian's chromium (about a minute) …");
  const installed =
    process.getuid?.() === 0 &&
    runs(["apt-get", "update", "-q"], "ignore") &&
    runs(["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"], "ignore");
  if (!installed)
    throw new Error("No Chromium for the browser tests: apt-get install chromium, or name one by PLIMSOLL_CHROMIUM");
}

function runs([program = "", ...args]: readonly string[], stdio: "ignore"): boolean {
  return spawnSync(program, args, { stdio }).status === 0;
}
