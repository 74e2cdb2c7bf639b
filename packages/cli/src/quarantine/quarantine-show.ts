import { QuarantineView } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { plainText } from "../format/plain-text.ts";
import { formatCount, formatExactQuantity } from "../format/quantity.ts";
import { pad, textWidth } from "../format/text-width.ts";
import { UNKNOWN } from "../format/unknown.ts";
import { painter } from "../paint.ts";
import type { CommandContext } from "../program.ts";
import { joinBlocks, layText, noteWidth } from "../render/table/note-layout.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer, type TablePlace } from "../rest/show-answer.ts";
import { entryPath } from "./entry-path.ts";
import type { QuarantineEntryOptions } from "./quarantine-command.ts";
import { clusterName } from "./quarantine-list.ts";

/** Shows one entry. Gives the exit code. */
export async function quarantineShow(
  entry: string,
  options: QuarantineEntryOptions,
  context: CommandContext,
): Promise<number> {
  const path = entryPath(entry, "plimsoll quarantine show");
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<QuarantineView>(
    { ask: () => hub.get(path, {}, QuarantineView), table: entryText, partial: () => false },
    options,
    context,
  );
}

type Row = readonly [label: string, value: string];

function entryText(view: QuarantineView, { colours, width: columns }: TablePlace): string {
  const paint = painter(colours);
  const width = noteWidth(columns);
  const section = (title: string, rows: readonly Row[]) => [paint("bold", title), ...layRows(rows)];
  return joinBlocks([
    [paint("bold", `Entry ${plainText(view.id)} of the quarantine`)],
    [paint("red", view.code), ...layText([view.message, `→ ${view.remedy}`], width).map((line) => `  ${line}`)],
    section("Arrival", arrivalRows(view)),
    ...(view.head === null ? [] : [section("Head", headRows(view.head))]),
    previewBlock(view, paint("bold", "Rows")),
  ]);
}

function arrivalRows(view: QuarantineView): Row[] {
  const { incarnation, spoolId, sequence, bytes, kept, replayedAt } = view;
  const size = formatExactQuantity("bytes", BigInt(bytes));
  return [
    ["cluster", clusterName(view)],
    ["incarnation", formatCount(incarnation)],
    ["spool", spoolId === null ? UNKNOWN : `${spoolId} #${sequence}`],
    ["came by", view.source],
    ["size", kept ? size : `${size}, not kept`],
    ["sha256", view.sha256],
    ["came", cameText(view)],
    ["applied", replayedAt === null ? "no" : formatInstant(replayedAt)],
  ];
}

function cameText({ times, firstAt, lastAt }: QuarantineView): string {
  if (times === 1) return formatInstant(firstAt);
  return `${formatCount(times)} times, ${formatInstant(firstAt)} to ${formatInstant(lastAt)}`;
}

function headRows(head: NonNullable<QuarantineView["head"]>): Row[] {
  const { replaces } = head;
  return [
    ["cluster", head.clusterId],
    ["kind", head.kind ?? `unknown (${head.kindNumber})`],
    ["rows", formatCount(head.rows)],
    ["unpacked", formatExactQuantity("bytes", BigInt(head.rawBytes))],
    ["sealed", formatInstant(head.sealedAt)],
    ...(replaces === null ? [] : [["stands for", `#${replaces.first} to #${replaces.last}`] as const]),
  ];
}

function previewBlock({ preview, previewFault, kept }: QuarantineView, title: string): string[] {
  if (preview === null) {
    const reason = previewFault?.message ?? (kept ? "they cannot be read" : "the bytes were not kept");
    return [title, `  none: ${plainText(reason)}`];
  }
  const more = preview.rows - preview.first.length;
  return [
    title,
    ...preview.first.map((row) => `  ${plainText(JSON.stringify(row))}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
  ];
}

function layRows(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => textWidth(label)));
  return rows.map(([label, value]) => `  ${pad(label, width, "left")}  ${plainText(value)}`);
}
