import type { ScanReport } from "@plimsoll/contracts";
import { type CsvValue, csvLine } from "./csv-cell.ts";
import { CAPACITY_COLUMNS, COST_COLUMNS, type CsvColumn, INVENTORY_COLUMNS, REPORT_COLUMNS } from "./csv-columns.ts";

const COLUMNS: readonly CsvColumn[] = [...INVENTORY_COLUMNS, ...CAPACITY_COLUMNS, ...COST_COLUMNS, ...REPORT_COLUMNS];

/**
 * The report as one flat row per cluster, for spreadsheets and CMDBs: RFC 4180, UTF-8 without BOM, names in snake_case
 * with their unit. An empty cell is an unknown figure, never zero. Lists are joined by `;`, maps are `key=value;…`.
 */
export function renderCsv(report: ScanReport): string {
  const rows = report.clusters.map((cluster) => {
    const cells: CsvValue[] = COLUMNS.map((column) => column.of(cluster, report));
    return csvLine(cells);
  });
  return csvLine(COLUMNS.map((column) => column.name)) + rows.join("");
}
