import { setTimeout as sleep } from "node:timers/promises";
import { PlimsollError } from "@plimsoll/contracts";
import { EXIT } from "../exit-code.ts";
import { printError } from "../print-error.ts";
import type { CommandContext } from "../program.ts";
import type { AnswerFormat, ShowOptions } from "./answer-format.ts";
import type { HubAnswer } from "./hub-client.ts";

/** Where a table goes: columns to fit into (undefined = no limit), whether colours are wanted, and whether in full. */
export interface TablePlace {
  readonly width: number | undefined;
  readonly colours: boolean;
  readonly wide: boolean;
}

/** How one command asks and in which words it shows what came back. */
export interface AnswerView<T> {
  ask(): Promise<HubAnswer<T>>;
  table(answer: T, place: TablePlace): string;
  csv?(answer: T): string;
  /** Is something of it missing that should be there? Then the command exits with 4. */
  partial(answer: T): boolean;
}

const CLEAR_SCREEN = "\u001b[H\u001b[2J\u001b[3J";

/** Asks once, or again and again with `--watch`, and writes each answer in the form asked for. Gives the exit code. */
export async function showAnswer<T>(
  view: AnswerView<T>,
  options: ShowOptions,
  context: CommandContext,
): Promise<number> {
  if (options.watch !== true) return showOnce(view, options.format, context, "");
  const { terminal, signal } = context;
  const before = terminal.out.isTerminal ? CLEAR_SCREEN : "";
  let exitCode: number = EXIT.ok;
  while (!signal.aborted) {
    try {
      exitCode = await showOnce(view, options.format, context, before);
    } catch (thrown) {
      // A hub that restarts is back soon; a wrong token stays wrong.
      if (!(thrown instanceof PlimsollError) || !thrown.retryable || signal.aborted) throw thrown;
      printError(terminal, thrown);
    }
    await sleep(options.interval, undefined, { signal }).catch(() => undefined);
  }
  return exitCode;
}

async function showOnce<T>(
  view: AnswerView<T>,
  format: AnswerFormat,
  { terminal }: CommandContext,
  before: string,
): Promise<number> {
  const answer = await view.ask();
  const text = await render(view, answer, format, terminal.out);
  terminal.out.write(before + text);
  return view.partial(answer.value) ? EXIT.partial : EXIT.ok;
}

async function render<T>(
  view: AnswerView<T>,
  { text, value }: HubAnswer<T>,
  format: AnswerFormat,
  { columns: width, colours }: { columns: number | undefined; colours: boolean },
): Promise<string> {
  switch (format) {
    case "json":
      return text.endsWith("\n") ? text : `${text}\n`;
    case "yaml":
      return (await import("../render/yaml.ts")).renderYaml(JSON.parse(text));
    case "csv":
      return view.csv?.(value) ?? "";
    default:
      return view.table(value, { width, colours, wide: format === "wide" });
  }
}
