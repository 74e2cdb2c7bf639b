import type { ScanReport } from "@plimsoll/contracts";
import { plainText } from "../../format/plain-text.ts";
import { wrap } from "../../format/text-width.ts";
import { type Paint, painter } from "../../paint.ts";
import { clusterRows } from "../cluster-row.ts";
import { clusterColumns, type Detail } from "./cluster-columns.ts";
import { layTable, naturalWidth, type TableColumn } from "./table-layout.ts";
import { costLines, errorNotes, findingNotes, legendLines, type Note, nodeNotes, unusedNotes } from "./table-notes.ts";
import { wideColumns } from "./wide-columns.ts";

/** Where the table goes: columns to fit into (undefined = no limit) and whether colours are wanted. */
export interface TableOptions {
  readonly width: number | undefined;
  readonly colours: boolean;
  /** `-o wide`: more columns, nothing shortened. */
  readonly wide: boolean;
}

/** Notes are not wider than this on a terminal. In a pipe they are not wrapped: a line is what is searched for and copied. */
const NOTE_WIDTH = 120;

/**
 * The report for a person at a terminal: one line per cluster, the fleet's totals, then what could not be read and why,
 * the worst findings, and what the figures rest on. Unknown is `–`.
 */
export function renderTable(report: ScanReport, options: TableOptions): string {
  const paint = painter(options.colours);
  const { detail, columns, gap } = chooseColumns(report, options);
  const noteWidth = options.width === undefined ? Number.POSITIVE_INFINITY : Math.min(options.width, NOTE_WIDTH);
  const blocks = [
    layTable(columns, options.wide ? undefined : options.width, gap, paint),
    costLines(report).flatMap((line) => wrapped(line, noteWidth)),
    section("Nodes out of service", nodeNotes(report, detail), noteWidth, paint),
    section("Could not be read, or not fully", errorNotes(report), noteWidth, paint),
    section("Findings", findingNotes(report), noteWidth, paint),
    section("Not used", unusedNotes(report), noteWidth, paint),
    legendLines(report, detail)
      .flatMap((line) => wrapped(line, noteWidth))
      .map((line) => paint("dim", line)),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

const WORDS: Detail = { versions: true, nodes: true, watermarks: true, findings: true };

/** From whole words to the shortest form; the first that fits is taken. */
const DETAILS: readonly Detail[] = [
  WORDS,
  { ...WORDS, versions: false },
  { ...WORDS, versions: false, watermarks: false },
  { versions: false, watermarks: false, findings: false, nodes: true },
];
const SHORTEST: Detail = { versions: false, watermarks: false, findings: false, nodes: false };

interface Choice {
  readonly detail: Detail;
  readonly columns: readonly TableColumn[];
  readonly gap: number;
}

function chooseColumns(report: ScanReport, options: TableOptions): Choice {
  const rows = clusterRows(report);
  const { width } = options;
  if (options.wide || width === undefined) {
    const columns = [...clusterColumns(report, rows, WORDS), ...(options.wide ? wideColumns(report, rows) : [])];
    return { detail: WORDS, columns, gap: 2 };
  }
  for (const detail of DETAILS) {
    const columns = clusterColumns(report, rows, detail);
    if (naturalWidth(columns, 2) <= width) return { detail, columns, gap: 2 };
  }
  const columns = clusterColumns(report, rows, SHORTEST);
  return { detail: SHORTEST, columns, gap: naturalWidth(columns, 2) <= width ? 2 : 1 };
}

function section(title: string, notes: readonly Note[], width: number, paint: Paint): string[] {
  if (notes.length === 0) return [];
  return [paint("bold", `${title}:`), ...notes.flatMap((note) => noteLines(note, width, paint))];
}

function noteLines({ sign, text, remedy }: Note, width: number, paint: Paint): string[] {
  const [first = "", ...rest] = wrapped(`${sign.text} ${text}`, width - 4);
  const signed = sign.style === undefined ? first : paint(sign.style, sign.text) + first.slice(sign.text.length);
  return [
    `  ${signed}`,
    ...rest.map((line) => `    ${line}`),
    ...(remedy === undefined
      ? []
      : wrapped(`→ ${remedy}`, width - 6).map((line, at) => `    ${at === 0 ? "" : "  "}${line}`)),
  ];
}

function wrapped(text: string, width: number): string[] {
  return wrap(plainText(text), width);
}
