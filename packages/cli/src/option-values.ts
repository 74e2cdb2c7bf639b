import { PlimsollError, SEVERITIES, type Severity } from "@plimsoll/contracts";
import { FORMATS, type ReportFormat } from "./render/report-format.ts";

/** Turns the text of one option into its value, or throws `option_invalid`. */
type OptionParser<T> = (value: string) => T;

const MAX_SECONDS = 86_400;
const MAX_CONCURRENCY = 1_000;

/** `-o`: one of the report formats. */
export function formatOption(command: string): OptionParser<ReportFormat> {
  return (value) =>
    FORMATS.find((format) => format === value) ?? refuse(command, "--format", value, `one of ${FORMATS.join(", ")}`);
}

/** `--fail-on`: one of the severities. */
export function severityOption(command: string): OptionParser<Severity> {
  return (value) =>
    SEVERITIES.find((severity) => severity === value) ??
    refuse(command, "--fail-on", value, `one of ${SEVERITIES.join(", ")}`);
}

/** `--timeout`: seconds as a plain decimal above 0, up to a day. Gives milliseconds. */
export function secondsOption(command: string): OptionParser<number> {
  return (value) => {
    const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0;
    if (seconds > 0 && seconds <= MAX_SECONDS) return Math.ceil(seconds * 1000);
    return refuse(command, "--timeout", value, `seconds from 0.001 to ${MAX_SECONDS}`);
  };
}

/** `--concurrency`: a whole number from 1. */
export function concurrencyOption(command: string): OptionParser<number> {
  return (value) => {
    const count = /^\d+$/.test(value) ? Number(value) : 0;
    if (count >= 1 && count <= MAX_CONCURRENCY) return count;
    return refuse(command, "--concurrency", value, `a whole number from 1 to ${MAX_CONCURRENCY}`);
  };
}

/** `--output`: a file. The name of a format alone is a slip for `-o`, as kubectl's own option is called so. */
export function outputOption(command: string): OptionParser<string> {
  return (value) => {
    if (value === "") return refuse(command, "--output", value, "a file name");
    if (!FORMATS.some((format) => format === value)) return value;
    return refuse(
      command,
      "--output",
      value,
      `a file name (the format is -o ${value}; a file of that name is ./${value})`,
    );
  };
}

function refuse(command: string, option: string, value: string, expected: string): never {
  throw new PlimsollError("option_invalid", { command, option, value, expected });
}
