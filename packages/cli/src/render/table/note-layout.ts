import { plainText } from "../../format/plain-text.ts";
import { wrap } from "../../format/text-width.ts";
import type { Paint } from "../../paint.ts";
import type { Cell } from "./table-layout.ts";

/** One paragraph below the table, unwrapped. All of it is text as it came: whoever prints it makes it safe. */
export interface Note {
  /** A sign or word in front, which colour may stress. */
  readonly sign: Cell;
  readonly text: string;
  readonly remedy?: string;
}

/** Notes are not wider than this on a terminal. In a pipe they are not wrapped: a line is what is searched for and copied. */
const NOTE_WIDTH = 120;

/** Columns that notes below a table of `width` may take. */
export function noteWidth(width: number | undefined): number {
  return width === undefined ? Number.POSITIVE_INFINITY : Math.min(width, NOTE_WIDTH);
}

/** Notes under their title; no lines where there are none. */
export function layNotes(title: string, notes: readonly Note[], width: number, paint: Paint): string[] {
  if (notes.length === 0) return [];
  return [paint("bold", `${title}:`), ...notes.flatMap((note) => noteLines(note, width, paint))];
}

/** Lines of text made safe and broken to `width`. */
export function layText(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => wrap(plainText(line), width));
}

/** Blocks with an empty line between them; those without lines are left out. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

function noteLines({ sign, text, remedy }: Note, width: number, paint: Paint): string[] {
  const [first = "", ...rest] = layText([`${sign.text} ${text}`], width - 4);
  const signed = sign.style === undefined ? first : paint(sign.style, sign.text) + first.slice(sign.text.length);
  const remedies = remedy === undefined ? [] : layText([`→ ${remedy}`], width - 6);
  return [
    `  ${signed}`,
    ...rest.map((line) => `    ${line}`),
    ...remedies.map((line, at) => `    ${at === 0 ? "" : "  "}${line}`),
  ];
}
