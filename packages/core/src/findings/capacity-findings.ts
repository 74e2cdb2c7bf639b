import type { Finding, ResourceFigures } from "@plimsoll/contracts";
import type { FindingInput } from "./finding-input.ts";
import { clusterObject, listNames, makeFinding } from "./make-finding.ts";

/** Lines of the watermark, percent of allocatable. */
const CRITICAL_LINE = 90n;
const HIGH_LINE = 75n;

/** Resources above a watermark line, over-commitment, and usage that is missing. */
export function capacityFindings(input: FindingInput): readonly Finding[] {
  const { facts, capacity } = input;
  const figures = Object.entries(capacity?.resources ?? {}).filter(([name]) => !name.startsWith("hugepages-"));
  return [
    ...figures.flatMap(([resource, figure]) => watermarks(facts.name, resource, figure)),
    ...usageFindings(input),
  ];
}

function watermarks(cluster: string, resource: string, figures: ResourceFigures): readonly Finding[] {
  const findings = [watermark(cluster, resource, "requested", figures.requested, figures.requestedAllocatable)];
  // A pod is used as soon as it is requested: one finding is enough.
  if (resource !== "pods") findings.push(watermark(cluster, resource, "used", figures.used, figures.usedAllocatable));
  return findings.flat();
}

function watermark(
  cluster: string,
  resource: string,
  basis: "requested" | "used",
  amount: bigint | null,
  allocatable: bigint | null,
): readonly Finding[] {
  if (amount === null || allocatable === null || allocatable <= 0n) return [];
  const percent = (amount * 100n) / allocatable;
  if (percent < HIGH_LINE) return [];
  const line = percent >= CRITICAL_LINE ? CRITICAL_LINE : HIGH_LINE;
  const object = clusterObject(cluster);
  const fields = { resource, basis, percent: String(percent), line: String(line) };
  if (basis === "requested" && amount > allocatable) {
    return [makeFinding("requests_over_allocatable", { object, fields })];
  }
  return [makeFinding(line === CRITICAL_LINE ? "watermark_critical" : "watermark_high", { object, fields })];
}

/** Figures came, and not one could be understood. */
const NO_USABLE_USAGE = { message: "none could be used", remedy: "Mend what the errors of this cluster name" };

function usageFindings({ facts, nodes, usage }: FindingInput): readonly Finding[] {
  const object = clusterObject(facts.name);
  if (usage === null) {
    const { message, remedy } = facts.usage.known ? NO_USABLE_USAGE : facts.usage.error;
    return [makeFinding("usage_missing", { object, fields: { reason: message, remedy } })];
  }
  const schedulable = (nodes ?? []).filter((node) => node.exclusion === null);
  const silent = schedulable.filter((node) => !usage.nodes.has(node.name)).map((node) => node.name);
  if (silent.length === 0) return [];
  const fields = { count: silent.length, total: schedulable.length, names: listNames(silent.sort()) };
  return [makeFinding("usage_partial", { object, fields })];
}
