import { WhoAmI } from "@plimsoll/contracts/rest";
import type { CommandContext } from "../program.ts";
import { layText, noteWidth } from "../render/table/note-layout.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { AuthOptions } from "./auth-command.ts";
import { grantText } from "./grant-text.ts";

/** Prints who the asker is and what he may do. Gives the exit code. */
export async function whoami(options: AuthOptions, context: CommandContext): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<WhoAmI>(
    {
      ask: () => hub.get("/api/v1/whoami", {}, WhoAmI),
      table: (answer, { width }) => `${layText(whoamiLines(answer), noteWidth(width)).join("\n")}\n`,
      partial: () => false,
    },
    options,
    context,
  );
}

function whoamiLines({ actor, grants, may }: WhoAmI): string[] {
  const things = Map.groupBy(
    may,
    ({ thing, selectors }) => `${thing}${selectors ? ` on ${selectors.join(" or ")}` : ""}`,
  );
  return [
    `${actor}: ${grants.map(grantText).join(", ")}`,
    ...[...things].map(([thing, rights]) => `  ${thing}: ${rights.map(({ verb }) => verb).join(", ")}`),
  ];
}
