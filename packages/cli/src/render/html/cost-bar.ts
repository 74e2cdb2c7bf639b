import type { CostReport } from "@plimsoll/contracts";
import { hourlyShares } from "../../format/cost-shares.ts";
import { decimalsFor } from "../../format/money.ts";
import { price } from "./amount.ts";
import { html, type Markup } from "./markup.ts";

/** The parts that make up the total, as one bar and in words. */
export function costBar(currency: string, hourly: CostReport["hourly"]): Markup {
  const parts = (["workloads", "idle", "system"] as const).map((name) => ({ name, text: hourly[name] }));
  const decimals = decimalsFor(hourly.total);
  const shares = hourlyShares(hourly);
  const percents = parts.map(({ text }) => (100 * Number(text)) / (Number(hourly.total) || 1));
  const rects = parts.map(({ name }, index) => {
    const x = percents.slice(0, index).reduce((sum, percent) => sum + percent, 0);
    return html`<rect class="cost-${name}" x="${x.toFixed(2)}" width="${(percents[index] ?? 0).toFixed(2)}" height="12"/>`;
  });
  return html`<svg class="bar cost" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>
<ul class="legend">${parts.map(({ name, text }) => html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="cost-${name}" width="10" height="10"/></svg>${name} ${price(currency, text, decimals)} <span class="muted">${shares[name]}</span></li>`)}</ul>`;
}
