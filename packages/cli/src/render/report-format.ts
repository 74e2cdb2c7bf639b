import { PlimsollError } from "@plimsoll/contracts";

/** Forms that a scan report is written in. */
export const FORMATS = ["table", "wide", "json", "yaml", "csv", "html"] as const;
export type ReportFormat = (typeof FORMATS)[number];

const BY_EXTENSION: Readonly<Record<string, ReportFormat>> = {
  json: "json",
  yaml: "yaml",
  yml: "yaml",
  csv: "csv",
  html: "html",
  htm: "html",
};

/** Endings that promise what no report is: a table under such a name would be a file that its program cannot open. */
const FOREIGN = new Set([
  ...["pdf", "xls", "xlsx", "xlsm", "ods", "doc", "docx", "odt", "rtf", "ppt", "pptx", "odp"],
  ...["png", "jpg", "jpeg", "gif", "svg", "webp", "xml", "tsv", "jsonl", "ndjson", "md", "parquet", "sqlite", "db"],
  ...["zip", "tar", "tgz", "gz", "bz2", "xz", "zst", "eml"],
]);

/**
 * The format asked for, else the one that the file's name ends with, else a table. Throws option_invalid when the name ends
 * as that of another known format.
 */
export function chooseFormat(asked: ReportFormat | undefined, file: string | undefined): ReportFormat {
  if (asked !== undefined) return asked;
  const extension = /\.([a-z0-9]+)$/i.exec(file ?? "")?.[1]?.toLowerCase() ?? "";
  if (FOREIGN.has(extension)) {
    const endings = [...Object.keys(BY_EXTENSION), "txt"].map((ending) => `.${ending}`).join(", ");
    const expected = `a name that ends with ${endings}, or a format with -o`;
    throw new PlimsollError("option_invalid", {
      command: "plimsoll scan",
      option: "--output",
      value: file ?? "",
      expected,
    });
  }
  return BY_EXTENSION[extension] ?? "table";
}
