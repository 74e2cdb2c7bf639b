import type { InventoryRecord, ScanReport } from "@plimsoll/contracts";
import { formatInstant } from "../../format/age.ts";
import { formatNodes } from "../../format/node-states.ts";
import { formatVersion } from "../../format/version.ts";
import type { ClusterRow } from "../cluster-row.ts";
import { isStale } from "../stale.ts";
import { clusterFindings } from "../top-findings.ts";
import { clusterFacts } from "./cluster-facts.ts";
import { costTables } from "./cost-tables.ts";
import { errorList, findingList } from "./finding-list.ts";
import { staleBadge } from "./fleet-table.ts";
import { html, type Markup } from "./markup.ts";
import { resourceTable } from "./resource-table.ts";
import { workloadTable } from "./workload-table.ts";

/** Up to this many clusters, every section is open; in larger fleets they open on a click (and in print). */
const OPEN_CLUSTERS = 12;
const HEALTH_SIGNS = { healthy: "●", degraded: "◐", unhealthy: "✕", unknown: "?" } as const;

/** One section per cluster with everything the report knows of it. */
export function clusterSections(report: ScanReport, rows: readonly ClusterRow[]): Markup {
  const open = rows.length <= OPEN_CLUSTERS;
  return html`<section><h2>Each cluster</h2>${rows.map((row, index) => clusterSection(report, row, index, open))}</section>`;
}

function clusterSection(report: ScanReport, row: ClusterRow, index: number, open: boolean): Markup {
  const { inventory } = row.cluster;
  return html`<details class="cluster" id="c${index + 1}"${open && html` open`}><summary><h3>${inventory.cluster_name}</h3><span class="tags">${tags(row)}${isStale(inventory, report.asOf) && staleBadge(inventory.observed_at, report.asOf)}</span></summary>
<div class="cluster-body">${row.unread ? errorList(row.errors) : clusterBody(report, row)}<p class="muted">Observed at ${formatInstant(inventory.observed_at)}.</p></div></details>`;
}

function clusterBody(report: ScanReport, { cluster, errors }: ClusterRow): Markup {
  const { capacity, cost, workloads, inventory, unused } = cluster;
  const stale = isStale(inventory, report.asOf);
  const findings = clusterFindings(cluster);
  return html`${errors.length > 0 && part("Could not be read", errorList(errors))}
${findings.length > 0 && part("Findings", findingList(findings, false))}
${part("What it is", clusterFacts(inventory))}
${part("How full", capacity === null ? unknown() : html`<p>Nodes: ${formatNodes(capacity.nodes)}</p>${resourceTable(capacity, stale)}`)}
${part("What it costs", cost === null ? unknown() : costTables(cost))}
${workloads !== null && capacity !== null && workloads.length > 0 && part("Largest workloads", workloadTable(workloads, capacity))}
${unused.length > 0 && part("Not used", html`<ul class="plain">${unused.slice(0, 20).map(({ where, reason }) => html`<li>${where}: ${reason}</li>`)}</ul>`)}`;
}

function tags({ cluster, unread }: ClusterRow): Markup {
  const { inventory } = cluster;
  if (unread) return html`<span class="tag">not read</span>`;
  return html`<span class="tag">${inventory.cluster_type}</span><span class="tag">${formatVersion(inventory)}</span>${health(inventory)}`;
}

function health({ health_status, health_reasons }: InventoryRecord): Markup {
  const reasons = health_reasons.length === 0 ? "" : `: ${health_reasons.join("; ")}`;
  return html`<span class="tag health-${health_status}"><span aria-hidden="true">${HEALTH_SIGNS[health_status]}</span> ${health_status}${reasons}</span>`;
}

function part(title: string, content: Markup): Markup {
  return html`<div class="part"><h4>${title}</h4>${content}</div>`;
}

function unknown(): Markup {
  return html`<p class="muted">Unknown: see what could not be read.</p>`;
}
