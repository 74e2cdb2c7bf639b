import { PlimsollError } from "@plimsoll/contracts";
import { type Command, Option } from "commander";

/** Forms that a hub's answer is written in. */
export type AnswerFormat = "table" | "wide" | "text" | "json" | "yaml" | "csv";

/** How an answer is shown. `every` in milliseconds. */
export interface ShowOptions {
  readonly format: AnswerFormat;
  readonly watch?: boolean;
  readonly interval: number;
}

/** Adds `-o`; `formats` are those that the command has, the first is the default. */
export function withFormat(command: Command, formats: readonly [AnswerFormat, ...AnswerFormat[]]): Command {
  const parse = (value: string): AnswerFormat => {
    const known = formats.find((format) => format === value);
    if (known !== undefined) return known;
    const fields = { option: "--format", value, expected: `one of ${formats.join(", ")}`, command: fullName(command) };
    throw new PlimsollError("option_invalid", fields);
  };
  const option = new Option("-o, --format <FORMAT>", `form of the answer: ${formats.join(", ")}`);
  return command.addOption(option.default(formats[0]).argParser(parse));
}

/** Adds `--watch` and how often it asks. */
export function withWatch(command: Command): Command {
  const parse = (value: string): number => {
    const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0;
    if (seconds >= 0.1 && seconds <= 3600) return seconds * 1000;
    const fields = { option: "--interval", value, expected: "seconds from 0.1 to 3600", command: fullName(command) };
    throw new PlimsollError("option_invalid", fields);
  };
  return command
    .option("-w, --watch", "ask again and again until Ctrl-C")
    .addOption(new Option("--interval <SECONDS>", "how often --watch asks").default(5000, "5").argParser(parse));
}

/** `plimsoll get clusters`: the command with those above it. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
