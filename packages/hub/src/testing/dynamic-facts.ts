import type { CapacityReport } from "@plimsoll/contracts";
import type { DynamicFacts, DynamicLayer } from "@plimsoll/contracts/wire";

/** What an agent reports of a small cluster at a moment; for tests. */
export function dynamicFacts(
  observedAtMs: number,
  layer: Partial<DynamicLayer> = {},
  change: Partial<DynamicFacts> = {},
): DynamicFacts {
  return {
    observedAtMs,
    layer: {
      k8s_version: "v1.33.4",
      k8s_versions: ["v1.33.4"],
      kubelet_version: "v1.33.4",
      kubelet_versions: { "v1.33.4": 3 },
      node_os_version: "Debian GNU/Linux 12",
      node_os_versions: { "Debian GNU/Linux 12": 3 },
      container_runtime_version: "containerd://2.1.4",
      container_runtime_versions: { "containerd://2.1.4": 3 },
      kube_proxy_version: "v1.33.4",
      coredns_version: "v1.12.0",
      cni: "cilium",
      cni_version: "v1.18.1",
      csi_drivers: ["ebs.csi.aws.com"],
      ingress: null,
      ingress_version: null,
      agent_version: "0.1.0",
      node_count: 3,
      node_count_ready: 3,
      node_count_not_ready: 0,
      node_count_cordoned: 0,
      node_count_virtual: 0,
      node_count_spot: 1,
      total_cpu_cores: 12,
      total_memory_gb: 48,
      total_gpus: 0,
      total_pods: 330,
      total_storage_gb: 300,
      health_status: "healthy",
      health_reasons: [],
      ...layer,
    },
    capacity: capacityReport(),
    resourceStates: [
      { resource: "nodes", state: "current", observedAtMs, errorCode: null },
      { resource: "pods", state: "current", observedAtMs, errorCode: null },
    ],
    detected: {
      cluster_type: "EKS",
      provider: "aws",
      region: "eu-central-1",
      zones: ["eu-central-1a"],
      api_server_endpoint: "https://10.0.0.1:6443",
      pod_cidr: ["10.1.0.0/16"],
      service_cidr: null,
    },
    ...change,
  };
}

/** Figures of three nodes, one of them without usage: 9 of 12 cores requested, and a memory beyond a double's exactness. */
export function capacityReport(requestedCpu = 9_000n): CapacityReport {
  const figures = { limits: null, limitsPartial: true, pending: 0n } as const;
  return {
    nodes: { total: 3, schedulable: 3, excluded: {}, excludedFigures: [], reportingUsage: 2 },
    resources: {
      cpu: {
        unit: "millicores",
        capacity: 12_000n,
        allocatable: 12_000n,
        requested: requestedCpu,
        requestedAllocatable: 12_000n,
        used: 2_000n,
        usedAllocatable: 8_000n,
        ...figures,
      },
      memory: {
        unit: "bytes",
        capacity: 9_007_199_254_740_993n,
        allocatable: 9_007_199_254_740_993n,
        requested: 1n,
        requestedAllocatable: 9_007_199_254_740_993n,
        used: null,
        usedAllocatable: null,
        ...figures,
      },
    },
  };
}
