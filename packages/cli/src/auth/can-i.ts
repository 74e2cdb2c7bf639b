import { CanI } from "@plimsoll/contracts/rest";
import { EXIT } from "../exit-code.ts";
import { plainText } from "../format/plain-text.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { CanIOptions } from "./auth-command.ts";

/** Says whether the asker may do something. Gives the exit code: 3 for no. */
export async function canI(
  verb: string,
  thing: string,
  options: CanIOptions,
  context: CommandContext,
): Promise<number> {
  const { cluster } = options;
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  const answer = await hub.get("/api/v1/can-i", { verb, thing, cluster }, CanI);
  await showAnswer<CanI>(
    {
      ask: async () => answer,
      table: ({ allowed, reason }) => plainText(`${allowed ? "yes" : "no"}, ${reason}`).concat("\n"),
      partial: () => false,
    },
    options,
    context,
  );
  return answer.value.allowed ? EXIT.ok : EXIT.findings;
}
