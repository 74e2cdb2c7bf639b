import { createHash } from "node:crypto";
import type { ScanReport } from "@plimsoll/contracts";
import { formatAge, formatInstant } from "../../format/age.ts";
import { describePriceSources } from "../../format/price-sources.ts";
import { formatCount } from "../../format/quantity.ts";
import { clusterRows } from "../cluster-row.ts";
import { oldestStale } from "../stale.ts";
import { groupFindings } from "../top-findings.ts";
import { clusterSections } from "./cluster-section.ts";
import { errorSection, findingList } from "./finding-list.ts";
import { fleetFigures } from "./fleet-figures.ts";
import { fleetTable } from "./fleet-table.ts";
import { html, type Markup, trusted } from "./markup.ts";
import { notes } from "./notes.ts";
import { SORT_SCRIPT } from "./sort-script.ts";
import { STYLES } from "./styles.ts";

/**
 * The report as one self-contained page to mail: no external resource, readable without scripts (one small script makes
 * the table sortable; the page's own policy allows no other), light and dark, in print. Everything that came from a
 * cluster is escaped.
 */
export function renderHtml(report: ScanReport): string {
  const rows = clusterRows(report);
  const findings = groupFindings(report);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256(SORT_SCRIPT)}'">
<title>Fleet report, ${formatCount(report.fleet.clusters)} clusters, ${formatInstant(report.asOf)}</title>
<style>${trusted(STYLES)}</style>
</head>
<body>
<svg width="0" height="0" class="defs" aria-hidden="true"><defs><pattern id="stale" width="3" height="12" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 12L3 0"/></pattern></defs></svg>
<header>${mark()}<div><h1>Fleet report</h1><p>As of ${formatInstant(report.asOf)}${ageNote(report)} · prices: ${describePriceSources(report.clusters)}</p></div></header>
<main>
${fleetFigures(report)}
${errorSection(report)}
${fleetTable(report, rows)}
${findings.length > 0 && rows.length > 1 && html`<section><h2>Findings</h2>${findingList(findings, true)}</section>`}
${clusterSections(report, rows)}
${notes(report)}
</main>
<footer>Made by Plimsoll, the load line of a Kubernetes fleet: <code>plimsoll scan -o html</code></footer>
<script>${trusted(SORT_SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

/** Says how old the oldest figures were by then, when that matters. */
function ageNote(report: ScanReport): string {
  const oldest = oldestStale(report);
  return oldest === undefined ? "" : ` · figures up to ${formatAge(Number.isFinite(oldest) ? oldest : null)} older`;
}

/** The mark on a ship's side: how deep it may be loaded. */
function mark(): Markup {
  return html`<svg class="mark" viewBox="0 0 64 48" aria-hidden="true"><circle cx="32" cy="24" r="17"/><path d="M4 24H60"/></svg>`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
