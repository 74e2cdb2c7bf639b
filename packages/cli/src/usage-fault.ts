import { PlimsollError } from "@plimsoll/contracts";
import type { CommanderError } from "commander";

/**
 * A fault of the command line as a coded error. `command` is what was being parsed ("plimsoll scan"). The parser knows what was probably meant but says so only in its message, so it is read from there.
 */
export function usageFault(error: CommanderError, command: string): PlimsollError {
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? error.message;
  const suggestion = suggestionIn(error.message);
  switch (error.code) {
    case "commander.unknownOption":
      return new PlimsollError("option_unknown", { option: named, suggestion, command });
    case "commander.unknownCommand":
      return new PlimsollError("command_unknown", { command: named, suggestion });
    case "commander.excessArguments":
      return new PlimsollError("argument_unexpected", { value: excessIn(error.message), command });
    case "commander.missingMandatoryOptionValue":
    case "commander.missingArgument":
      return new PlimsollError("argument_missing", { argument: named, command });
    case "commander.help":
      return new PlimsollError("argument_missing", { argument: "one of its commands", command });
    case "commander.optionMissingArgument":
      return missingValue(named, command);
    default:
      return new PlimsollError("internal", { reason: error.message }, { cause: error });
  }
}

function missingValue(flags: string, command: string): PlimsollError {
  const option = /--?[\w-]+(?= [<[]|$)/.exec(flags)?.[0] ?? flags;
  const expected = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? "a value";
  return new PlimsollError("option_invalid", { option, value: "", expected, command });
}

function suggestionIn(message: string): string {
  const meant = /\(Did you mean (?:one of )?(.+)\?\)/.exec(message)?.[1];
  return meant === undefined ? "" : `, did you mean ${meant}?`;
}

function excessIn(message: string): string {
  return /but got \d+: (.*)\.$/s.exec(message)?.[1] ?? message;
}
