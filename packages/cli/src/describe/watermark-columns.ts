import type { ClusterView } from "@plimsoll/contracts/rest";
import { formatQuantity } from "../format/quantity.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { percentCell, type Share } from "../render/table/percent-cell.ts";
import type { TableColumn } from "../render/table/table-layout.ts";
import { limitsShare, requestedShare, usedShare, whole } from "../rest/cluster-figures.ts";

type Watermark = NonNullable<ClusterView["watermarks"]>[number];

/** A line per resource: what is there, requested, used, and waits. */
export function watermarkColumns(watermarks: readonly Watermark[]): TableColumn[] {
  const column = columnMaker(watermarks);
  const amount = (header: string, of: (watermark: Watermark) => string | null) =>
    column(header, "right", (watermark) => formatQuantity(watermark.unit, whole(of(watermark))));
  const percent = (header: string, of: (watermark: Watermark) => Share) =>
    column(header, "right", (watermark) => percentCell(of(watermark).part, of(watermark).whole));
  return [
    column("RESOURCE", "left", ({ resource }) => resource),
    amount("CAPACITY", ({ capacity }) => capacity),
    amount("ALLOCATABLE", ({ allocatable }) => allocatable),
    amount("REQUESTED", ({ requested }) => requested),
    percent("%", requestedShare),
    amount("USED", ({ used }) => used),
    percent("%", usedShare),
    percent("LIMITS", limitsShare),
    amount("PENDING", ({ pending }) => pending),
  ];
}
