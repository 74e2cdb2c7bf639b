import type { CloudProfile } from "../fleet/cloud-profile.ts";
import type { NodeRecord } from "../records/records.ts";
import { timestamp } from "../time/seconds.ts";
import type { KubeJson } from "./kube-json.ts";
import { presentMetadata } from "./present-metadata.ts";

const CORDON_TAINT = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
const AWAY_TAINTS = [
  { key: "node.kubernetes.io/unreachable", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unreachable", effect: "NoExecute" },
];

/** A node as the API shows it. */
export function presentNode(node: NodeRecord, revision: number, cloud: CloudProfile): KubeJson {
  const taints = [
    ...node.pool.taints.map(({ key, value, effect }) => ({ key, ...(value === "" ? {} : { value }), effect })),
    ...(node.unschedulable ? [CORDON_TAINT] : []),
    ...(node.ready ? [] : AWAY_TAINTS),
  ];
  return {
    metadata: presentMetadata(node, revision, { labels: node.labels, annotations: annotationsOf(cloud) }),
    spec: {
      podCIDR: node.podCidr,
      podCIDRs: [node.podCidr],
      providerID: node.providerId === "" ? undefined : node.providerId,
      unschedulable: node.unschedulable || undefined,
      taints: taints.length === 0 ? undefined : taints,
    },
    status: {
      capacity: node.pool.capacity,
      allocatable: node.pool.allocatable,
      conditions: conditionsOf(node),
      addresses: [
        { type: "InternalIP", address: node.address },
        { type: "Hostname", address: node.name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: nodeInfoOf(node, cloud),
      images: [{ names: ["registry.example.com/apps/anything:1.0.0"], sizeBytes: 187_000_000 }],
    },
  };
}

function annotationsOf(cloud: CloudProfile): Readonly<Record<string, string>> {
  return {
    "csi.volume.kubernetes.io/nodeid": JSON.stringify({ [cloud.storage.driver]: "node" }),
    "node.alpha.kubernetes.io/ttl": "0",
    "volumes.kubernetes.io/controller-managed-attach-detach": "true",
  };
}

/** A node that is away says nothing: its conditions are Unknown, written by the controller. */
function conditionsOf(node: NodeRecord): readonly KubeJson[] {
  const lastHeartbeatTime = timestamp(node.heartbeatAt);
  const lastTransitionTime = timestamp(node.readySince);
  const away = {
    status: "Unknown",
    reason: "NodeStatusUnknown",
    message: "Kubelet stopped posting node status.",
    lastHeartbeatTime,
    lastTransitionTime,
  };
  const joining = node.readySince === node.createdAt && !node.ready;
  const pressures = [
    ["MemoryPressure", "KubeletHasSufficientMemory"],
    ["DiskPressure", "KubeletHasNoDiskPressure"],
    ["PIDPressure", "KubeletHasSufficientPID"],
  ].map(([type, reason]) => {
    if (!node.ready && !joining) return { type, ...away };
    return { type, status: "False", reason, lastHeartbeatTime, lastTransitionTime: timestamp(node.createdAt) };
  });
  if (node.ready)
    return [
      ...pressures,
      { type: "Ready", status: "True", reason: "KubeletReady", lastHeartbeatTime, lastTransitionTime },
    ];
  if (!joining) return [...pressures, { type: "Ready", ...away }];
  const message = "container runtime network not ready";
  return [
    ...pressures,
    { type: "Ready", status: "False", reason: "KubeletNotReady", message, lastHeartbeatTime, lastTransitionTime },
  ];
}

function nodeInfoOf(node: NodeRecord, cloud: CloudProfile): KubeJson {
  return {
    machineID: node.uid.replaceAll("-", ""),
    systemUUID: node.uid,
    bootID: node.uid,
    kernelVersion: cloud.kernel,
    osImage: cloud.osImage,
    containerRuntimeVersion: cloud.runtime,
    kubeletVersion: node.kubeletVersion,
    kubeProxyVersion: node.kubeletVersion,
    operatingSystem: "linux",
    architecture: "amd64",
  };
}
