import { type QuarantineItem, QuarantineList } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { formatCount, formatQuantity } from "../format/quantity.ts";
import { UNKNOWN } from "../format/unknown.ts";
import { painter } from "../paint.ts";
import type { CommandContext } from "../program.ts";
import { type CsvValue, csvLine } from "../render/csv-cell.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { joinBlocks, layText, noteWidth } from "../render/table/note-layout.ts";
import { fitColumns, layTable, type TableColumn } from "../render/table/table-layout.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { readPages } from "../rest/read-pages.ts";
import { showAnswer, type TablePlace } from "../rest/show-answer.ts";
import type { QuarantineListOptions } from "./quarantine-command.ts";

/** Lists what the hub holds back. Gives the exit code. */
export async function quarantineList(options: QuarantineListOptions, context: CommandContext): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  const { cluster, code, limit } = options;
  return showAnswer<QuarantineList>(
    {
      ask: () => readPages(hub, "/api/v1/quarantine", { cluster, code }, QuarantineList, limit),
      table: quarantineTable,
      csv: ({ items }) => csvLine(CSV.map(([name]) => name)) + items.map(csvRow).join(""),
      partial: () => false,
    },
    options,
    context,
  );
}

function quarantineTable({ items, total, asOf }: QuarantineList, place: TablePlace): string {
  if (items.length === 0) return "Nothing is in the quarantine.\n";
  const paint = painter(place.colours);
  const width = noteWidth(place.width);
  const { columns, gap } = fitColumns([false, true], (isShort) => columnsOf(items, isShort), place.width);
  const shown = `${formatCount(items.length)} of ${formatCount(total)} entries, as of ${formatInstant(asOf)}.`;
  const hint = "What can be read of one and what to do: plimsoll quarantine show ENTRY";
  return joinBlocks([
    layTable(columns, place.width, gap, paint),
    layText([shown, hint], width).map((line) => paint("dim", line)),
  ]);
}

function columnsOf(items: readonly QuarantineItem[], isShort: boolean): TableColumn[] {
  const column = columnMaker(items);
  const placeOf = ({ spoolId, sequence }: QuarantineItem) =>
    spoolId === null || sequence === null ? UNKNOWN : `${spoolId} #${sequence}`;
  return [
    column("CLUSTER", "left", clusterName),
    column("ENTRY", "right", ({ id }) => id),
    column("REASON", "left", ({ code }) => ({ text: code, style: "red" })),
    ...(isShort ? [] : [column("SPOOL", "left", placeOf)]),
    column("SIZE", "right", ({ bytes, kept }) => formatQuantity("bytes", BigInt(bytes)) + (kept ? "" : ", not kept")),
    column("TIMES", "right", ({ times }) => formatCount(times)),
    column("LAST", "left", ({ lastAt }) => formatInstant(lastAt)),
    column("STATE", "left", ({ replayedAt }) => (replayedAt === null ? "held" : "applied")),
  ];
}

/** By name, else by id. */
export function clusterName({ cluster }: Pick<QuarantineItem, "cluster">): string {
  return cluster === null ? UNKNOWN : (cluster.name ?? cluster.id);
}

const CSV: readonly (readonly [string, (item: QuarantineItem) => CsvValue])[] = [
  ["entry", ({ id }) => id],
  ["cluster_id", ({ cluster }) => cluster?.id ?? null],
  ["cluster_name", ({ cluster }) => cluster?.name ?? null],
  ["incarnation", ({ incarnation }) => incarnation],
  ["spool_id", ({ spoolId }) => spoolId],
  ["sequence", ({ sequence }) => sequence],
  ["code", ({ code }) => code],
  ["message", ({ message }) => message],
  ["source", ({ source }) => source],
  ["bytes", ({ bytes }) => bytes],
  ["kept", ({ kept }) => kept],
  ["sha256", ({ sha256 }) => sha256],
  ["times", ({ times }) => times],
  ["first_at", ({ firstAt }) => firstAt],
  ["last_at", ({ lastAt }) => lastAt],
  ["replayed_at", ({ replayedAt }) => replayedAt],
];

function csvRow(item: QuarantineItem): string {
  return csvLine(CSV.map(([, of]) => of(item)));
}
