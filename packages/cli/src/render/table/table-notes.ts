import type { ClusterReport, ScanReport, Severity } from "@plimsoll/contracts";
import { ageSeconds, formatAge, formatInstant } from "../../format/age.ts";
import { hourlyShares } from "../../format/cost-shares.ts";
import { decimalsFor, formatAmount } from "../../format/money.ts";
import { outOfService } from "../../format/node-states.ts";
import { describePriceSources } from "../../format/price-sources.ts";
import { formatCount } from "../../format/quantity.ts";
import { groupErrors } from "../group-errors.ts";
import { isStale } from "../stale.ts";
import { findingSubject, groupFindings, othersText } from "../top-findings.ts";
import type { Detail } from "./cluster-columns.ts";
import type { Note } from "./note-layout.ts";
import type { Cell } from "./table-layout.ts";

const TOP_FINDINGS = 10;
const TOP_UNUSED = 10;
const TOP_STALE = 10;

/** The fleet's cost, one line per currency, with how many clusters it covers. */
export function costLines(report: ScanReport): string[] {
  const { fleet } = report;
  return fleet.cost.map(({ currency, hourly, clusters }) => {
    const amount = (text: string) => formatAmount(text, decimalsFor(hourly.total));
    const share = parenthesis(hourlyShares(hourly).idle);
    const coverage = clusters === fleet.clusters ? "" : `, over ${clusters} of ${fleet.clusters} clusters`;
    return (
      `Cost of nodes: ${currency} ${amount(hourly.total)} per hour = workloads ${amount(hourly.workloads)}` +
      ` + idle ${amount(hourly.idle)}${share} + system ${amount(hourly.system)}${coverage}`
    );
  });
}

/** Nodes out of service by cluster, for a table that shows only ready/all. */
export function nodeNotes(report: ScanReport, detail: Detail): Note[] {
  if (detail.nodes) return [];
  return report.clusters.flatMap(({ inventory, capacity }) => {
    const out = capacity === null ? [] : outOfService(capacity.nodes);
    return out.length === 0 ? [] : [{ sign: { text: "-" }, text: `${inventory.cluster_name}: ${out.join(", ")}` }];
  });
}

/** What could not be read, or not fully, and what to do about it. */
export function errorNotes(report: ScanReport): Note[] {
  return groupErrors(report.errors).map(({ cluster, code, message, remedy }) => ({
    sign: { text: "✗", style: "red" },
    text: `${cluster}: ${message} [${code}]`,
    remedy,
  }));
}

/** The worst findings, those of a kind together, whichever cluster they are of. */
export function findingNotes(report: ScanReport): Note[] {
  const groups = groupFindings(report);
  const notes: Note[] = groups.slice(0, TOP_FINDINGS).map((group) => ({
    sign: severityCell(group.first.severity),
    text: `${findingSubject(group)}: ${group.first.message}${parenthesis(othersText(group))} [${group.first.code}]`,
    remedy: group.first.remedy,
  }));
  const rest = groups.length - notes.length;
  return rest === 0 ? notes : [...notes, { sign: { text: "…" }, text: `${rest} more kinds: see -o html or -o json` }];
}

/** Input that was met and not used (dumps). */
export function unusedNotes(report: ScanReport): Note[] {
  const unused = report.clusters.flatMap((cluster) => cluster.unused);
  const notes: Note[] = unused
    .slice(0, TOP_UNUSED)
    .map(({ where, reason }) => ({ sign: { text: "-" }, text: `${where}: ${reason}` }));
  const rest = unused.length - notes.length;
  return rest === 0 ? notes : [...notes, { sign: { text: "…" }, text: `${formatCount(rest)} more: see -o json` }];
}

/** What a reader must know to trust the figures: age, basis, prices, signs. */
export function legendLines(report: ScanReport, detail: Detail): string[] {
  const stale = listed(report.clusters.flatMap((cluster) => staleText(cluster, report.asOf)));
  const signs = [
    detail.nodes ? "" : "READY: nodes in service/all. ",
    detail.watermarks ? "REQ and USED" : "CPU and MEM: requested/used",
    ` in % of allocatable on nodes in service${coverage(report)}. `,
    detail.findings ? "" : "C critical, W warning, I info. ",
  ].join("");
  return [
    `As of ${formatInstant(report.asOf)}${stale === "" ? "" : `; older: ${stale}`}. – is unknown.`,
    `${signs}${report.fleet.cost.length === 0 ? "" : pricesText(report)}`.trimEnd(),
  ];
}

/** Usage of some nodes is a share of those nodes: how many they are. */
function coverage({ fleet: { nodes } }: ScanReport): string {
  if (nodes === null || nodes.reportingUsage === 0 || nodes.reportingUsage === nodes.schedulable) return "";
  return `, used of the ${formatCount(nodes.reportingUsage)} of ${formatCount(nodes.schedulable)} that report it`;
}

function pricesText(report: ScanReport): string {
  return `Prices: ${describePriceSources(report.clusters)}; volumes and load balancers are not in the cost yet.`;
}

/** All of a few texts, the first of many. */
function listed(texts: readonly string[]): string {
  const rest = texts.length - TOP_STALE;
  return rest <= 0 ? texts.join(", ") : `${texts.slice(0, TOP_STALE).join(", ")} and ${formatCount(rest)} more`;
}

function staleText({ inventory }: ClusterReport, asOf: string): string[] {
  if (!isStale(inventory, asOf)) return [];
  return [`${inventory.cluster_name} (${formatAge(ageSeconds(inventory.observed_at, asOf))})`];
}

function severityCell(severity: Severity): Cell {
  if (severity === "critical") return { text: severity, style: "red" };
  return severity === "warning" ? { text: severity, style: "yellow" } : { text: severity };
}

function parenthesis(text: string): string {
  return text === "" ? "" : ` (${text})`;
}
