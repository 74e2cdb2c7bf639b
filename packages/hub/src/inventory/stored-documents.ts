import { type CapacityReport, CLUSTER_TYPES, EXCLUSION_REASONS, PlimsollError } from "@plimsoll/contracts";
import type { DetectedBase, DynamicLayer, ResourceReadState } from "@plimsoll/contracts/wire";
import { z } from "zod";

const Text = z.string().nullable();
const Texts = z.array(z.string());
const Count = z.number().nullable();
const Counts = z.record(z.string(), z.number());

const Layer = z.object({
  k8s_version: Text,
  k8s_versions: Texts,
  kubelet_version: Text,
  kubelet_versions: Counts,
  node_os_version: Text,
  node_os_versions: Counts,
  container_runtime_version: Text,
  container_runtime_versions: Counts,
  kube_proxy_version: Text,
  coredns_version: Text,
  cni: Text,
  cni_version: Text,
  csi_drivers: Texts.nullable(),
  ingress: Text,
  ingress_version: Text,
  agent_version: Text,
  node_count: Count,
  node_count_ready: Count,
  node_count_not_ready: Count,
  node_count_cordoned: Count,
  node_count_virtual: Count,
  node_count_spot: Count,
  total_cpu_cores: Count,
  total_memory_gb: Count,
  total_gpus: Count,
  total_pods: Count,
  total_storage_gb: Count,
  health_status: z.enum(["healthy", "degraded", "unhealthy", "unknown"]),
  health_reasons: Texts,
}) satisfies z.ZodType<DynamicLayer>;

const Detected = z.object({
  cluster_type: z.enum(CLUSTER_TYPES),
  provider: Text,
  region: Text,
  zones: Texts,
  api_server_endpoint: Text,
  pod_cidr: Texts.nullable(),
  service_cidr: Texts.nullable(),
}) satisfies z.ZodType<DetectedBase>;

const ReadStates = z.array(
  z.object({
    resource: z.string(),
    state: z.enum(["unknown", "current", "stale", "unreadable"]),
    observedAtMs: Count,
    errorCode: Text,
  }),
) satisfies z.ZodType<readonly ResourceReadState[]>;

/** Whole numbers of any size stand as digits in JSON. */
const Whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform((digits) => BigInt(digits));
const Wholes = z.record(z.string(), Whole);
const Reason = z.enum(EXCLUSION_REASONS);

const Capacity = z.object({
  nodes: z.object({
    total: z.number(),
    schedulable: z.number(),
    excluded: z.partialRecord(Reason, z.number()),
    excludedFigures: z.array(
      z.object({
        reason: Reason,
        nodes: z.number(),
        capacity: Wholes,
        allocatable: Wholes,
        requested: Wholes.nullable(),
      }),
    ),
    reportingUsage: z.number(),
  }),
  resources: z.record(
    z.string(),
    z.object({
      unit: z.enum(["millicores", "bytes", "count"]),
      capacity: Whole,
      allocatable: Whole,
      requested: Whole.nullable(),
      requestedAllocatable: Whole.nullable(),
      limits: Whole.nullable(),
      limitsPartial: z.boolean(),
      used: Whole.nullable(),
      usedAllocatable: Whole.nullable(),
      pending: Whole.nullable(),
    }),
  ),
}) satisfies z.ZodType<CapacityReport>;

const Labels = z.record(z.string(), z.string());
const Base = Detected.partial();

/** Base fields that a person, a registration or a provisioner has set: they win over what an agent sees. */
export type BaseLayer = z.infer<typeof Base>;

/** The JSON columns of a cluster's row and their readers. Readers throw `store_unavailable` for a damaged text. */
export const STORED = {
  labels: (text: string): Readonly<Record<string, string>> => read("labels", Labels, text),
  base: (text: string): BaseLayer => read("base", Base, text),
  layer: (text: string): DynamicLayer => read("dynamic", Layer, text),
  detected: (text: string): DetectedBase => read("detected", Detected, text),
  capacity: (text: string): CapacityReport => read("capacity", Capacity, text),
  readStates: (text: string): readonly ResourceReadState[] => read("resource_states", ReadStates, text),
};

/** A document as the text of its column; whole numbers beyond a double's as digits. Equal documents give equal texts. */
export function toStoredText(document: unknown): string {
  return JSON.stringify(document, (_, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    return isPlainObject(value) ? Object.fromEntries(Object.entries(value).sort(byKey)) : value;
  });
}

function read<S extends z.ZodType>(column: string, schema: S, text: string): z.output<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new PlimsollError("store_unavailable", { store: `clusters.${column}`, reason: "it is damaged" }, { cause });
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
