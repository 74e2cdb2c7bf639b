import { create } from "@bufbuild/protobuf";
import {
  type Detected,
  type DynamicReport,
  DynamicReportSchema,
  Health,
  ReadState,
  type ResourceState,
  type Texts,
} from "../gen/plimsoll/v1/report_pb.ts";
import { CLUSTER_TYPES, type HealthStatus } from "../inventory-record.ts";
import { fromCapacity, toCapacity } from "./capacity-message.ts";
import type { DetectedBase, DynamicFacts, DynamicLayer, ReadStateName, ResourceReadState } from "./dynamic-facts.ts";
import { DEFAULT_WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { toMillis, toOptionalBigInt, toOptionalNumber, toTime } from "./message-values.ts";

const HEALTH_NUMBERS: Readonly<Record<HealthStatus, Health>> = {
  unknown: Health.UNKNOWN,
  healthy: Health.HEALTHY,
  degraded: Health.DEGRADED,
  unhealthy: Health.UNHEALTHY,
};

const STATE_NUMBERS: Readonly<Record<ReadStateName, ReadState>> = {
  unknown: ReadState.UNKNOWN,
  current: ReadState.CURRENT,
  stale: ReadState.STALE,
  unreadable: ReadState.UNREADABLE,
};

/** The health as the number that reports and heartbeats carry. */
export function toHealth(status: HealthStatus): Health {
  return HEALTH_NUMBERS[status];
}

/** The health of a number; one of a later release is `unknown`. */
export function fromHealth(health: Health): HealthStatus {
  return keyOf(HEALTH_NUMBERS, health) ?? "unknown";
}

/** Facts as the message that the control stream carries. */
export function toDynamicReport(facts: DynamicFacts): DynamicReport {
  return create(DynamicReportSchema, {
    observedAtMs: toMillis(facts.observedAtMs),
    ...layerFields(facts.layer),
    resourceStates: facts.resourceStates.map((state) => ({
      resource: state.resource,
      state: STATE_NUMBERS[state.state],
      observedAtMs: toMillis(state.observedAtMs ?? 0),
      errorCode: state.errorCode ?? "",
    })),
    detected: detectedFields(facts.detected),
    ...(facts.capacity && { capacity: toCapacity(facts.capacity) }),
  });
}

/** The facts of a message. Throws `message_invalid` for a count beyond 2^53 - 1 or a time outside the limits. */
export function fromDynamicReport(report: DynamicReport, limits: WireLimits = DEFAULT_WIRE_LIMITS): DynamicFacts {
  return {
    observedAtMs: toTime(report.observedAtMs, "dynamic_report.observed_at", limits),
    layer: readLayer(report),
    capacity: report.capacity ? fromCapacity(report.capacity) : null,
    resourceStates: report.resourceStates.map((state) => readState(state, limits)),
    detected: readDetected(report.detected),
  };
}

function layerFields(layer: DynamicLayer) {
  return {
    k8sVersion: layer.k8s_version ?? undefined,
    k8sVersions: [...layer.k8s_versions],
    kubeletVersion: layer.kubelet_version ?? undefined,
    kubeletVersions: { ...layer.kubelet_versions },
    nodeOsVersion: layer.node_os_version ?? undefined,
    nodeOsVersions: { ...layer.node_os_versions },
    containerRuntimeVersion: layer.container_runtime_version ?? undefined,
    containerRuntimeVersions: { ...layer.container_runtime_versions },
    kubeProxyVersion: layer.kube_proxy_version ?? undefined,
    corednsVersion: layer.coredns_version ?? undefined,
    cni: layer.cni ?? undefined,
    cniVersion: layer.cni_version ?? undefined,
    csiDrivers: toTexts(layer.csi_drivers),
    ingress: layer.ingress ?? undefined,
    ingressVersion: layer.ingress_version ?? undefined,
    agentVersion: layer.agent_version ?? undefined,
    nodeCount: toOptionalBigInt(layer.node_count),
    nodeCountReady: toOptionalBigInt(layer.node_count_ready),
    nodeCountNotReady: toOptionalBigInt(layer.node_count_not_ready),
    nodeCountCordoned: toOptionalBigInt(layer.node_count_cordoned),
    nodeCountVirtual: toOptionalBigInt(layer.node_count_virtual),
    nodeCountSpot: toOptionalBigInt(layer.node_count_spot),
    totalCpuCores: toOptionalBigInt(layer.total_cpu_cores),
    totalMemoryGb: toOptionalBigInt(layer.total_memory_gb),
    totalGpus: toOptionalBigInt(layer.total_gpus),
    totalPods: toOptionalBigInt(layer.total_pods),
    totalStorageGb: toOptionalBigInt(layer.total_storage_gb),
    healthStatus: toHealth(layer.health_status),
    healthReasons: [...layer.health_reasons],
  };
}

function readLayer(report: DynamicReport): DynamicLayer {
  return {
    k8s_version: report.k8sVersion ?? null,
    k8s_versions: report.k8sVersions,
    kubelet_version: report.kubeletVersion ?? null,
    kubelet_versions: report.kubeletVersions,
    node_os_version: report.nodeOsVersion ?? null,
    node_os_versions: report.nodeOsVersions,
    container_runtime_version: report.containerRuntimeVersion ?? null,
    container_runtime_versions: report.containerRuntimeVersions,
    kube_proxy_version: report.kubeProxyVersion ?? null,
    coredns_version: report.corednsVersion ?? null,
    cni: report.cni ?? null,
    cni_version: report.cniVersion ?? null,
    csi_drivers: fromTexts(report.csiDrivers),
    ingress: report.ingress ?? null,
    ingress_version: report.ingressVersion ?? null,
    agent_version: report.agentVersion ?? null,
    node_count: toOptionalNumber(report.nodeCount, "node_count"),
    node_count_ready: toOptionalNumber(report.nodeCountReady, "node_count_ready"),
    node_count_not_ready: toOptionalNumber(report.nodeCountNotReady, "node_count_not_ready"),
    node_count_cordoned: toOptionalNumber(report.nodeCountCordoned, "node_count_cordoned"),
    node_count_virtual: toOptionalNumber(report.nodeCountVirtual, "node_count_virtual"),
    node_count_spot: toOptionalNumber(report.nodeCountSpot, "node_count_spot"),
    total_cpu_cores: toOptionalNumber(report.totalCpuCores, "total_cpu_cores"),
    total_memory_gb: toOptionalNumber(report.totalMemoryGb, "total_memory_gb"),
    total_gpus: toOptionalNumber(report.totalGpus, "total_gpus"),
    total_pods: toOptionalNumber(report.totalPods, "total_pods"),
    total_storage_gb: toOptionalNumber(report.totalStorageGb, "total_storage_gb"),
    health_status: fromHealth(report.healthStatus),
    health_reasons: report.healthReasons,
  };
}

function readState(state: ResourceState, limits: WireLimits): ResourceReadState {
  const { resource, observedAtMs, errorCode } = state;
  return {
    resource,
    state: keyOf(STATE_NUMBERS, state.state) ?? "unknown",
    observedAtMs: observedAtMs === 0n ? null : toTime(observedAtMs, `resource_states of ${resource}`, limits),
    errorCode: errorCode === "" ? null : errorCode,
  };
}

function detectedFields(detected: DetectedBase) {
  return {
    clusterType: detected.cluster_type,
    provider: detected.provider ?? undefined,
    region: detected.region ?? undefined,
    zones: [...detected.zones],
    apiServerEndpoint: detected.api_server_endpoint ?? undefined,
    podCidr: toTexts(detected.pod_cidr),
    serviceCidr: toTexts(detected.service_cidr),
  };
}

function readDetected(detected: Detected | undefined): DetectedBase {
  return {
    cluster_type: CLUSTER_TYPES.find((type) => type === detected?.clusterType) ?? "Other",
    provider: detected?.provider ?? null,
    region: detected?.region ?? null,
    zones: detected?.zones ?? [],
    api_server_endpoint: detected?.apiServerEndpoint ?? null,
    pod_cidr: fromTexts(detected?.podCidr),
    service_cidr: fromTexts(detected?.serviceCidr),
  };
}

function toTexts(texts: readonly string[] | null): { items: string[] } | undefined {
  return texts === null ? undefined : { items: [...texts] };
}

function fromTexts(texts: Texts | undefined): readonly string[] | null {
  return texts?.items ?? null;
}

function keyOf<K extends string>(numbers: Readonly<Record<K, number>>, number: number): K | undefined {
  for (const key in numbers) if (numbers[key] === number) return key;
  return undefined;
}
