import { Withdrawn } from "@plimsoll/contracts/rest";
import { plainText } from "../format/plain-text.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { AuthOptions } from "./auth-command.ts";

/** Withdraws a token. Gives the exit code. */
export async function withdrawToken(name: string, options: AuthOptions, context: CommandContext): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  const path = `/api/v1/service-tokens/${encodeURIComponent(name)}/withdraw`;
  return showAnswer(
    {
      ask: () => hub.post(path, {}, Withdrawn),
      table: (answer) => `Token ${plainText(answer.name)} is withdrawn.\n`,
      partial: () => false,
    },
    options,
    context,
  );
}
