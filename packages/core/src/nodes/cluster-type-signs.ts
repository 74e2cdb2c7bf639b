import type { ClusterType, KubeNode } from "@plimsoll/contracts";
import { parseVersion } from "../versions/parse-version.ts";

/** Distributions by the vendor that a version's suffix names: `v1.29.3-gke.1282000`, `v1.28.2+k3s1`, `v1.27.3-r0-27.0.10`. */
const VENDOR_SIGNS: Readonly<Record<string, ClusterType>> = {
  eks: "EKS",
  gke: "GKE",
  aks: "AKS",
  aliyun: "ACK",
  "aliyun-edge": "ACK",
  aliyunedge: "ACK",
  tke: "TKE",
  cce: "CCE",
  rke2: "RKE2",
  k3s: "K3s",
  rancher: "Other",
  vmware: "Other",
};

/** Starts of label keys that only nodes of one distribution carry. */
const LABEL_SIGNS: readonly (readonly [string, ClusterType])[] = [
  ["node.openshift.io/", "OpenShift"],
  ["eks.amazonaws.com/", "EKS"],
  ["alpha.eksctl.io/", "EKS"],
  ["cloud.google.com/gke-", "GKE"],
  ["kubernetes.azure.com/", "AKS"],
  ["alibabacloud.com/nodepool-id", "ACK"],
  ["node.alibabacloud.com/", "ACK"],
  ["ack.aliyun.com", "ACK"],
  ["tke.cloud.tencent.com/", "TKE"],
  ["node.tke.cloud.tencent.com/", "TKE"],
  ["cloud.tencent.com/node-instance-id", "TKE"],
  ["cce.cloud.com/", "CCE"],
  ["node.cce.io/", "CCE"],
  ["oke.oraclecloud.com/", "Other"],
  ["doks.digitalocean.com/", "Other"],
  ["lke.linode.com/", "Other"],
  ["ibm-cloud.kubernetes.io/", "Other"],
  ["run.tanzu.vmware.com/", "Other"],
];

/** Distributions that name themselves as the instance type of a node without a cloud. */
const INSTANCE_TYPE_SIGNS: Readonly<Record<string, ClusterType>> = { k3s: "K3s", rke2: "RKE2" };

/** The distribution that a version's suffix names, null when it names none (upstream builds, kind, AKS, OpenShift). */
export function typeOfVersion(version: string | undefined): ClusterType | null {
  const suffix = parseVersion(version ?? "")?.suffix;
  if (suffix === undefined) return null;
  // EKS has had forms of its suffix that no order is known for.
  if (suffix.kind === "unknown") return suffix.text.startsWith("-eks-") ? "EKS" : null;
  return "vendor" in suffix ? (VENDOR_SIGNS[suffix.vendor] ?? null) : null;
}

/**
 * The distribution that one node shows, null when it shows none. OpenShift first and a version before labels: both are
 * installed on clouds whose labels the nodes carry too.
 */
export function typeOfNode(node: KubeNode): ClusterType | null {
  const labels = node.metadata.labels ?? {};
  const info = node.status?.nodeInfo;
  if ("node.openshift.io/os_id" in labels || /Red Hat.*CoreOS|OpenShift/.test(info?.osImage ?? "")) return "OpenShift";
  return (
    typeOfVersion(info?.kubeletVersion) ??
    INSTANCE_TYPE_SIGNS[labels["node.kubernetes.io/instance-type"] ?? ""] ??
    (node.spec.providerID?.startsWith("k3s://") ? "K3s" : null) ??
    typeOfLabels(Object.keys(labels))
  );
}

function typeOfLabels(keys: readonly string[]): ClusterType | null {
  return LABEL_SIGNS.find(([start]) => keys.some((key) => key.startsWith(start)))?.[1] ?? null;
}
