import type { ClusterList } from "@plimsoll/contracts/rest";
import { painter } from "../paint.ts";
import { joinBlocks, layNotes, layText, noteWidth } from "../render/table/note-layout.ts";
import { type FittedColumns, fitColumns, layTable } from "../render/table/table-layout.ts";
import { COVERAGE_TITLE, coverageNotes, ratesOf } from "../rest/coverage-notes.ts";
import { asOfLine, missingNotes, SIMULATED_LINE } from "../rest/fleet-notes.ts";
import type { TablePlace } from "../rest/show-answer.ts";
import { clusterColumns, type Detail, wideColumns } from "./cluster-columns.ts";

/** The clusters for a person at a terminal: a line each, the fleet's sums, then what is missing and why. */
export function clustersTable(list: ClusterList, place: TablePlace): string {
  const paint = painter(place.colours);
  const { columns, gap } = chooseColumns(list, place);
  const width = noteWidth(place.width);
  if (list.items.length === 0) return "No clusters. Ask for all of them, or let one in: plimsoll join NAME\n";
  return joinBlocks([
    layTable(columns, place.wide ? undefined : place.width, gap, paint),
    layNotes("Without present figures", missingNotes(list), width, paint),
    layNotes(COVERAGE_TITLE, coverageNotes(ratesOf(list.items)), width, paint),
    layText(legend(list), width).map((line) => paint("dim", line)),
  ]);
}

const WORDS: Detail = { versions: true, states: true, watermarks: true };
const DETAILS: readonly [Detail, ...Detail[]] = [
  WORDS,
  { ...WORDS, versions: false },
  { versions: false, states: true, watermarks: false },
  { versions: false, states: false, watermarks: false },
];

function chooseColumns(list: ClusterList, { wide, width }: TablePlace): FittedColumns<Detail> {
  if (!wide) return fitColumns(DETAILS, (detail) => clusterColumns(list, detail), width);
  return { choice: WORDS, columns: [...clusterColumns(list, WORDS), ...wideColumns(list)], gap: 2 };
}

function legend(list: ClusterList): string[] {
  const sources = new Set(list.items.flatMap(({ cost }) => cost?.priceSource.split(",") ?? []));
  const prices = sources.size === 0 ? "" : ` Prices: ${[...sources].sort().join(", ")}.`;
  const shares = "CPU and MEM: requested and used in % of allocatable on schedulable nodes.";
  return [
    ...(list.items.some(({ simulated }) => simulated) ? [SIMULATED_LINE] : []),
    `${asOfLine(list.asOf)} READY: nodes in service/all. ${shares}${prices}`,
  ];
}
