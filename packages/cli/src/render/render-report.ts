import type { ScanReport } from "@plimsoll/contracts";
import type { ReportFormat } from "./report-format.ts";

/** Where a table goes: its width (undefined = no limit) and whether colours are wanted. Other forms ignore it. */
export interface RenderPlace {
  readonly width: number | undefined;
  readonly colours: boolean;
}

/** The report in one of its forms. Each renderer, and what it needs, is loaded when it is asked for. */
export async function renderReport(report: ScanReport, format: ReportFormat, place: RenderPlace): Promise<string> {
  switch (format) {
    case "table":
    case "wide":
      return (await import("./table/table.ts")).renderTable(report, { ...place, wide: format === "wide" });
    case "json":
      return (await import("./json.ts")).renderJson(report);
    case "yaml":
      return (await import("./yaml.ts")).renderYaml(report);
    case "csv":
      return (await import("./csv.ts")).renderCsv(report);
    case "html":
      return (await import("./html/page.ts")).renderHtml(report);
  }
}
