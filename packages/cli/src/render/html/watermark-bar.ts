import type { ResourceFigures } from "@plimsoll/contracts";
import { formatPercent, percentOf } from "../../format/percent.ts";
import { formatExactQuantity, formatQuantity } from "../../format/quantity.ts";
import { bandOf, WATERMARK_LINES, type WatermarkBand } from "../../format/watermark-band.ts";
import { html, type Markup } from "./markup.ts";

const BAND_SIGNS: Readonly<Record<WatermarkBand, string>> = { idle: "", low: "", good: "", high: "◆ ", critical: "▲ " };
const LINES = WATERMARK_LINES.map((line) => `M${line} 0V12`).join("");

/**
 * How full a resource is: a bar (wide: requested, thin: used, ticks at the watermark lines) that the text below it says in
 * full. A stale one is hatched, one without data is an outline.
 */
export function watermark(figures: ResourceFigures | undefined, stale: boolean): Markup {
  if (figures === undefined)
    return html`<div class="wm"><div class="bar none"></div><div class="wm-text">unknown</div></div>`;
  const requested = percentOf(figures.requested, figures.requestedAllocatable);
  const used = percentOf(figures.used, figures.usedAllocatable);
  const band = bandOf(requested);
  return html`<div class="wm" title="${hover(figures)}">${bar(requested, used, stale)}<div class="wm-text">${said("requested", figures.requested, figures.requestedAllocatable)}${band !== null && html` <span class="band ${band}">(${BAND_SIGNS[band]}${band})</span>`}</div><div class="wm-text">${said("used", figures.used, figures.usedAllocatable)}</div></div>`;
}

function said(label: string, value: bigint | null, whole: bigint | null): Markup {
  return value === null ? html`${label}: unknown` : html`<b>${formatPercent(value, whole)}</b> ${label}`;
}

/** The bar alone, for where the figures stand beside it. */
export function bar(requested: number | null, used: number | null, stale: boolean): Markup {
  if (requested === null && used === null) return html`<div class="bar none"></div>`;
  return html`<svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="12"/>${
    requested !== null && html`<rect class="${bandOf(requested)}" width="${clip(requested)}" height="12"/>`
  }${stale && html`<rect fill="url(#stale)" width="100" height="12"/>`}${
    used !== null && html`<rect class="used" y="4" width="${clip(used)}" height="4"/>`
  }<path class="lines" d="${LINES}"/></svg>`;
}

function clip(percent: number): number {
  return Math.max(0, Math.min(100, percent));
}

function hover(figures: ResourceFigures): string {
  const say = (label: string, value: bigint | null) =>
    `${label} ${formatQuantity(figures.unit, value)} (${formatExactQuantity(figures.unit, value)})`;
  return [
    say("allocatable", figures.allocatable),
    say("requested", figures.requested),
    say("used", figures.used),
    say("waiting", figures.pending),
  ].join("\n");
}
