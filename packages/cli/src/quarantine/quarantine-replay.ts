import { QuarantineReplay } from "@plimsoll/contracts/rest";
import { EXIT } from "../exit-code.ts";
import { plainText } from "../format/plain-text.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import { entryPath } from "./entry-path.ts";
import type { QuarantineEntryOptions } from "./quarantine-command.ts";

const WORDS: Readonly<Record<QuarantineReplay["outcome"], string>> = {
  applied: "is applied: its facts count now.",
  duplicate: "was counted before: nothing changed.",
  superseded: "stands for batches that were counted before: nothing changed.",
  rejected: "stays in the quarantine",
  deregistered: "stays: its cluster is not registered any more.",
  retry: "stays for now: the hub cannot store it. Try again",
};
const COUNTED: readonly QuarantineReplay["outcome"][] = ["applied", "duplicate", "superseded"];

/** Lets one entry go through ingest again and says what became of it. Gives the exit code: 1 when it does not count. */
export async function quarantineReplay(
  entry: string,
  options: QuarantineEntryOptions,
  context: CommandContext,
): Promise<number> {
  const path = entryPath(entry, "plimsoll quarantine replay");
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  let counted = false;
  await showAnswer<QuarantineReplay>(
    {
      async ask() {
        const answer = await hub.post(`${path}/replay`, {}, QuarantineReplay);
        counted = COUNTED.includes(answer.value.outcome);
        return answer;
      },
      table: replayText,
      partial: () => false,
    },
    options,
    context,
  );
  return counted ? EXIT.ok : EXIT.failed;
}

function replayText({ id, outcome, code, message }: QuarantineReplay): string {
  const known = code === null ? "" : ` [${code}]`;
  const why = outcome === "rejected" ? `: ${message ?? ""}${known}` : outcome === "retry" ? `${known}.` : "";
  return `Entry ${plainText(id)} ${WORDS[outcome]}${plainText(why)}\n`;
}
