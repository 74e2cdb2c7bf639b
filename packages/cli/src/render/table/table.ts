import type { ScanReport } from "@plimsoll/contracts";
import { painter } from "../../paint.ts";
import { clusterRows } from "../cluster-row.ts";
import { clusterColumns, type Detail } from "./cluster-columns.ts";
import { joinBlocks, layNotes, layText, noteWidth } from "./note-layout.ts";
import { type FittedColumns, fitColumns, layTable } from "./table-layout.ts";
import { costLines, errorNotes, findingNotes, legendLines, nodeNotes, unusedNotes } from "./table-notes.ts";
import { wideColumns } from "./wide-columns.ts";

/** Where the table goes: columns to fit into (undefined = no limit) and whether colours are wanted. */
export interface TableOptions {
  readonly width: number | undefined;
  readonly colours: boolean;
  /** `-o wide`: more columns, nothing shortened. */
  readonly wide: boolean;
}

/**
 * The report for a person at a terminal: one line per cluster, the fleet's totals, then what could not be read and why,
 * the worst findings, and what the figures rest on. Unknown is `–`.
 */
export function renderTable(report: ScanReport, options: TableOptions): string {
  const paint = painter(options.colours);
  const { choice: detail, columns, gap } = chooseColumns(report, options);
  const width = noteWidth(options.width);
  return joinBlocks([
    layTable(columns, options.wide ? undefined : options.width, gap, paint),
    layText(costLines(report), width),
    layNotes("Nodes out of service", nodeNotes(report, detail), width, paint),
    layNotes("Could not be read, or not fully", errorNotes(report), width, paint),
    layNotes("Findings", findingNotes(report), width, paint),
    layNotes("Not used", unusedNotes(report), width, paint),
    layText(legendLines(report, detail), width).map((line) => paint("dim", line)),
  ]);
}

const WORDS: Detail = { versions: true, nodes: true, watermarks: true, findings: true };

/** From whole words to the shortest form; the first that fits is taken. */
const DETAILS: readonly [Detail, ...Detail[]] = [
  WORDS,
  { ...WORDS, versions: false },
  { ...WORDS, versions: false, watermarks: false },
  { versions: false, watermarks: false, findings: false, nodes: true },
  { versions: false, watermarks: false, findings: false, nodes: false },
];

function chooseColumns(report: ScanReport, { wide, width }: TableOptions): FittedColumns<Detail> {
  const rows = clusterRows(report);
  if (!wide) return fitColumns(DETAILS, (detail) => clusterColumns(report, rows, detail), width);
  return { choice: WORDS, columns: [...clusterColumns(report, rows, WORDS), ...wideColumns(report, rows)], gap: 2 };
}
