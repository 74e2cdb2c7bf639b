import type { ClusterError, ScanReport } from "@plimsoll/contracts";
import { formatCount } from "../../format/quantity.ts";
import { groupErrors } from "../group-errors.ts";
import { type FindingGroup, othersText } from "../top-findings.ts";
import { html, type Markup } from "./markup.ts";
import { severityChip } from "./severity-chip.ts";

const TOP_FINDINGS = 12;

/** Objects that are named of those that share a finding. */
const NAMED_OBJECTS = 5;

/** Findings, worst first, those of a kind together; each with its remedy. `ofFleet` says which clusters they are of. */
export function findingList(groups: readonly FindingGroup[], ofFleet: boolean): Markup {
  const rest = groups.length - TOP_FINDINGS;
  return html`<ul class="findings">${groups.slice(0, TOP_FINDINGS).map((group) => findingItem(group, ofFleet))}</ul>${
    rest > 0 && html`<p class="muted">${formatCount(rest)} more kinds are in -o json.</p>`
  }`;
}

function findingItem(group: FindingGroup, ofFleet: boolean): Markup {
  const { first, cluster, count } = group;
  const object = first.object === `Cluster/${cluster}` ? [] : [first.object];
  const subject = [...(ofFleet ? [cluster] : []), ...object].join(": ");
  const others = count === 1 ? "" : ofFleet ? othersText(group) : otherObjects(group);
  return html`<li>${severityChip(first.severity)}<div>${subject !== "" && html`<p><b>${subject}</b> <span class="muted">${others}</span></p>`}<p>${first.message}</p><p class="remedy">→ ${first.remedy} <code>${first.code}</code></p></div></li>`;
}

function otherObjects({ objects }: FindingGroup): string {
  const others = objects.slice(1);
  const more = others.length > NAMED_OBJECTS ? " …" : "";
  return `and ${formatCount(others.length)} more: ${others.slice(0, NAMED_OBJECTS).join(", ")}${more}`;
}

/** What could not be read, or not fully, and what mends it. */
export function errorList(errors: readonly ClusterError[]): Markup {
  return html`<ul class="findings">${groupErrors(errors).map(
    ({ cluster, code, message, remedy }) =>
      html`<li><span class="chip sev-error"><span aria-hidden="true">✗</span> ${cluster}</span><div><p>${message}</p><p class="remedy">→ ${remedy} <code>${code}</code></p></div></li>`,
  )}</ul>`;
}

/** The section of the page that says what is missing from it; nothing when everything was read. */
export function errorSection(report: ScanReport): Markup {
  if (report.errors.length === 0) return html``;
  return html`<section class="missing"><h2>Could not be read, or not fully</h2>${errorList(report.errors)}</section>`;
}
