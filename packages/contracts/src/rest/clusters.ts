import { z } from "zod";
import { fleetAnswer, Instant, ListQuery, Money, WholeNumber } from "./common.ts";
import { Coverage } from "./coverage.ts";

/** How the hub hears of a cluster: its agent reports (push), or the hub reads its API (pull). */
export const ClusterMode = z.enum(["push", "pull"]);

/** online → late (2 beats missed) → offline (N missed; health becomes unknown); never-seen before the first. */
export const Connectivity = z.enum(["never-seen", "online", "late", "offline"]);

/** Requested and used share of one resource over the schedulable nodes. `null` = unknown. */
export const Watermark = z.object({
  resource: z.string(),
  unit: z.enum(["millicores", "bytes", "count"]),
  capacity: WholeNumber,
  allocatable: WholeNumber,
  requested: WholeNumber.nullable(),
  /** Allocatable of the nodes behind `requested`: what a requested share is of. */
  requestedAllocatable: WholeNumber.nullable().optional(),
  limits: WholeNumber.nullable(),
  limitsPartial: z.boolean(),
  used: WholeNumber.nullable(),
  /** Allocatable of the nodes that reported `used`: what a used share is of. */
  usedAllocatable: WholeNumber.nullable().optional(),
  pending: WholeNumber.nullable(),
});

/** Rate of the current hour. */
export const CostRate = z.object({
  currency: z.string(),
  total: Money,
  workloads: Money,
  idle: Money,
  system: Money,
  asOf: Instant,
  priceSource: z.string(),
  /** Of the facts that it is made of: the last hour and the present one, up to `asOf`. */
  coverage: Coverage,
});

/** The flat inventory record: field names of `InventoryRecord`, loosely typed here because it is a union of three layers. */
export const InventoryFields = z.record(z.string(), z.unknown());

/** Columns that clusters are sorted by; `-` in front for descending. What is unknown comes last. */
export const CLUSTER_SORTS = [
  "name",
  "type",
  "region",
  "provider",
  "environment",
  "version",
  "nodes",
  "cpu",
  "memory",
  "cost",
  "idle",
  "state",
  "health",
  "mode",
] as const;

/** `GET /api/v1/clusters` and `/api/v1/inventory`. Facets are values joined by commas: any of them. */
export const ClusterQuery = ListQuery.extend({
  type: z.string().optional(),
  connectivity: z.string().optional(),
  health: z.string().optional(),
  /** Minor versions: `1.33`. */
  version: z.string().optional(),
});

/** `GET /api/v1/nodes` and `/api/v1/namespaces`: of one cluster (id or name), or of all. */
export const PartQuery = ListQuery.extend({ cluster: z.string().optional() });

/** One cluster as the hub knows it. */
export const ClusterView = z.object({
  id: z.string(),
  name: z.string(),
  mode: ClusterMode,
  record: InventoryFields,
  connectivity: z.object({
    state: Connectivity,
    since: Instant,
    lastBeatAt: Instant.nullable(),
    beatSeconds: z.number(),
    lateAfterSeconds: z.number(),
    unknownAfterSeconds: z.number(),
  }),
  nodes: z
    .object({
      total: z.number(),
      schedulable: z.number(),
      reportingUsage: z.number(),
      excluded: z.record(z.string(), z.number()),
    })
    .nullable(),
  watermarks: z.array(Watermark).nullable(),
  /** When the capacity figures were observed at the cluster, and received by the hub. */
  observedAt: Instant.nullable(),
  receivedAt: Instant.nullable(),
  cost: CostRate.nullable(),
  simulated: z.boolean(),
});
export type ClusterView = z.infer<typeof ClusterView>;

