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

/** The format asked for, else the one that the file's name ends with, else a table. */
export function chooseFormat(asked: ReportFormat | undefined, file: string | undefined): ReportFormat {
  if (asked !== undefined) return asked;
  const extension = /\.([a-z]+)$/i.exec(file ?? "")?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION[extension] ?? "table";
}
