import { PlimsollError } from "@plimsoll/contracts";
import { AuditList, type AuditRecord } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { formatCount } from "../format/quantity.ts";
import { UNKNOWN } from "../format/unknown.ts";
import { painter } from "../paint.ts";
import type { CommandContext } from "../program.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { joinBlocks, layText, noteWidth } from "../render/table/note-layout.ts";
import { layTable } from "../render/table/table-layout.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer, type TablePlace } from "../rest/show-answer.ts";
import type { AuditListOptions } from "./audit-command.ts";
import { auditCsv } from "./audit-csv.ts";
import { queryOf } from "./read-audit.ts";

const NAME = "plimsoll audit list";

/** Lists the newest rows of the audit log. Gives the exit code. */
export async function auditList(options: AuditListOptions, context: CommandContext): Promise<number> {
  const limit = limitOf(options.limit);
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<AuditList>(
    {
      ask: () => hub.get("/api/v1/audit", { ...queryOf(options), limit }, AuditList),
      table: auditTable,
      csv: ({ items }) => auditCsv(items),
      partial: () => false,
    },
    options,
    context,
  );
}

function limitOf(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= 1000) return limit;
  const fields = { option: "--limit", value: text, expected: "a number from 1 to 1000", command: NAME };
  throw new PlimsollError("option_invalid", fields);
}

function auditTable({ items, total, asOf }: AuditList, place: TablePlace): string {
  if (items.length === 0) return "No rows of the audit log match.\n";
  const column = columnMaker(items);
  const columns = [
    column("#", "right", ({ id }) => String(id)),
    column("TIME", "left", ({ at }) => formatInstant(at)),
    column("ACTOR", "left", ({ actor, onBehalfOf }) => (onBehalfOf === null ? actor : `${actor} for ${onBehalfOf}`)),
    column("VERB", "left", ({ verb }) => verb),
    column("THING", "left", thingOf),
    column("OUTCOME", "left", ({ outcome, code }) => ({
      text: code === null ? outcome : `${outcome} (${code})`,
      ...(outcome === "allowed" ? {} : { style: "red" as const }),
    })),
    column("FROM", "left", ({ address, channel }) => address ?? channel),
    column("REASON", "left", ({ reason }) => reason ?? UNKNOWN),
  ];
  const paint = painter(place.colours);
  const shown = `${formatCount(items.length)} of ${formatCount(total)} rows, as of ${formatInstant(asOf)}.`;
  return joinBlocks([
    layTable(columns, place.width, 2, paint),
    layText([shown], noteWidth(place.width)).map((line) => paint("dim", line)),
  ]);
}

function thingOf({ thing, thingId }: AuditRecord): string {
  return thingId === null ? thing : `${thing} ${thingId}`;
}
