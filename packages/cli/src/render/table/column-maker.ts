import type { Cell, TableColumn } from "./table-layout.ts";

/** Makes a column from what each row shows; a text stands for a cell without a style. Without a total its cell is empty. */
export function columnMaker<Row>(rows: readonly Row[]) {
  return (
    header: string,
    align: TableColumn["align"],
    of: (row: Row) => string | Cell,
    total: string | Cell = "",
  ): TableColumn => ({ header, align, cells: rows.map((row) => asCell(of(row))), total: asCell(total) });
}

function asCell(cell: string | Cell): Cell {
  return typeof cell === "string" ? { text: cell } : cell;
}
