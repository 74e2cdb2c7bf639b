import { SEVERITIES, type Severity } from "@plimsoll/contracts";
import { formatCount } from "../../format/quantity.ts";
import { html, type Markup } from "./markup.ts";

const SIGNS: Readonly<Record<Severity, string>> = { critical: "▲", warning: "◆", info: "●" };

/** A severity by sign, word and colour; with a count where several findings are meant. */
export function severityChip(severity: Severity, count?: number): Markup {
  const words = count === undefined ? severity : `${formatCount(count)} ${severity}`;
  return html`<span class="chip sev-${severity}"><span aria-hidden="true">${SIGNS[severity]}</span> ${words}</span>`;
}

/** One chip per severity that was found, worst first; "none" where nothing was. */
export function severityChips(counts: Readonly<Record<Severity, number>>): Markup {
  const found = SEVERITIES.toReversed().filter((severity) => counts[severity] > 0);
  if (found.length === 0) return html`<span class="muted">none</span>`;
  return html`<span class="chips">${found.map((severity) => severityChip(severity, counts[severity]))}</span>`;
}
