import { PlimsollError } from "@plimsoll/contracts";

/** Path of an entry by its number. Throws `option_invalid` for what is none. */
export function entryPath(entry: string, command: string): string {
  if (/^[1-9]\d{0,14}$/.test(entry)) return `/api/v1/quarantine/${entry}`;
  const expected = "the number of an entry: plimsoll quarantine list";
  throw new PlimsollError("option_invalid", { command, option: "ENTRY", value: entry, expected });
}
