import type { ClusterType, Environment } from "@plimsoll/contracts";

/** A kind of cluster as it is found: where it stands and what its versions look like. */
export interface Kind {
  readonly type: ClusterType;
  readonly provider: string | null;
  readonly regions: readonly (string | null)[];
  readonly versions: readonly string[];
  readonly instanceType: string | null;
  readonly os: string;
}

/** Kinds of the invented fleet, in turn. */
export const KINDS: readonly Kind[] = [
  {
    type: "EKS",
    provider: "aws",
    regions: ["eu-west-1", "us-east-1", "ap-southeast-1"],
    versions: ["v1.33.4-eks-e386d34", "v1.32.9-eks-113cf36", "v1.31.13-eks-113cf36"],
    instanceType: "m7i.2xlarge",
    os: "Amazon Linux 2023.8.20250915",
  },
  {
    type: "ACK",
    provider: "alibaba",
    regions: ["cn-hangzhou", "cn-shanghai"],
    versions: ["v1.32.7-aliyun.1", "v1.31.9-aliyun.1"],
    instanceType: "ecs.g8i.2xlarge",
    os: "Alibaba Cloud Linux 3.2104 U12",
  },
  {
    type: "GKE",
    provider: "gcp",
    regions: ["europe-west4", "us-central1"],
    versions: ["v1.34.1-gke.1431000", "v1.33.5-gke.1080000"],
    instanceType: "n4-standard-8",
    os: "Container-Optimized OS from Google",
  },
  {
    type: "TKE",
    provider: "tencent",
    regions: ["ap-guangzhou", "ap-beijing"],
    versions: ["v1.30.0-tke.13", "v1.32.2-tke.6"],
    instanceType: "SA5.2XLARGE16",
    os: "TencentOS Server 4.4",
  },
  {
    type: "AKS",
    provider: "azure",
    regions: ["westeurope", "eastus2"],
    versions: ["v1.33.3", "v1.32.6"],
    instanceType: "Standard_D8s_v6",
    os: "Ubuntu 24.04.3 LTS",
  },
  {
    type: "SelfBuilt",
    provider: null,
    regions: [null, "dc-frankfurt"],
    versions: ["v1.34.1", "v1.29.15"],
    instanceType: null,
    os: "Debian GNU/Linux 12 (bookworm)",
  },
  {
    type: "K3s",
    provider: null,
    regions: ["edge-hamburg"],
    versions: ["v1.33.5+k3s1"],
    instanceType: null,
    os: "openSUSE Leap Micro 6.1",
  },
];

/** What clusters are for; with the environment it makes the name. */
export const PURPOSES = ["shop", "search", "payments", "data", "ml", "platform", "edge", "lab", "media", "crm"];
export const ENVIRONMENTS: readonly Environment[] = ["production", "production", "staging", "testing", "development"];
