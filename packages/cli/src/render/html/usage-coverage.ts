import type { CapacityReport } from "@plimsoll/contracts";
import { formatCount } from "../../format/quantity.ts";
import { html, type Markup } from "./markup.ts";

/** Of how many nodes usage is known, where it is not of all: what "used" is a share of. */
export function usageCoverage({ reportingUsage, schedulable }: CapacityReport["nodes"]): Markup {
  if (reportingUsage === schedulable) return html``;
  if (reportingUsage === 0) return html`<p class="muted coverage">Usage is unknown, which is not zero.</p>`;
  return html`<p class="muted coverage">Usage is known of ${formatCount(reportingUsage)} of ${formatCount(schedulable)} nodes in service, and in percent of those.</p>`;
}
