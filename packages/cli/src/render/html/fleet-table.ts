import type { ClusterReport, ScanReport } from "@plimsoll/contracts";
import { ageSeconds, formatAge } from "../../format/age.ts";
import { hourlyShares } from "../../format/cost-shares.ts";
import { decimalsFor } from "../../format/money.ts";
import { formatNodesShort, outOfService } from "../../format/node-states.ts";
import { percentOf } from "../../format/percent.ts";
import { UNKNOWN } from "../../format/unknown.ts";
import { formatVersion } from "../../format/version.ts";
import { type ClusterRow, countFindings, resourceOf } from "../cluster-row.ts";
import { isStale } from "../stale.ts";
import { price } from "./amount.ts";
import { breakable } from "./breakable.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { severityChips } from "./severity-chip.ts";
import { watermark } from "./watermark-bar.ts";

const HEADS: readonly (readonly [string, string])[] = [
  ["Cluster", ""],
  ["Version", ""],
  ["Nodes", ""],
  ["CPU", ""],
  ["Memory", ""],
  ["Cost per hour", "num"],
  ["Idle", "num"],
  ["Findings", ""],
];

/** Every cluster as a row: what it is, how full, what it costs, what to look at. Names lead to its section. */
export function fleetTable(report: ScanReport, rows: readonly ClusterRow[]): Markup {
  return html`<section><h2 id="clusters">Clusters</h2>
<table class="fleet" data-sortable role="table"><thead role="rowgroup"><tr role="row">${HEADS.map(([name, kind]) => html`<th scope="col" role="columnheader" class="${kind}">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row, index) => tableRow(row, index, report))}</tbody></table></section>`;
}

function tableRow(row: ClusterRow, index: number, { asOf, fleet }: ScanReport): Markup {
  const { cluster } = row;
  const { inventory, cost } = cluster;
  const counts = countFindings(cluster);
  const stale = isStale(inventory, asOf);
  const decimals = decimalsFor(fleet.cost.find(({ currency }) => currency === cost?.currency)?.hourly.total);
  return html`<tr role="row">
<th scope="row" role="rowheader" data-v="${inventory.cluster_name}"><a href="#c${index + 1}">${breakable(inventory.cluster_name)}</a><span class="sub">${place(row)}</span>${stale && staleBadge(inventory.observed_at, asOf)}</th>
${cell("Version", inventory.k8s_version, breakable(formatVersion(inventory)))}
${cell("Nodes", cluster.capacity?.nodes.total, nodesOf(cluster))}
${loadCell("CPU", cluster, "cpu", stale)}
${loadCell("Memory", cluster, "memory", stale)}
${cell("Cost per hour", cost?.hourly.total, cost === null ? UNKNOWN : price(cost.currency, cost.hourly.total, decimals), "num")}
${cell("Idle", cost?.hourly.idle, cost === null ? UNKNOWN : html`${price(cost.currency, cost.hourly.idle, decimals)}<span class="sub">${hourlyShares(cost.hourly).idle} of it</span>`, "num")}
${cell("Findings", counts.critical * 1e6 + counts.warning * 1e3 + counts.info, findingsOf(row))}
</tr>`;
}

function nodesOf({ capacity }: ClusterReport): Markup {
  if (capacity === null) return html`${UNKNOWN}`;
  const out = outOfService(capacity.nodes).map((text) => html`<span class="sub">${text}</span>`);
  return html`${formatNodesShort(capacity.nodes)}${out}`;
}

function loadCell(label: string, cluster: ClusterReport, resource: string, stale: boolean): Markup {
  const figures = resourceOf(cluster, resource);
  return cell(
    label,
    percentOf(figures?.requested, figures?.requestedAllocatable),
    watermark(figures, stale),
    "wm-cell",
  );
}

function cell(label: string, sortValue: string | number | null | undefined, content: Content, kind = ""): Markup {
  return html`<td role="cell" data-label="${label}" data-v="${sortValue ?? ""}" class="${kind}">${content}</td>`;
}

function place({ cluster, unread }: ClusterRow): string {
  if (unread) return cluster.inventory.api_server_endpoint ?? "";
  const { cluster_type, region, environment } = cluster.inventory;
  return [cluster_type, region, environment].filter((part) => part !== null).join(" · ");
}

function findingsOf(row: ClusterRow): Markup {
  const errors =
    row.errors.length > 0 &&
    html`<span class="chip sev-error"><span aria-hidden="true">✗</span> ${row.unread ? "not read" : "read in part"}</span>`;
  const nothingToSay = row.errors.length > 0 && row.cluster.findings.length === 0;
  return html`<span class="chips">${errors}${!nothingToSay && severityChips(countFindings(row.cluster))}</span>`;
}

/** Says that figures are older than the report. */
export function staleBadge(observedAt: string, asOf: string): Markup {
  return html`<span class="chip stale" title="observed at ${observedAt}"><span aria-hidden="true">◷</span> ${formatAge(ageSeconds(observedAt, asOf))} old</span>`;
}
