import type { Coverage } from "@plimsoll/contracts/rest";
import type { CsvValue } from "../render/csv-cell.ts";
import { UNKNOWN } from "./unknown.ts";

/** What a reason is called where its own word says too little; the others are their words. */
const WORDS: Readonly<Record<string, string>> = {
  pending: "on its way",
  unseen_pods: "pods that ran unseen",
  facts_missing: "missing without a reason",
};

/** Covered share: `97.4%`, rounded down, so that only what is whole is `100%`; nothing expected = `–`. */
export function coveredText({ fraction }: Coverage): string {
  if (fraction === null) return UNKNOWN;
  return fraction === 1 ? "100%" : `${(Math.floor(Math.round(fraction * 1e6) / 1e3) / 10).toFixed(1)}%`;
}

/** Why the rest is not: `agent down 2.0%, on its way 0.6%`; empty when nothing is lost. */
export function lossText({ reasons }: Coverage): string {
  return reasons
    .map(({ reason, fraction }) => `${WORDS[reason] ?? reason.replaceAll("_", " ")} ${share(fraction)}`)
    .join(", ");
}

/** Is anything of it missing, or unknown? */
export function isPartial({ fraction }: Coverage): boolean {
  return fraction !== 1;
}

/** Reasons in one cell: `agent_down=0.02;pending=0.006`. */
export function lossCell({ reasons }: Coverage): CsvValue {
  return reasons.map(({ reason, fraction }) => `${reason}=${fraction}`).join(";");
}

/** Never rounded to nothing. */
function share(fraction: number): string {
  return fraction < 0.001 ? "<0.1%" : `${(fraction * 100).toFixed(1)}%`;
}
