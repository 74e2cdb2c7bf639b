import type { ScanReport } from "@plimsoll/contracts";
import { formatInstant } from "../../format/age.ts";
import { describePriceSources } from "../../format/price-sources.ts";
import { html, type Markup } from "./markup.ts";

/** How to read the figures: what they are of, what the named remainders mean, where prices and ages come from. */
export function notes(report: ScanReport): Markup {
  return html`<section class="notes"><h2>How to read this</h2>
<dl>
<dt>Load</dt><dd>The wide bar is what pods request, the thin one what they use (working set for memory), both in percent of allocatable on nodes in service, cut to whole percents. Ticks stand at the lines 20, 40, 75 and 90 %. Nodes that are virtual, being deleted, not ready or cordoned are in neither side of these figures.</dd>
<dt>Unknown</dt><dd>“–”, “unknown” and a dashed outline mean that a figure could not be read. It is not zero and enters no sum. Figures older than 15 minutes at the time of the report are hatched and carry their age.</dd>
<dt>Cost</dt><dd>Every node costs, in service or not. Workloads + idle + system = the price of the nodes, exactly. Workloads: ${basis(report)}. Idle: paid for and charged to nobody. System: what nodes keep for themselves (capacity − allocatable). Volumes, load balancers and fees are not in it yet. Hover over an amount for all its digits.</dd>
<dt>Prices</dt><dd>${describePriceSources(report.clusters)}; a month is 730 hours. Amounts of different currencies are never added.</dd>
<dt>Age</dt><dd>Report made at ${formatInstant(report.asOf)}. Every cluster says when it was observed.</dd>
</dl></section>`;
}

function basis(report: ScanReport): string {
  const bases = new Set(report.clusters.flatMap(({ cost }) => (cost === null ? [] : [cost.basis])));
  const names = [...bases].map((one) => (one === "request" ? "what they request" : "the larger of request and usage"));
  return names.length === 0 ? "unknown" : names.join(", or where usage is unknown ");
}
