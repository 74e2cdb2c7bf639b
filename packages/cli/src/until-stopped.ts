import type { CommandContext } from "./program.ts";

/**
 * Resolves when the command is asked to stop. Whoever calls it ends by that and not by its work: it stops cleanly, with
 * its own exit code, and gets the time for it; a second Ctrl-C ends it at once.
 */
export function untilStopped({ signal, stopsCleanly }: CommandContext): Promise<undefined> {
  stopsCleanly?.();
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
