import type { KubeNode } from "@plimsoll/contracts";
import type { ProviderId } from "./parse-provider-id.ts";

type Labels = Readonly<Record<string, string>>;

/** Where a node stands and what it was bought as. `null` = the node does not say. */
export interface NodePlacement {
  /** The provider's name of the pool, else the instance type. */
  readonly pool: string | null;
  readonly instanceType: string | null;
  readonly region: string | null;
  readonly zone: string | null;
}

/** Labels that name a node's pool, the provider's own before those of autoscalers. */
const POOL_LABELS = [
  "eks.amazonaws.com/nodegroup",
  "karpenter.sh/nodepool",
  "karpenter.sh/provisioner-name",
  "alpha.eksctl.io/nodegroup-name",
  "cloud.google.com/gke-nodepool",
  "kubernetes.azure.com/agentpool",
  "agentpool",
  "alibabacloud.com/nodepool-id",
  "node.alibabacloud.com/nodepool-id",
  "tke.cloud.tencent.com/nodepool-id",
  "node.tke.cloud.tencent.com/machineset",
  "cce.cloud.com/cce-nodepool",
  "oke.oraclecloud.com/pool.name",
  "doks.digitalocean.com/node-pool",
  "kops.k8s.io/instancegroup",
];

const INSTANCE_TYPE_LABELS = ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"];
const REGION_LABELS = ["topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"];
const ZONE_LABELS = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];

/** Placement from the node's labels; region and zone from its provider id where labels are silent. */
export function nodePlacement(node: KubeNode, providerId: ProviderId): NodePlacement {
  const labels = node.metadata.labels ?? {};
  const instanceType = firstLabel(labels, INSTANCE_TYPE_LABELS);
  return {
    pool: firstLabel(labels, POOL_LABELS) ?? instanceType,
    instanceType,
    region: firstLabel(labels, REGION_LABELS) ?? providerId.region,
    zone: firstLabel(labels, ZONE_LABELS) ?? providerId.zone,
  };
}

/** Labels that mark capacity which the provider may take back, with the values (lower case) that mean yes. */
const SPOT_LABELS: Readonly<Record<string, ReadonlySet<string>>> = {
  "karpenter.sh/capacity-type": new Set(["spot"]),
  "eks.amazonaws.com/capacityType": new Set(["spot"]),
  "node.kubernetes.io/lifecycle": new Set(["spot", "ec2spot", "preemptible"]),
  "cloud.google.com/gke-spot": new Set(["true"]),
  "cloud.google.com/gke-preemptible": new Set(["true"]),
  "cloud.google.com/gke-provisioning": new Set(["spot", "preemptible"]),
  "kubernetes.azure.com/scalesetpriority": new Set(["spot"]),
  "node.alibabacloud.com/spot-strategy": new Set(["spotwithpricelimit", "spotaspricego"]),
  "oci.oraclecloud.com/oke-is-preemptible": new Set(["true"]),
};

/** Is the node spot or preemptible capacity, by any provider's or autoscaler's label? */
export function isSpotNode(node: KubeNode): boolean {
  const labels = node.metadata.labels ?? {};
  return Object.entries(SPOT_LABELS).some(([key, values]) => values.has((labels[key] ?? "").toLowerCase()));
}

function firstLabel(labels: Labels, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = labels[key];
    if (value !== undefined && value !== "") return value;
  }
  return null;
}
