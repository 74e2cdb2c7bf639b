import { plainLines } from "../format/plain-text.ts";

/** What one cell of a CSV row may hold; `null` (unknown) is an empty cell. */
export type CsvValue = string | number | bigint | boolean | null;

const STARTS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * One cell by RFC 4180. A text that a spreadsheet would run as a formula gets a leading apostrophe; control characters,
 * which a terminal would obey, become `�`; numbers, among them money such as "-1.5", stay as they are.
 */
export function csvCell(value: CsvValue): string {
  if (value === null) return "";
  const text = neutral(plainLines(String(value)));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of CSV with its line end. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function neutral(text: string): string {
  return STARTS_FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}
