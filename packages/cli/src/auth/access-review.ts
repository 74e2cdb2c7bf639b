import { AccessReview } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { UNKNOWN } from "../format/unknown.ts";
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

/** Prints who may do what. Gives the exit code. */
export async function accessReview(options: AuthOptions, context: CommandContext): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<AccessReview>(
    {
      ask: () => hub.get("/api/v1/access-review", {}, AccessReview),
      table: reviewTable,
      csv: reviewCsv,
      partial: () => false,
    },
    options,
    context,
  );
}

function reviewTable({ items, asOf }: AccessReview, place: TablePlace): string {
  const column = columnMaker(items);
  const columns = [
    column("WHO", "left", ({ actor }) => actor),
    column("ROLES", "left", ({ grants }) => grants.map(grantText).join(", ")),
    column("ENDS", "left", ({ expiresAt }) => (expiresAt === null ? "never" : formatInstant(expiresAt))),
    column("LAST USED", "right", ({ lastUsedAt }) => (lastUsedAt === null ? UNKNOWN : ageCell(lastUsedAt, asOf))),
  ];
  return joinBlocks([layTable(columns, place.width, 2, painter(place.colours))]);
}

/** One line per role: that is what is signed off. */
function reviewCsv({ items, asOf }: AccessReview): string {
  const lines = items.flatMap(({ actor, grants, expiresAt, lastUsedAt }) =>
    grants.map(({ role, selector }) => csvLine([actor, role, selector ?? "", expiresAt, lastUsedAt, asOf])),
  );
  return csvLine(["actor", "role", "selector", "expires_at", "last_used_at", "as_of"]) + lines.join("");
}
