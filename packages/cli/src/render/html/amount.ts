import { decimalsFor, formatAmount } from "../../format/money.ts";
import { html, type Markup } from "./markup.ts";

/** An amount in a table of its currency; hovering shows it to the last digit. */
export function amount(currency: string, text: string, decimals = decimalsFor(text)): Markup {
  return html`<span title="${currency} ${text}">${formatAmount(text, decimals)}</span>`;
}

/** An amount with its currency code in front. */
export function price(currency: string, text: string, decimals = decimalsFor(text)): Markup {
  return html`<span title="${currency} ${text}"><span class="cur">${currency}</span> ${formatAmount(text, decimals)}</span>`;
}
