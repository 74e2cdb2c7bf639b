import type { ClusterList } from "@plimsoll/contracts/rest";
import { formatCount } from "../format/quantity.ts";
import { painter } from "../paint.ts";
import { joinBlocks, layNotes, layText, noteWidth } from "../render/table/note-layout.ts";
import { fitColumns, layTable, type TableColumn } from "../render/table/table-layout.ts";
import { COVERAGE_TITLE, coverageNotes } from "../rest/coverage-notes.ts";
import { asOfLine, missingNotes } from "../rest/fleet-notes.ts";
import type { TablePlace } from "../rest/show-answer.ts";

/** What a `top` shows: columns of the rows shown, of how many, and what they are sorted by. */
export interface Top {
  readonly list: Pick<ClusterList, "total" | "errors" | "asOf">;
  readonly shown: number;
  /** A sentence. */
  readonly basis: string;
  readonly columns: readonly TableColumn[];
  /** How well the hourly cost of the rows is backed, by cluster; default: no cost is shown. */
  readonly covered?: Parameters<typeof coverageNotes>[0];
}

/** The rows of a `top`, then what is missing and why. */
export function topTable({ list, shown, basis, columns, covered = [] }: Top, place: TablePlace): string {
  const paint = painter(place.colours);
  const width = noteWidth(place.width);
  if (shown === 0) return "Nothing to show yet: figures come with the first samples.\n";
  const { gap } = fitColumns([columns], (given) => given, place.width);
  const more = list.total > shown ? ` ${formatCount(list.total - shown)} more: --limit.` : "";
  return joinBlocks([
    layTable(columns, place.width, gap, paint),
    layNotes("Without present figures", missingNotes(list), width, paint),
    layNotes(COVERAGE_TITLE, coverageNotes(covered), width, paint),
    layText([`${asOfLine(list.asOf)} ${basis}${more}`], width).map((line) => paint("dim", line)),
  ]);
}
