import { createHash } from "node:crypto";
import type { StringMap } from "./object-types.ts";

/** Where a node runs and what kind of machine it is. */
export interface NodePlace {
  readonly name: string;
  /** Default "none": no providerID, no zone. */
  readonly provider?: "aws" | "gcp" | "azure" | "alibaba" | "tencent" | "none";
  readonly region?: string;
  readonly zone?: string;
  readonly instanceType?: string;
  /** Node pool or group. */
  readonly pool?: string;
  readonly spot?: boolean;
}

/** Labels and providerID as the cloud's own node controller and kubelets write them. */
export function placeOf(place: NodePlace): { readonly labels: StringMap; readonly providerID?: string } {
  const topology: Record<string, string> = {};
  if (place.region !== undefined) topology["topology.kubernetes.io/region"] = place.region;
  if (place.zone !== undefined) topology["topology.kubernetes.io/zone"] = place.zone;
  if (place.instanceType !== undefined) topology["node.kubernetes.io/instance-type"] = place.instanceType;
  const provider = place.provider ?? "none";
  if (provider === "none") return { labels: topology };
  const { labels, providerID } = PROVIDERS[provider](place);
  return { labels: { ...topology, ...labels }, providerID };
}

type ProviderRule = (place: NodePlace) => { readonly labels: StringMap; readonly providerID: string };

const PROVIDERS: Readonly<Record<Exclude<NodePlace["provider"], "none" | undefined>, ProviderRule>> = {
  aws: ({ name, zone = "us-east-1a", pool = "default", spot }) => ({
    labels: { "eks.amazonaws.com/nodegroup": pool, "eks.amazonaws.com/capacityType": spot ? "SPOT" : "ON_DEMAND" },
    providerID: `aws:///${zone}/i-${digest(name, 17)}`,
  }),
  gcp: ({ name, zone = "us-central1-a", pool = "default-pool", spot }) => ({
    labels: {
      "cloud.google.com/gke-nodepool": pool,
      "cloud.google.com/gke-os-distribution": "cos",
      "cloud.google.com/gke-provisioning": spot ? "spot" : "standard",
      ...(spot ? { "cloud.google.com/gke-spot": "true" } : {}),
    },
    providerID: `gce://testbed-project/${zone}/${name}`,
  }),
  azure: ({ name, pool = "nodepool1", spot }) => ({
    labels: {
      agentpool: pool,
      "kubernetes.azure.com/agentpool": pool,
      "kubernetes.azure.com/cluster": "MC_testbed_testbed_westeurope",
      ...(spot ? { "kubernetes.azure.com/scalesetpriority": "spot" } : {}),
    },
    providerID:
      "azure:///subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/mc_testbed/providers/" +
      `Microsoft.Compute/virtualMachineScaleSets/aks-${pool}-vmss/virtualMachines/${Number.parseInt(digest(name, 4), 16)}`,
  }),
  alibaba: ({ name, region = "cn-hangzhou", pool = "default", spot }) => ({
    labels: {
      "alibabacloud.com/nodepool-id": `np${digest(pool, 12)}`,
      "ack.aliyun.com": `c${digest("testbed", 12)}`,
      ...(spot ? { "node.alibabacloud.com/instance-charge-type": "SpotInstances" } : {}),
    },
    providerID: `${region}.i-${digest(name, 20)}`,
  }),
  tencent: ({ name, pool = "default" }) => ({
    labels: {
      "cloud.tencent.com/node-instance-id": `ins-${digest(name, 8)}`,
      "tke.cloud.tencent.com/nodepool-id": `np-${digest(pool, 8)}`,
    },
    providerID: `qcloud:///100003/ins-${digest(name, 8)}`,
  }),
};

/** `length` hex digits that are always the same for the same text. */
function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
