import { printThrown } from "../print-error.ts";
import type { Terminal } from "../terminal.ts";
import type { ClusterReading } from "./read-fleet.ts";

/** Where each cluster that gave nothing failed, when PLIMSOLL_DEBUG=1 asks for it. */
export function printTraces(readings: readonly ClusterReading<unknown>[], terminal: Terminal): void {
  if (terminal.env.PLIMSOLL_DEBUG !== "1") return;
  for (const reading of readings) if ("error" in reading) printThrown(terminal, reading.thrown);
}
