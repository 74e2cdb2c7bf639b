import type { CapacityReport, ResourceFigures } from "@plimsoll/contracts";
import { formatPercent, percentOf } from "../../format/percent.ts";
import { formatExactQuantity, formatQuantity } from "../../format/quantity.ts";
import { html, type Markup } from "./markup.ts";
import { usageCoverage } from "./usage-coverage.ts";
import { bar } from "./watermark-bar.ts";

const FIRST = ["cpu", "memory", "pods", "ephemeral-storage"];

/** Every resource of a cluster with all its figures; percentages are of allocatable on nodes in service. */
export function resourceTable(capacity: CapacityReport, stale: boolean): Markup {
  const names = Object.keys(capacity.resources);
  const ordered = [
    ...FIRST.filter((name) => names.includes(name)),
    ...names.filter((name) => !FIRST.includes(name)).sort(),
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Resources"><table class="list resources"><thead><tr><th scope="col">Resource</th><th scope="col" class="barcol">Load</th><th scope="col" class="num">Allocatable</th><th scope="col" class="num">Requested</th><th scope="col" class="num">Used</th><th scope="col" class="num">Limits</th><th scope="col" class="num">Waiting</th></tr></thead>
<tbody>${ordered.map((name) => resourceRow(name, capacity.resources[name], stale))}</tbody></table></div>
${usageCoverage(capacity.nodes)}`;
}

function resourceRow(name: string, figures: ResourceFigures | undefined, stale: boolean): Markup {
  if (figures === undefined) return html``;
  const { unit, allocatable } = figures;
  const requested = percentOf(figures.requested, figures.requestedAllocatable);
  const used = percentOf(figures.used, figures.usedAllocatable);
  const partial = figures.limitsPartial ? html`<span class="sub">some have none</span>` : "";
  return html`<tr><th scope="row">${name}</th><td>${bar(requested, used, stale)}</td><td class="num">${quantity(unit, allocatable)}</td>${withShare(unit, figures.requested, figures.requestedAllocatable)}${withShare(unit, figures.used, figures.usedAllocatable)}<td class="num">${quantity(unit, figures.limits)}${figures.limits !== null && html` <span class="muted">${formatPercent(figures.limits, figures.requestedAllocatable)}</span>`}${partial}</td><td class="num">${quantity(unit, figures.pending)}</td></tr>`;
}

function withShare(unit: ResourceFigures["unit"], value: bigint | null, whole: bigint | null): Markup {
  return html`<td class="num">${quantity(unit, value)}${value !== null && html` <b>${formatPercent(value, whole)}</b>`}</td>`;
}

function quantity(unit: ResourceFigures["unit"], value: bigint | null): Markup {
  return html`<span title="${formatExactQuantity(unit, value)}">${formatQuantity(unit, value)}</span>`;
}
