import type { Severity } from "@plimsoll/contracts";

/** One row of the finding table: what a code means wherever it appears. */
export interface FindingEntry {
  readonly severity: Severity;
  /** What is wrong with one object; `{name}` are filled from the finding's fields. */
  readonly message: string;
  /** The same of many objects at once: `{count}` of them, `{names}` the first few. */
  readonly many?: string;
  /** What to do next; a command where one exists. */
  readonly remedy: string;
}

/** The one table of finding codes. A code never changes its meaning; a new meaning gets a new code. */
export const FINDING_TABLE = {
  // Nodes
  node_not_ready: {
    severity: "warning",
    message: "Node {name} is NotReady: {reason}",
    many: "{count} nodes are NotReady: {names}",
    remedy: "See why: kubectl describe node {name}; it costs money until it is removed",
  },
  many_nodes_not_ready: {
    severity: "critical",
    message: "{count} of {total} {nodes} NotReady (over 10 %)",
    remedy: "Look for what they share (zone, pool, version): kubectl get nodes -o wide",
  },
  node_pressure: {
    severity: "warning",
    message: "Node {name} reports {conditions}",
    many: "{count} nodes report pressure: {names}",
    remedy: "Free the resource or move pods away: kubectl describe node {name}",
  },
  node_over_committed: {
    severity: "warning",
    message: "More {resources} of node {name} is requested or used than is allocatable: the shares were rescaled",
    many: "{count} nodes have more requested or used than is allocatable, the shares were rescaled: {names}",
    remedy: "Raise the requests of what uses more than it asks for, or add nodes",
  },
  node_unpriced: {
    severity: "warning",
    message: "Node {name} has no price: its cost and that of its pods is missing from every sum",
    many: "{count} nodes have no price, their cost and that of their pods is missing from every sum: {names}",
    remedy: "Check that the node reports cpu and memory: kubectl get node {name} -o yaml",
  },
  // How full
  watermark_high: {
    severity: "warning",
    message: "{resource}: {percent} % of what is allocatable is {basis} (line {line} %)",
    remedy: "Plan more capacity, or lower requests that are not used",
  },
  watermark_critical: {
    severity: "critical",
    message: "{resource}: {percent} % of what is allocatable is {basis} (line {line} %)",
    remedy: "Add capacity before pods can no longer start",
  },
  requests_over_allocatable: {
    severity: "critical",
    message: "{resource} is over-committed: {percent} % of what is allocatable is requested",
    remedy: "Nodes were lost or shrunk under their pods: add capacity, a restart will leave pods waiting",
  },
  usage_missing: {
    severity: "warning",
    message: "No usage figures: {reason}",
    remedy: "{remedy}. Until then cost is by request",
  },
  usage_partial: {
    severity: "warning",
    message: "{count} of {total} schedulable nodes report no usage: {names}",
    remedy: "See why metrics-server cannot read them: kubectl -n kube-system logs deployment/metrics-server",
  },
  // Pods
  pod_unschedulable: {
    severity: "warning",
    message: "Pod {name} finds no node: {reason}",
    many: "{count} pods find no node: {names}",
    remedy: "Add capacity, or lower the requests or constraints: kubectl get pods -A --field-selector spec.nodeName=",
  },
  pods_on_missing_node: {
    severity: "warning",
    message: "{count} pods are bound to nodes that are not among those read ({names}): they are in no figure",
    remedy: "The node was removed, left out or not listed: see errors, and kubectl get pods -A -o wide",
  },
  requests_missing: {
    severity: "info",
    message: "{containers} containers in {pods} pods request no cpu or no memory",
    remedy: "Set requests, or a LimitRange per namespace: without them neither the scheduler nor the cost knows them",
  },
  quantity_likely_mistake: {
    severity: "warning",
    message: "{name} sets {field} to {value}, a fraction of a byte",
    many: "{count} workloads set memory to a fraction of a byte: {names}",
    remedy: "m means a thousandth: write Mi for mebibytes",
  },
  system_component_failing: {
    severity: "critical",
    message: "{name} fails: {reason} (pods: {pods})",
    many: "{count} system components fail: {names}",
    remedy: "See why: kubectl -n kube-system get pods, then kubectl -n kube-system logs POD --previous",
  },
  // Versions
  skew_unsupported: {
    severity: "critical",
    message: "{component} {version} ({where}) is not supported beside API server {server}: {reason}",
    remedy: "Upgrade the component, or the API server first where the component is newer",
  },
  skew_blocks_upgrade: {
    severity: "warning",
    message: "{component} {version} ({where}) is as old as API server {server} allows: it blocks the next upgrade",
    remedy: "Upgrade the nodes before the control plane",
  },
  api_servers_differ: {
    severity: "info",
    message: "The API servers answer several versions: {versions}",
    remedy: "An upgrade is in progress; when it should be over, see which replica is behind",
  },
  api_servers_too_far_apart: {
    severity: "critical",
    message: "The API servers answer versions more than one minor apart: {versions}",
    remedy: "Finish the upgrade one minor at a time",
  },
  version_missing: {
    severity: "info",
    message: "The API server's version is unknown: {reason}",
    remedy: "Add it to the dump: kubectl version -o json > version.json; until then skew is not judged",
  },
  version_unparseable: {
    severity: "warning",
    message: "{component} reports the version {version} ({where}), which names no release",
    remedy: "An unstamped build cannot be compared with anything: replace it with a released one",
  },
  // Namespaces and storage
  quota_nearly_full: {
    severity: "warning",
    message: "Quota {name} is {percent} % used: {resource} {used} of {hard}",
    many: "{count} quotas are over 90 % used: {names}",
    remedy: "Raise the quota or free what is not needed: kubectl describe quota -A",
  },
  volume_claim_pending: {
    severity: "warning",
    message: "Volume claim {name} is Pending (class {class})",
    many: "{count} volume claims are Pending: {names}",
    remedy: "See why: kubectl describe pvc -A",
  },
  volume_released: {
    severity: "warning",
    message: "Volume {name} ({size}) is Released: it costs money and nobody uses it; its last claim was {claim}",
    many: "{count} volumes are Released, they cost money and nobody uses them: {names}",
    remedy: "Delete it when its data is no longer needed: kubectl delete pv {name}",
  },
  // Whose
  label_missing: {
    severity: "info",
    message: "{count} of {total} pods have no {label}, on themselves, their workload or their namespace",
    remedy: "Label the namespaces first: kubectl label namespace NAME {label}=VALUE",
  },
  environment_not_agreed: {
    severity: "info",
    message: "The label env is {value}, which is none of production, staging, testing, development, other",
    remedy: "Write one of those on namespace kube-system, or leave the label out",
  },
  cluster_seen_twice: {
    severity: "info",
    message: "Also read as {others}: namespace kube-system has the same UID, so it is counted once",
    remedy: "Leave the others out: name one with --context",
  },
} as const satisfies Record<string, FindingEntry>;

export type FindingCode = keyof typeof FINDING_TABLE;
