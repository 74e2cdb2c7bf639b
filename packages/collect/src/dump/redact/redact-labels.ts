import type { Pseudonyms } from "./pseudonyms.ts";
import { redactAddress } from "./redact-address.ts";

/** Labels whose values rules read and that name nothing: kind of machine, place, pricing, hardware. */
const KEPT_VALUES =
  /^((beta\.)?kubernetes\.io\/(arch|os)|(node|beta)\.kubernetes\.io\/(instance-type|lifecycle)|(topology|failure-domain\.beta)\.kubernetes\.io\/(region|zone)|node-role\.kubernetes\.io\/.+|node\.openshift\.io\/os_id|karpenter\.sh\/capacity-type|eks\.amazonaws\.com\/(capacityType|compute-type)|cloud\.google\.com\/gke-(spot|preemptible|provisioning|accelerator)|kubernetes\.azure\.com\/scalesetpriority|node\.alibabacloud\.com\/spot-strategy|oci\.oraclecloud\.com\/oke-is-preemptible|(nvidia|amd)\.com\/.+)$/;

/** Values that name nothing under any key; the agreed environments decide a figure of the inventory. */
const KEPT_ANYWHERE =
  /^(|true|false|virtual-kubelet|prod|production|stage|staging|pre|test|testing|dev|development|other)$/i;

/** Domains of label keys that are the same everywhere; any other prefix may name the company. */
const PUBLIC_DOMAINS =
  /(^|\.)(kubernetes\.io|k8s\.io|openshift\.io|amazonaws\.com|eksctl\.io|google\.com|azure\.com|alibabacloud\.com|aliyun\.com|tencent\.com|cce\.cloud\.com|cce\.io|karpenter\.sh|oraclecloud\.com|digitalocean\.com|linode\.com|vmware\.com|nvidia\.com|amd\.com|intel\.com|cattle\.io|k3s\.io|rke2\.io|helm\.sh|argoproj\.io|istio\.io|virtual-kubelet\.io|plimsoll\.dev)$/;

type Texts = Readonly<Record<string, string>>;

/** Replaces label values, except those that rules read and that name nothing; keys below a private domain too. */
export function redactLabels(labels: Texts, pseudonyms: Pseudonyms): Texts {
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [redactKey(key, pseudonyms), redactValue(key, value, pseudonyms)]),
  );
}

/** A label or taint key: kept when it has no prefix or a public one. */
export function redactKey(key: string, pseudonyms: Pseudonyms): string {
  const slash = key.indexOf("/");
  return slash < 0 || PUBLIC_DOMAINS.test(key.slice(0, slash)) ? key : pseudonyms.name("label", key);
}

/** Of the annotations that a projection keeps, those that name nothing. */
export function redactAnnotations(annotations: Texts, pseudonyms: Pseudonyms): Texts {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(annotations)) {
    if (key === "CapacityProvisioned" || key === "flannel.alpha.coreos.com/backend-type") kept[key] = value;
    else if (key === "projectcalico.org/IPv4Address") kept[key] = redactAddress(value, pseudonyms);
    else if (key === "kubernetes.io/config.mirror") kept[key] = pseudonyms.name("mirror", value);
  }
  return kept;
}

function redactValue(key: string, value: string, pseudonyms: Pseudonyms): string {
  if (KEPT_VALUES.test(key) || KEPT_ANYWHERE.test(value)) return value;
  if (key === "kubernetes.io/hostname") return pseudonyms.name("node", value);
  if (key === "kubernetes.io/metadata.name") return pseudonyms.name("ns", value);
  return pseudonyms.name("value", value);
}
