import { decimalsFor, formatAmount, sharePercent } from "../../format/money.ts";
import { html, type Markup } from "./markup.ts";

/** An amount in a table of its currency; hovering shows it to the last digit. */
export function amount(currency: string, text: string, decimals = decimalsFor(text)): Markup {
  return html`<span title="${currency} ${text}">${formatAmount(text, decimals)}</span>`;
}

/** An amount with its currency code in front. */
export function price(currency: string, text: string, decimals = decimalsFor(text)): Markup {
  return html`<span title="${currency} ${text}"><span class="cur">${currency}</span> ${formatAmount(text, decimals)}</span>`;
}

/** `"28%"` of a whole, or nothing where there is no whole. */
export function share(part: string, whole: string): string {
  const percent = sharePercent(part, whole);
  if (percent === null) return "";
  return percent > 0 && percent < 1 ? "<1%" : `${Math.floor(percent)}%`;
}
