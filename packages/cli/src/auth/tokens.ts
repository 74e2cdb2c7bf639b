import { ServiceTokenList } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { painter } from "../paint.ts";
import type { CommandContext } from "../program.ts";
import { csvLine } from "../render/csv-cell.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { joinBlocks } from "../render/table/note-layout.ts";
import { layTable } from "../render/table/table-layout.ts";
import { ageCell } from "../rest/fleet-notes.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer, type TablePlace } from "../rest/show-answer.ts";
import type { AuthOptions } from "./auth-command.ts";
import { grantText } from "./grant-text.ts";

/** Lists the tokens of programs. Gives the exit code. */
export async function tokens(options: AuthOptions, context: CommandContext): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<ServiceTokenList>(
    {
      ask: () => hub.get("/api/v1/service-tokens", {}, ServiceTokenList),
      table: tokensTable,
      csv: tokensCsv,
      partial: () => false,
    },
    options,
    context,
  );
}

function tokensTable({ items, asOf }: ServiceTokenList, place: TablePlace): string {
  if (items.length === 0) return "No service tokens. Make one: plimsoll auth create-token NAME --role viewer\n";
  const column = columnMaker(items);
  const columns = [
    column("TOKEN", "left", ({ name }) => name),
    column("ROLES", "left", ({ grants }) => grants.map(grantText).join(", ")),
    column("MADE BY", "left", ({ createdBy }) => createdBy),
    column("ENDS", "left", ({ expiresAt }) => (expiresAt <= asOf ? "has ended" : formatInstant(expiresAt))),
    column("LAST USED", "right", ({ lastUsedAt }) => (lastUsedAt === null ? "never" : ageCell(lastUsedAt, asOf))),
  ];
  return joinBlocks([layTable(columns, place.width, 2, painter(place.colours))]);
}

function tokensCsv({ items, asOf }: ServiceTokenList): string {
  const lines = items.map(({ name, grants, createdBy, createdAt, expiresAt, lastUsedAt }) =>
    csvLine([name, grants.map(grantText).join("; "), createdBy, createdAt, expiresAt, lastUsedAt, asOf]),
  );
  return csvLine(["name", "roles", "created_by", "created_at", "expires_at", "last_used_at", "as_of"]) + lines.join("");
}
