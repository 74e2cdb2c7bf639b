import { plainText } from "../../format/plain-text.ts";
import { pad, textWidth, truncate } from "../../format/text-width.ts";
import type { Paint } from "../../paint.ts";

type Style = Parameters<Paint>[0];

/** One cell: its text and how it looks where colours are wanted (colour never says what the text does not). */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** One column of a text table: header, one cell per row, and the cell of the totals row (which is left out where all are empty). */
export interface TableColumn {
  readonly header: string;
  readonly align: "left" | "right";
  readonly cells: readonly Cell[];
  readonly total: Cell;
}

const MIN_FIRST = 8;

/** Width of the table when nothing is cut, in terminal columns. */
function naturalWidth(columns: readonly TableColumn[], gap: number): number {
  return columns.map(columnWidth).reduce((sum, width) => sum + width, 0) + gap * (columns.length - 1);
}

/**
 * The table's lines: header, rows, totals. When it is wider than `width`, the first column is cut (never below 8 columns);
 * what is wider even then runs over.
 */
export function layTable(
  columns: readonly TableColumn[],
  width: number | undefined,
  gap: number,
  paint: Paint,
): string[] {
  const widths = columns.map(columnWidth);
  const excess = width === undefined ? 0 : naturalWidth(columns, gap) - width;
  if (excess > 0) widths[0] = Math.max(Math.min(MIN_FIRST, widths[0] ?? 0), (widths[0] ?? 0) - excess);
  const line = (pick: (column: TableColumn) => Cell) =>
    columns
      .map((column, index) => cell(pick(column), widths[index] ?? 0, column.align, paint))
      .join(" ".repeat(gap))
      .trimEnd();
  const rows = columns[0]?.cells.map((_, row) => line((column) => column.cells[row] ?? { text: "" })) ?? [];
  const totals = columns.some((column) => column.total.text !== "");
  return [
    line((column) => ({ text: column.header, style: "bold" })),
    ...rows,
    ...(totals ? [line((column) => ({ text: column.total.text, style: "bold" }))] : []),
  ];
}

/** The columns chosen for a width, and the blanks between them. */
export interface FittedColumns<Choice> {
  readonly choice: Choice;
  readonly columns: readonly TableColumn[];
  readonly gap: number;
}

/**
 * The first choice whose columns fit into `width`, of choices from whole words to the shortest form; the last one, closer
 * together, where none fits.
 */
export function fitColumns<Choice>(
  choices: readonly [Choice, ...Choice[]],
  columnsOf: (choice: Choice) => readonly TableColumn[],
  width: number | undefined,
): FittedColumns<Choice> {
  let fitted: FittedColumns<Choice> = { choice: choices[0], columns: columnsOf(choices[0]), gap: 2 };
  for (const choice of choices.slice(1)) {
    if (width === undefined || naturalWidth(fitted.columns, fitted.gap) <= width) return fitted;
    fitted = { choice, columns: columnsOf(choice), gap: 2 };
  }
  const fits = width === undefined || naturalWidth(fitted.columns, fitted.gap) <= width;
  return fits ? fitted : { ...fitted, gap: 1 };
}

function columnWidth(column: TableColumn): number {
  const texts = [column.header, ...column.cells.map((one) => plainText(one.text)), column.total.text];
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

function cell(content: Cell, width: number, align: "left" | "right", paint: Paint): string {
  const text = truncate(plainText(content.text), width);
  const painted = content.style === undefined || text === "" ? text : paint(content.style, text);
  return pad(painted, width, align);
}
