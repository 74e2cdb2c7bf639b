import type { ErrorCode } from "@plimsoll/contracts";

/** Exit codes of every command. `partial` wins over `findings`; an interrupted command ends with 128 + the signal. */
export const EXIT = { ok: 0, failed: 1, usage: 2, findings: 3, partial: 4 } as const;

const USAGE_CODES: readonly ErrorCode[] = [
  "option_unknown",
  "option_invalid",
  "argument_unexpected",
  "argument_missing",
  "command_unknown",
  "context_unknown",
];

/** What a command that ended with this error exits with: 2 when the command line is at fault, else 1. */
export function exitCodeOf(code: ErrorCode): number {
  return USAGE_CODES.includes(code) ? EXIT.usage : EXIT.failed;
}
