import type { ClusterError, ScanReport } from "@plimsoll/contracts";
import { formatCount } from "../../format/quantity.ts";
import type { FindingGroup } from "../top-findings.ts";
import { html, type Markup } from "./markup.ts";
import { severityChip } from "./severity-chip.ts";

const TOP_FINDINGS = 12;

/** Findings, worst first, those of a kind together; each with its remedy. `withCluster` names the cluster too. */
export function findingList(groups: readonly FindingGroup[], withCluster: boolean): Markup {
  const rest = groups.length - TOP_FINDINGS;
  return html`<ul class="findings">${groups
    .slice(0, TOP_FINDINGS)
    .map(
      ({ cluster, first, count }) =>
        html`<li>${severityChip(first.severity)}<div><p><b>${withCluster && `${cluster}: `}${first.object}</b>${count > 1 && html` <span class="muted">and ${formatCount(count - 1)} more</span>`}</p><p>${first.message}</p><p class="remedy">→ ${first.remedy} <code>${first.code}</code></p></div></li>`,
    )}</ul>${rest > 0 && html`<p class="muted">${formatCount(rest)} more kinds are in -o json.</p>`}`;
}

/** What could not be read, or not fully, and what mends it. */
export function errorList(errors: readonly ClusterError[]): Markup {
  return html`<ul class="findings">${errors.map(
    ({ cluster, code, message, remedy }) =>
      html`<li><span class="chip sev-error"><span aria-hidden="true">✗</span> ${cluster}</span><div><p>${message}</p><p class="remedy">→ ${remedy} <code>${code}</code></p></div></li>`,
  )}</ul>`;
}

/** The section of the page that says what is missing from it; nothing when everything was read. */
export function errorSection(report: ScanReport): Markup {
  if (report.errors.length === 0) return html``;
  return html`<section class="missing"><h2>Could not be read, or not fully</h2>${errorList(report.errors)}</section>`;
}
