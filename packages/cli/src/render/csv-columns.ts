import {
  type ClusterReport,
  EXCLUSION_REASONS,
  type InventoryRecord,
  type ResourceFigures,
  type ResourceUnit,
  type ScanReport,
  SEVERITIES,
} from "@plimsoll/contracts";
import { percentOf } from "../format/percent.ts";
import type { CsvValue } from "./csv-cell.ts";

/** One column of the flat row: its snake_case name and where its value comes from. */
export interface CsvColumn {
  readonly name: string;
  readonly of: (cluster: ClusterReport, report: ScanReport) => CsvValue;
}

/** Names of the inventory record, in its order. */
export const INVENTORY_FIELDS: readonly (keyof InventoryRecord)[] = [
  ...(["cluster_id", "cluster_name", "cluster_type", "provider", "region", "zones", "api_server_endpoint"] as const),
  ...(["pod_cidr", "service_cidr", "incarnation", "fingerprint"] as const),
  ...(["k8s_version", "k8s_versions", "kubelet_version", "kubelet_versions"] as const),
  ...(["node_os_version", "node_os_versions", "container_runtime_version", "container_runtime_versions"] as const),
  ...(["kube_proxy_version", "coredns_version", "cni", "cni_version", "csi_drivers"] as const),
  ...(["ingress", "ingress_version", "agent_version"] as const),
  ...(["node_count", "node_count_ready", "node_count_not_ready", "node_count_cordoned"] as const),
  ...(["node_count_virtual", "node_count_spot"] as const),
  ...(["total_cpu_cores", "total_memory_gb", "total_gpus", "total_pods", "total_storage_gb"] as const),
  ...(["health_status", "health_reasons", "connectivity", "credential_expires_at"] as const),
  ...(["resource_version", "observed_at", "received_at"] as const),
  ...(["tenant_id", "environment", "business_unit", "project", "cost_center", "owner_team", "labels"] as const),
];

const RESOURCES: readonly { readonly name: string; readonly key: string; readonly unit: ResourceUnit }[] = [
  { name: "cpu", key: "cpu", unit: "millicores" },
  { name: "memory", key: "memory", unit: "bytes" },
  { name: "pods", key: "pods", unit: "count" },
  { name: "ephemeral_storage", key: "ephemeral-storage", unit: "bytes" },
];

/** The inventory record, under exactly its field names. */
export const INVENTORY_COLUMNS: readonly CsvColumn[] = INVENTORY_FIELDS.map((name) => ({
  name,
  of: ({ inventory }) => flat(inventory[name]),
}));

/** Nodes by state and, per resource, the figures over schedulable nodes. */
export const CAPACITY_COLUMNS: readonly CsvColumn[] = [
  { name: "nodes_schedulable", of: ({ capacity }) => capacity?.nodes.schedulable ?? null },
  ...EXCLUSION_REASONS.map((reason) => ({
    name: `nodes_excluded_${snakeCase(reason)}`,
    of: ({ capacity }: ClusterReport) => (capacity === null ? null : (capacity.nodes.excluded[reason] ?? 0)),
  })),
  { name: "nodes_reporting_usage", of: ({ capacity }) => capacity?.nodes.reportingUsage ?? null },
  ...RESOURCES.flatMap(({ name, key, unit }) => resourceColumns(name, key, unit)),
  { name: "extended_resources", of: ({ capacity }) => (capacity === null ? null : extended(capacity.resources)) },
];

/** Hourly cost; money as exact decimals, its currency in a column of its own. */
export const COST_COLUMNS: readonly CsvColumn[] = [
  { name: "cost_currency", of: ({ cost }) => cost?.currency ?? null },
  { name: "cost_hourly_total", of: ({ cost }) => cost?.hourly.total ?? null },
  { name: "cost_hourly_workloads", of: ({ cost }) => cost?.hourly.workloads ?? null },
  { name: "cost_hourly_idle", of: ({ cost }) => cost?.hourly.idle ?? null },
  { name: "cost_hourly_system", of: ({ cost }) => cost?.hourly.system ?? null },
  { name: "cost_basis", of: ({ cost }) => cost?.basis ?? null },
  { name: "cost_price_sources", of: ({ cost }) => (cost === null ? null : flat(cost.priceSources)) },
  { name: "cost_unpriced_nodes", of: ({ cost }) => cost?.unpricedNodes.length ?? null },
];

/** Findings by severity, what could not be read, and the age of the report. */
export const REPORT_COLUMNS: readonly CsvColumn[] = [
  ...SEVERITIES.toReversed().map((severity) => ({
    name: `findings_${severity}`,
    of: ({ findings }: ClusterReport) => findings.filter((finding) => finding.severity === severity).length,
  })),
  { name: "error_codes", of: (cluster, report) => flat(errorCodes(cluster, report)) },
  { name: "as_of", of: (_, report) => report.asOf },
];

function resourceColumns(name: string, key: string, unit: ResourceUnit): CsvColumn[] {
  const figure = (label: string, pick: (figures: ResourceFigures) => CsvValue): CsvColumn => ({
    name: `${name}_${label}`,
    of: ({ capacity }) => {
      const figures = capacity?.resources[key];
      return figures === undefined ? null : pick(figures);
    },
  });
  return [
    figure(`capacity_${unit}`, (of) => of.capacity),
    figure(`allocatable_${unit}`, (of) => of.allocatable),
    figure(`requested_${unit}`, (of) => of.requested),
    figure("requested_percent", (of) => percentOf(of.requested, of.requestedAllocatable)),
    figure(`limits_${unit}`, (of) => of.limits),
    figure("limits_partial", (of) => of.limitsPartial),
    figure(`used_${unit}`, (of) => of.used),
    figure(`used_allocatable_${unit}`, (of) => of.usedAllocatable),
    figure("used_percent", (of) => percentOf(of.used, of.usedAllocatable)),
    figure(`pending_${unit}`, (of) => of.pending),
  ];
}

/** GPUs and other extended resources, which differ from fleet to fleet: `name=requested/allocatable;…`. */
function extended(resources: Readonly<Record<string, ResourceFigures>>): string {
  return Object.entries(resources)
    .filter(([key]) => !RESOURCES.some((resource) => resource.key === key))
    .map(([key, figures]) => `${key}=${figures.requested ?? "?"}/${figures.allocatable}`)
    .join(";");
}

/** Codes of what could not be read of the cluster, each once. */
function errorCodes(cluster: ClusterReport, report: ScanReport): string[] {
  const errors = report.errors.filter((error) => error.cluster === cluster.inventory.cluster_name);
  return [...new Set(errors.map((error) => error.code))];
}

function flat(value: InventoryRecord[keyof InventoryRecord] | Readonly<Record<string, number>>): CsvValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (Array.isArray(value)) return value.join(";");
  return Object.entries(value)
    .map(([key, part]) => `${key}=${part}`)
    .join(";");
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
