import { PlimsollError } from "@plimsoll/contracts";
import { QuarantineDrop } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { plainText } from "../format/plain-text.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import { entryPath } from "./entry-path.ts";
import type { QuarantineDropOptions } from "./quarantine-command.ts";

const NAME = "plimsoll quarantine drop";

/** Gives one entry up and says what is missing from now on. Gives the exit code. */
export async function quarantineDrop(
  entry: string,
  options: QuarantineDropOptions,
  context: CommandContext,
): Promise<number> {
  const path = entryPath(entry, NAME);
  const { reason } = options;
  if (reason === undefined) throw new PlimsollError("argument_missing", { command: NAME, argument: "--reason TEXT" });
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<QuarantineDrop>(
    { ask: () => hub.post(`${path}/drop`, { reason }, QuarantineDrop), table: dropText, partial: () => false },
    options,
    context,
  );
}

function dropText({ id, gap }: QuarantineDrop): string {
  if (gap === null) return `Entry ${plainText(id)} is dropped; no facts are missing by that.\n`;
  const { cluster, startAt, endAt, missing } = gap;
  const what = missing === null ? "facts" : `${missing} facts`;
  return (
    `Entry ${plainText(id)} is dropped. A gap is recorded: ${plainText(what)} of ${plainText(cluster)}, ` +
    `${formatInstant(startAt)} to ${formatInstant(endAt)}.\n`
  );
}
