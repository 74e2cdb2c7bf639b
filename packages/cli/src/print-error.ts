import { type ReportedError, reportError } from "@plimsoll/contracts";
import { plainText } from "./format/plain-text.ts";
import { painter } from "./paint.ts";
import type { Terminal } from "./terminal.ts";

/** Writes an error as people see it: its code, what happened and what to do next. `about` names the cluster, if one. */
export function printError(terminal: Terminal, error: ReportedError, about?: string): void {
  const paint = painter(terminal.err.colours);
  const subject = about === undefined ? "" : `${plainText(about)}: `;
  terminal.err.write(`${paint("red", `error ${error.code}:`)} ${subject}${plainText(error.message)}\n`);
  terminal.err.write(`  → ${plainText(error.remedy)}\n`);
}

/** Writes anything that was thrown, and where it happened when PLIMSOLL_DEBUG=1 asks for it. Gives the error reported. */
export function printThrown(terminal: Terminal, thrown: unknown): ReportedError {
  const error = reportError(thrown);
  printError(terminal, error);
  if (terminal.env.PLIMSOLL_DEBUG === "1" && thrown instanceof Error) terminal.err.write(`${traceOf(thrown)}\n`);
  return error;
}

function traceOf(error: Error): string {
  const trace = error.stack ?? error.message;
  return error.cause instanceof Error ? `${trace}\ncaused by ${traceOf(error.cause)}` : trace;
}
