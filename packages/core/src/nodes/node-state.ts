import type { ExclusionReason, KubeNode } from "@plimsoll/contracts";

/** Choices about which nodes count. */
export interface NodeOptions {
  /** Leave control-plane-tainted nodes out of whole-cluster figures. Default false. */
  readonly excludeControlPlane?: boolean;
}

/** Why the node is out of whole-cluster figures: the first reason that applies, null when it counts. */
export function exclusionReason(node: KubeNode, options: NodeOptions = {}): ExclusionReason | null {
  if (isVirtualNode(node)) return "Virtual";
  if (node.metadata.deletionTimestamp !== undefined) return "Deleting";
  if (!isReadyNode(node)) return "NotReady";
  if (isCordonedNode(node)) return "Cordoned";
  if (options.excludeControlPlane === true && isControlPlaneNode(node)) return "ControlPlane";
  return null;
}

/** Taints that the virtual nodes of the providers carry. */
const VIRTUAL_TAINTS: ReadonlySet<string> = new Set([
  "virtual-kubelet.io/provider",
  "eks.amazonaws.com/compute-type",
  "eks.tke.cloud.tencent.com/eklet",
]);

/**
 * Is the node no machine but a door to a provider's pods: virtual-kubelet (label or taint), Fargate, a TKE super node? The
 * capacity that it shows is nobody's.
 */
export function isVirtualNode(node: KubeNode): boolean {
  const labels = node.metadata.labels ?? {};
  return (
    labels.type === "virtual-kubelet" ||
    labels["eks.amazonaws.com/compute-type"] === "fargate" ||
    labels["node.kubernetes.io/instance-type"] === "eklet" ||
    hasTaint(node, VIRTUAL_TAINTS)
  );
}

/** Is the condition Ready True? Unknown and absent are not ready. */
export function isReadyNode(node: KubeNode): boolean {
  return node.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") ?? false;
}

/** Is the node closed to new pods (`kubectl cordon`)? */
export function isCordonedNode(node: KubeNode): boolean {
  return node.spec.unschedulable === true;
}

const CONTROL_PLANE_TAINTS: ReadonlySet<string> = new Set([
  "node-role.kubernetes.io/control-plane",
  "node-role.kubernetes.io/master",
]);

/** Does the node's taint keep workloads off the control plane? A control-plane node without the taint is a worker too. */
export function isControlPlaneNode(node: KubeNode): boolean {
  return hasTaint(node, CONTROL_PLANE_TAINTS);
}

function hasTaint(node: KubeNode, keys: ReadonlySet<string>): boolean {
  return node.spec.taints?.some((taint) => keys.has(taint.key)) ?? false;
}
