import { formatMoney, parseMoney, type ScanReport } from "@plimsoll/contracts";
import { outOfService } from "../../format/node-states.ts";
import { formatCount, formatQuantity } from "../../format/quantity.ts";
import { UNKNOWN } from "../../format/unknown.ts";
import { extendedResources } from "../cluster-row.ts";
import { oldestStale } from "../stale.ts";
import { price } from "./amount.ts";
import { costBar } from "./cost-bar.ts";
import { costTable } from "./cost-tables.ts";
import { html, type Markup } from "./markup.ts";
import { severityChips } from "./severity-chip.ts";
import { usageCoverage } from "./usage-coverage.ts";
import { watermark } from "./watermark-bar.ts";
import { whomItCosts } from "./whom-it-costs.ts";

/** Hours that a month is counted with, as price lists do. */
const HOURS_PER_MONTH = 730n;
const MAX_EXTENDED = 3;
/** Rows of the fleet's cost by label or namespace. */
const WHOM_ROWS = 4;

/** The fleet on one screen: how many clusters and nodes, how full, what it costs, what to look at. */
export function fleetFigures(report: ScanReport): Markup {
  return html`<section class="figures" aria-label="The fleet">
<div class="tile"><h2>Clusters</h2>${clustersTile(report)}</div>
<div class="tile"><h2>Nodes</h2>${nodesTile(report)}</div>
<div class="tile"><h2>Findings</h2><p class="chips-line">${report.fleet.clustersRead === 0 ? "unknown" : severityChips(report.fleet.findings)}</p></div>
<div class="tile wide"><h2>How full</h2>${fullTile(report)}</div>
<div class="tile wide"><h2>What it costs</h2>${report.fleet.cost.length === 0 ? html`<p class="muted">unknown</p>` : report.fleet.cost.map((cost) => costTile(report, cost))}</div>
</section>`;
}

function clustersTile({ fleet }: ScanReport): Markup {
  const missing = fleet.clusters - fleet.clustersRead;
  return html`<p class="big">${formatCount(fleet.clustersRead)}<span class="of"> of ${formatCount(fleet.clusters)} read</span></p>
<p class="sub">${missing === 0 ? "every one was read" : `${formatCount(missing)} could not be read: in no figure below`}</p>`;
}

function nodesTile({ fleet }: ScanReport): Markup {
  if (fleet.nodes === null) return html`<p class="big">${UNKNOWN}</p><p class="sub">unknown</p>`;
  const out = outOfService(fleet.nodes);
  return html`<p class="big">${formatCount(fleet.nodes.schedulable)}<span class="of"> of ${formatCount(fleet.nodes.total)} in service</span></p>
<p class="sub">${out.length === 0 ? "all ready" : out.join(" · ")}</p>`;
}

function fullTile(report: ScanReport): Markup {
  const names = ["cpu", "memory", "pods", ...extendedResources(report).slice(0, MAX_EXTENDED)];
  return html`<div class="loads">${names.map((name) => loadLine(report, name))}</div>
<p class="scale" aria-hidden="true"><span class="s0">idle</span><span class="s20">low</span><span class="s40">good</span><span class="s75">high</span><span class="s90">critical</span></p>${report.fleet.nodes !== null && usageCoverage(report.fleet.nodes)}`;
}

function loadLine(report: ScanReport, name: string): Markup {
  const figures = report.fleet.resources[name];
  const total = figures === undefined ? "" : `${formatQuantity(figures.unit, figures.allocatable)} allocatable`;
  return html`<div class="load"><div class="load-name"><span>${name}</span><span class="muted">${total}</span></div>${watermark(figures, oldestStale(report) !== undefined)}</div>`;
}

function costTile(report: ScanReport, cost: ScanReport["fleet"]["cost"][number]): Markup {
  const { currency, hourly } = cost;
  const { clusters } = report.fleet;
  const { title, groups } = whomItCosts(report, currency);
  const coverage =
    cost.clusters === clusters ? "" : ` · ${formatCount(cost.clusters)} of ${formatCount(clusters)} clusters`;
  return html`<p class="big">${price(currency, hourly.total)}<span class="of"> per hour</span></p>
<p class="sub">about ${price(currency, monthly(hourly.total), 0)} in a month of ${HOURS_PER_MONTH} hours${coverage}</p>
${costBar(currency, hourly)}
${costTable(title, { currency, hourly }, groups, WHOM_ROWS)}`;
}

function monthly(hourly: string): string {
  return formatMoney((parseMoney(hourly) ?? 0n) * HOURS_PER_MONTH);
}
