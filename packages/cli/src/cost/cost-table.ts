import type { CostAnswer, CostRow } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { coveredText, lossText } from "../format/coverage.ts";
import { decimalsFor, formatAmount, formatPrice, sharePercent, sumAmounts } from "../format/money.ts";
import { formatCount } from "../format/quantity.ts";
import { UNKNOWN } from "../format/unknown.ts";
import { painter } from "../paint.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { joinBlocks, layNotes, layText, noteWidth } from "../render/table/note-layout.ts";
import { fitColumns, layTable, type TableColumn } from "../render/table/table-layout.ts";
import { asOfLine, missingNotes } from "../rest/fleet-notes.ts";
import type { TablePlace } from "../rest/show-answer.ts";

/** What the window cost: a line per group, the sum of all of them, and what the sum rests on. */
export function costTable(answer: CostAnswer, place: TablePlace): string {
  const paint = painter(place.colours);
  const width = noteWidth(place.width);
  const columns = costColumns(answer);
  const { gap } = fitColumns([columns], (given) => given, place.width);
  const rows = answer.items.length === 0 ? ["No cost in this window yet."] : layTable(columns, place.width, gap, paint);
  return joinBlocks([
    rows,
    layText(restLines(answer), width),
    layNotes("Not in the sum, or not fully", missingNotes(answer), width, paint),
    layText(basisLines(answer), width).map((line) => paint("dim", line)),
  ]);
}

type Part = "cpu" | "memory" | "gpu";

function costColumns({ items, sum, currency, total, coverage }: CostAnswer): TableColumn[] {
  const whole = total === items.length;
  const column = columnMaker(items);
  const decimals = decimalsFor(sum);
  const keys = Object.keys(items[0]?.key ?? {});
  // What groups beyond the limit are made of is not in the answer, so there is no sum of parts then.
  const sumOf = (of: Part) => (whole ? formatAmount(sumAmounts(items.map((row) => row[of])), decimals) : "");
  const amounts = (header: string, of: Part) =>
    column(header, "right", (row) => formatAmount(row[of], decimals), sumOf(of));
  const share = ({ total }: Pick<CostRow, "total">) => {
    const percent = sharePercent(total, sum);
    return percent === null ? UNKNOWN : `${percent.toFixed(1)}%`;
  };
  return [
    ...keys.map((key, at) => column(key.toUpperCase(), "left", (row) => row.key[key] ?? "", at === 0 ? "SUM" : "")),
    amounts("CPU", "cpu"),
    amounts("MEMORY", "memory"),
    amounts("GPU", "gpu"),
    column(currency, "right", (row) => formatAmount(row.total, decimals), formatAmount(sum, decimals)),
    column("SHARE", "right", share, items.length === 0 ? "" : share({ total: sum })),
    // Where all groups are backed alike, the line below says it once.
    ...(items.some((row) => row.coverage.fraction !== coverage.fraction)
      ? [column("COVERED", "right", (row) => coveredText(row.coverage), coveredText(coverage))]
      : []),
  ];
}

/** Groups beyond the limit are in the sum, and said so. */
function restLines({ items, total, sum, currency }: CostAnswer): string[] {
  if (total <= items.length) return [];
  const shown = sumAmounts(items.map((row) => row.total));
  const rest = sumAmounts([sum, shown.startsWith("-") ? shown.slice(1) : `-${shown}`]);
  return [`${formatCount(total - items.length)} more groups: ${formatPrice(currency, rest)}, which is in the sum.`];
}

function basisLines(answer: CostAnswer): string[] {
  const { window, upTo, coverage, priceSource, asOf } = answer;
  const running = upTo < window.end ? `, the running hour up to ${formatInstant(upTo)}` : "";
  const losses = lossText(coverage);
  const covered = `${coveredText(coverage)} of its cluster-hours are backed by facts${losses && ` (${losses})`}`;
  return [
    `${formatInstant(window.start)} to ${formatInstant(window.end)}${running}; ${covered}.`,
    `${asOfLine(asOf)} Prices: ${priceSource}.`,
  ];
}