/** Where one field of a record comes from, and how old it is. */
export const FieldOrigin = z.object({
  /**
   * registry: set when the cluster was registered. agent: its agent says it. pull: the hub read it from the cluster itself.
   * hub: the hub's own knowledge.
   */
  source: z.enum(["registry", "agent", "pull", "hub"]),
  /** Kubernetes resources (or `version`) that it is made of; empty = the source says it by itself. */
  resources: z.array(z.string()),
  /** How well these are being read, the worst of them: `stale` = the value is of `observedAt`, `unreadable` = never read. */
  state: z.enum(["unknown", "current", "stale", "unreadable"]),
  /** When it was so at its source, of several resources the oldest; null = never. */
  observedAt: Instant.nullable(),
  receivedAt: Instant.nullable(),
});
export type FieldOrigin = z.infer<typeof FieldOrigin>;

/** A change of connectivity or health. */
export const Transition = z.object({
  at: Instant,
  type: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  reason: z.string(),
});

/** What became of a cluster since an instant: the last seven days, or since it was registered. */
export const ClusterHistory = z.object({
  since: Instant,
  /** Share of the time since it was first heard of in which it was not offline, 0–1; null = never heard of. */
  uptime: z.number().min(0).max(1).nullable(),
  /** How often it went offline. */
  outages: z.number().int(),
  /** The newest first; at most 100. */
  transitions: z.array(Transition),
});
export type ClusterHistory = z.infer<typeof ClusterHistory>;

/** `GET /api/v1/clusters/{cluster}`: the view, with the origin of every field of the record, and what became of it. */
export const ClusterDetail = ClusterView.extend({
  fields: z.record(z.string(), FieldOrigin),
  history: ClusterHistory,
});
export type ClusterDetail = z.infer<typeof ClusterDetail>;

export const ClusterList = fleetAnswer(ClusterView);
export type ClusterList = z.infer<typeof ClusterList>;

/** Flat inventory records, for CMDBs, spreadsheets and BI. */
export const InventoryList = fleetAnswer(InventoryFields);

/** Figures of the whole fleet, pre-computed: counts per state, never one worst colour. */
export const Overview = z.object({
  asOf: Instant,
  simulated: z.boolean(),
  clusters: z.object({
    total: z.number(),
    byConnectivity: z.record(z.string(), z.number()),
    byHealth: z.record(z.string(), z.number()),
    byType: z.record(z.string(), z.number()),
  }),
  nodes: z.object({ total: z.number(), schedulable: z.number() }),
  versions: z.array(z.object({ minor: z.string(), clusters: z.number() })),
  watermarks: z.array(Watermark),
  /** Clusters whose figures are in the sums, of those registered. */
  reporting: z.object({ clusters: z.number(), of: z.number() }),
  cost: z.array(CostRate.extend({ clusters: z.number() })),
  topByRequestedCpu: z.array(z.object({ id: z.string(), name: z.string(), percent: z.number() })),
});
export type Overview = z.infer<typeof Overview>;

/** One node as last sampled. */
export const NodeView = z.object({
  cluster: z.string(),
  clusterId: z.string(),
  name: z.string(),
  pool: z.string().nullable(),
  zone: z.string().nullable(),
  instanceType: z.string().nullable(),
  cpuAllocatable: WholeNumber.nullable(),
  cpuRequested: WholeNumber.nullable(),
  cpuUsed: WholeNumber.nullable(),
  memoryAllocatable: WholeNumber.nullable(),
  memoryRequested: WholeNumber.nullable(),
  memoryUsed: WholeNumber.nullable(),
  observedAt: Instant,
});
export type NodeView = z.infer<typeof NodeView>;
export const NodeList = fleetAnswer(NodeView);

/** One namespace of one cluster, over the last full window: average requests and usage, and its cost an hour. */
export const NamespaceView = z.object({
  cluster: z.string(),
  clusterId: z.string(),
  namespace: z.string(),
  cpuRequested: WholeNumber,
  cpuUsed: WholeNumber.nullable(),
  memoryRequested: WholeNumber,
  memoryUsed: WholeNumber.nullable(),
  hourly: Money,
  currency: z.string(),
  /** Of its cluster's facts, as of `CostRate`. */
  coverage: Coverage,
  observedAt: Instant,
});
export type NamespaceView = z.infer<typeof NamespaceView>;
export const NamespaceList = fleetAnswer(NamespaceView);
