import { PlimsollError } from "@plimsoll/contracts";
import type { HubConfig } from "@plimsoll/hub";

/** How long facts of some kinds are kept, milliseconds; of the others the default counts. */
export type RetentionOption = Partial<HubConfig["retentionMs"]>;

const KINDS = ["usage", "node", "sample", "gap", "cost"] as const satisfies readonly (keyof RetentionOption)[];
const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

/** Reads `usage=35d,sample=15d`. Throws `option_invalid`. */
export function retentionOption(text: string): RetentionOption {
  const kept: { [Kind in (typeof KINDS)[number]]?: number } = {};
  for (const part of text.split(",")) {
    const [, name, count] = /^([a-z]+)=(\d{1,5})d$/.exec(part.trim()) ?? [];
    const kind = KINDS.find((one) => one === name);
    const days = Number(count);
    if (kind === undefined || !(days >= 1 && days <= MAX_DAYS) || kept[kind] !== undefined) throw invalid(text);
    kept[kind] = days * DAY_MS;
  }
  return kept;
}

function invalid(value: string): PlimsollError {
  const expected = `days by kind, each kind once, such as usage=35d,sample=15d; kinds: ${KINDS.join(", ")}`;
  return new PlimsollError("option_invalid", { option: "--retention", value, expected, command: "plimsoll hub" });
}
