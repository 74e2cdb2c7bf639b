import { constants } from "node:os";
import { EXIT } from "./exit-code.ts";
import { printThrown } from "./print-error.ts";
import { run } from "./run.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { unwritable } from "./write-output.ts";

/** How long an interrupted command may take to print what it has, in milliseconds. */
const GRACE_MS = 2_000;
/** How long one that runs until it is stopped may take to stop cleanly. */
const CLEAN_STOP_MS = 20_000;
/** npm and the hand-over pass on a Ctrl-C that the terminal has sent already: signals so close together are one. */
const SAME_SIGNAL_MS = 1_000;

/** Runs this process's command line to its end: signals, output and exit code. The only place that ends the process. */
export async function runProcess(): Promise<void> {
  const terminal = processTerminal();
  const stop = new AbortController();
  let isService = false;
  stopOnSignals(stop, () => isService);
  endWhereOutputFails(terminal);
  process.on("uncaughtException", (thrown) => {
    printThrown(terminal, thrown);
    process.exit(EXIT.failed);
  });
  const stopsCleanly = () => {
    isService = true;
  };
  const exitCode = await run(process.argv.slice(2), { terminal, signal: stop.signal, stopsCleanly });
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(stop.signal.aborted && !isService ? Number(stop.signal.reason) : exitCode);
}

/**
 * The first signal lets the command print what it has, or stop cleanly when it is a service; it gets little time for it,
 * whatever it waits for. A second one ends it at once.
 */
function stopOnSignals(stop: AbortController, isService: () => boolean): void {
  let firstAt = 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const exitCode = 128 + constants.signals[name];
    process.on(name, () => {
      if (stop.signal.aborted) {
        if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(exitCode);
        return;
      }
      firstAt = performance.now();
      stop.abort(exitCode);
      setTimeout(() => process.exit(exitCode), isService() ? CLEAN_STOP_MS : GRACE_MS).unref();
    });
  }
}

/** `plimsoll scan | head`: a reader that has seen enough is no error; a full disk behind `> report.json` is one. */
function endWhereOutputFails(terminal: Terminal): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    printThrown(terminal, unwritable("standard output", error));
    process.exit(EXIT.failed);
  });
  // Nobody is left to hear of it, and the report is good all the same.
  process.stderr.on("error", () => {});
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
