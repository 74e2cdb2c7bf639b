import type { ScanReport } from "@plimsoll/contracts";

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as exactly this JSON text. */
    rawJSON(text: string): unknown;
  }
}

/**
 * The report as JSON: quantities (`bigint`) as exact integers, whatever their size, and money as the decimal strings they
 * are. A reader that parses numbers as doubles loses digits beyond 2^53; the text has them all.
 */
export function renderJson(report: ScanReport): string {
  return `${JSON.stringify(report, (_, value) => (typeof value === "bigint" ? JSON.rawJSON(`${value}`) : value), 2)}\n`;
}
