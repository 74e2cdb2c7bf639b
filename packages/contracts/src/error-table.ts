import { AGENT_ERRORS } from "./agent-errors.ts";
import { COMMAND_ERRORS } from "./command-errors.ts";
import { HUB_ERRORS } from "./hub-errors.ts";

/** One row of the error table: what a code means wherever it appears. `docs/reference/errors.md` is generated from it. */
export interface ErrorEntry {
  /** Status of the REST answer that carries it. */
  readonly status: number;
  /** May the same call succeed later without a change of its input? */
  readonly retryable: boolean;
  /** What happened; `{name}` are filled from the error's fields. */
  readonly message: string;
  /** What to do next; a command where one exists. */
  readonly remedy: string;
}

/** The one table of error codes. A code never changes its meaning; a new meaning gets a new code. */
export const ERROR_TABLE = {
  // Reaching a cluster
  kubeconfig_missing: {
    status: 400,
    retryable: false,
    message: "No kubeconfig: looked at {paths}",
    remedy: "Name one with --kubeconfig FILE or KUBECONFIG, or scan files instead: plimsoll scan --from-dump {example}",
  },
  kubeconfig_invalid: {
    status: 400,
    retryable: false,
    message: "{path} is no usable kubeconfig: {reason}",
    remedy: "Check the file with: kubectl config view --kubeconfig {path}",
  },
  context_unknown: {
    status: 404,
    retryable: false,
    message: "No context {context} in the kubeconfig; it has {known}",
    remedy: "Name one of those with --context, or leave the option out to read every context",
  },
  cluster_unreachable: {
    status: 502,
    retryable: true,
    message: "{server} does not answer: {reason}",
    remedy: "Check the address, VPN and firewall, then: kubectl --context {context} get --raw /readyz",
  },
  cluster_timeout: {
    status: 504,
    retryable: true,
    message: "{what} took longer than {seconds} s",
    remedy: "Try again, or allow more with --timeout SECONDS",
  },
  cluster_unauthorized: {
    status: 401,
    retryable: false,
    message: "{server} does not accept the credentials of context {context} (expired or revoked)",
    remedy: "Sign in again with your provider's command, then check: kubectl --context {context} auth whoami",
  },
  cluster_forbidden: {
    status: 403,
    retryable: false,
    message: "No right to list {resource} in context {context}",
    remedy: "Grant the read rights in deploy/rbac/scan.yaml; until then figures that need {resource} are unknown",
  },
  credential_plugin_failed: {
    status: 400,
    retryable: false,
    message: "The credential plug-in {command} of context {context} failed: {reason}",
    remedy: "Run {command} by hand to see why, or install it as your provider describes",
  },
  tls_untrusted: {
    status: 502,
    retryable: false,
    message: "{server} shows a certificate that is not trusted: {reason}",
    remedy: "Set certificate-authority-data of the cluster in the kubeconfig to the cluster's CA",
  },
  api_error: {
    status: 502,
    retryable: true,
    message: "{server} answered {status} to {what}: {reason}",
    remedy: "See the API server's log; try again later",
  },
  api_missing: {
    status: 404,
    retryable: false,
    message: "{server} does not serve {what}",
    remedy: "Install what serves it or upgrade the cluster; until then figures that need {what} are unknown",
  },
  list_expired: {
    status: 410,
    retryable: true,
    message: "{server} forgot the version of {what} that was being read",
    remedy: "Try again; if it keeps happening the API server compacts its history faster than a list takes",
  },
  cluster_busy: {
    status: 503,
    retryable: true,
    message: "{server} is busy and asks to wait {seconds} s before {what}",
    remedy: "Try again later, or allow more time with --timeout SECONDS",
  },
  api_answer_invalid: {
    status: 502,
    retryable: false,
    message: "{server} answered {what} as no Kubernetes API server does: {reason}",
    remedy: "Check that the address is a Kubernetes API server and no proxy's sign-in page",
  },
  usage_unavailable: {
    status: 503,
    retryable: true,
    message: "No usage figures of {cluster}: {reason}",
    remedy:
      "Mend what the reason names: rights are in deploy/rbac/scan.yaml; until then used figures are unknown, not zero",
  },
  usage_not_served: {
    status: 404,
    retryable: false,
    message: "{cluster} serves no usage figures: metrics.k8s.io is not installed",
    remedy: "Install metrics-server; until then used figures are unknown, not zero",
  },
  // Dumps
  dump_missing: {
    status: 404,
    retryable: false,
    message: "{path} does not exist or cannot be read: {reason}",
    remedy: "Name a file or folder made with: plimsoll dump --output FOLDER",
  },
  dump_empty: {
    status: 400,
    retryable: false,
    message: "{path} is empty",
    remedy: "Make the dump again; its command may have failed: see docs/guides/dump.md",
  },
  dump_truncated: {
    status: 400,
    retryable: false,
    message: "{path} ends in the middle of {where}",
    remedy: "The copy is incomplete: compare sizes and copy it again, or make the dump again",
  },
  dump_syntax: {
    status: 400,
    retryable: false,
    message: "{path} cannot be read as JSON or YAML at {where}: {reason}",
    remedy: "Make the dump with -o json and without editing it",
  },
  dump_no_objects: {
    status: 400,
    retryable: false,
    message: "{path} holds no Kubernetes objects ({found})",
    remedy: "Make it with: plimsoll dump --output FOLDER, or with the kubectl command of docs/guides/dump.md",
  },
  dump_two_clusters: {
    status: 400,
    retryable: false,
    message: "{path} holds objects of two clusters: namespace kube-system has the UIDs {uids}",
    remedy: "Put each cluster's files into a folder of its own and name both: --from-dump A B",
  },
  dump_too_large: {
    status: 413,
    retryable: false,
    message: "{path}: {what} is larger than {limit}",
    remedy: "Make the dump with -o json (read as a stream, of any size)",
  },
  dump_unsupported: {
    status: 400,
    retryable: false,
    message: "{path} is {found}, which is no dump",
    remedy: "Give JSON or YAML, plain or packed as .gz, .tar, .tar.gz or .zip",
  },
  dump_kind_missing: {
    status: 422,
    retryable: false,
    message: "{path} does not say whether the cluster has {resource}",
    remedy: "Add {resource} to the kubectl get command, or: kubectl get {resource} -A -o json > {resource}.json",
  },
  dump_version_missing: {
    status: 422,
    retryable: false,
    message: "{path} holds no version of the API server",
    remedy: "Add it with: kubectl version -o json > version.json",
  },
  dump_usage_missing: {
    status: 422,
    retryable: false,
    message: "{path} holds no usage figures; used figures are unknown, not zero",
    remedy:
      "Add them with: kubectl get --raw /apis/metrics.k8s.io/v1beta1/nodes > usage-nodes.json, and the same for pods",
  },
  dump_incomplete: {
    status: 422,
    retryable: false,
    message: "{path}: {what} are not complete: {reason}",
    remedy: "Make that part of the dump again; until then figures that need {what} are unknown, not low",
  },
  object_unusable: {
    status: 400,
    retryable: false,
    message: "{where}: {reason}",
    remedy: "No figure counts that object: mend it or remove it. A dump: make it again",
  },
  // Values
  quantity_invalid: {
    status: 400,
    retryable: false,
    message: '{field} is "{value}", which is no Kubernetes quantity',
    remedy: "Write digits and a suffix without a blank, such as 500m, 2, 1Gi",
  },
  quantity_negative: {
    status: 400,
    retryable: false,
    message: "{field} is {value}, below zero",
    remedy: "The object is left out: no API server accepts that. A dump: make it again without editing it",
  },
  timestamp_invalid: {
    status: 400,
    retryable: false,
    message: '{field} is "{value}", which is no RFC 3339 time',
    remedy: "Write it as 2026-01-31T08:00:00Z",
  },
  baseline_invalid: {
    status: 400,
    retryable: false,
    message: '{field} is "{value}", which is no version or range',
    remedy: "Write 1.30.4, 1.30 (any patch) or >=1.29 <1.31",
  },
  interval_end_before_start: {
    status: 400,
    retryable: false,
    message: "{field} ends at {end}, {seconds} s before its start {start}",
    remedy: "The interval is quarantined and not billed; check the clocks of the nodes",
  },
  nodes_missing: {
    status: 422,
    retryable: false,
    message: "{cluster} has no nodes",
    remedy:
      "Capacity and cost of a cluster without nodes are unknown; include nodes in the dump, or grant list on nodes",
  },
  price_invalid: {
    status: 400,
    retryable: false,
    message: '{field} is "{value}", which is no price',
    remedy: "Write a plain decimal such as 0.0316, in the price book's currency per unit and hour",
  },
  // Wire between agent and hub
  batch_invalid: {
    status: 422,
    retryable: false,
    message: "Batch refused: {field} {reason}",
    remedy: "It is in the hub's quarantine: plimsoll quarantine show; upgrade the agent that made it",
  },
  batch_too_large: {
    status: 413,
    retryable: false,
    message: "Batch refused: {field} is {value}, more than {limit}",
    remedy: "Send smaller batches: an agent of the same release as the hub does",
  },
  batch_time_invalid: {
    status: 422,
    retryable: false,
    message: "Batch refused: {field} {value} {reason}",
    remedy: "Check the clocks of the cluster's nodes and of the agent",
  },
  batch_hash_mismatch: {
    status: 422,
    retryable: false,
    message: "Batch {batch} does not have the content that it was sealed with: SHA-256 {actual}, not {expected}",
    remedy: "It was damaged on the way or on disk; the agent sends it again from its spool if that is intact",
  },
  batch_kind_unknown: {
    status: 422,
    retryable: false,
    message: "Batch {batch} is of kind {kind}, which this release does not know",
    remedy: "Upgrade the hub, then: plimsoll quarantine replay",
  },
  batch_codec_unknown: {
    status: 422,
    retryable: false,
    message: "Batch {batch} is compressed with codec {codec}, which this release does not know",
    remedy: "Upgrade the hub, then: plimsoll quarantine replay",
  },
  message_invalid: {
    status: 400,
    retryable: false,
    message: "Message refused: {field} {reason}",
    remedy: "Upgrade the agent or the hub, whichever is older",
  },
  agent_version_invalid: {
    status: 400,
    retryable: false,
    message: 'The agent says its version is "{version}", which is none',
    remedy: "Install a released agent; versions look like 1.4.2",
  },
  agent_too_old: {
    status: 426,
    retryable: false,
    message: "Agent {agent} is too old for hub {hub}, which accepts {oldest} and newer",
    remedy: "Upgrade the agent; what it has spooled is delivered then",
  },
  agent_too_new: {
    status: 426,
    retryable: true,
    message: "Agent {agent} is newer than hub {hub}",
    remedy: "Upgrade the hub first, agents after it; what the agent has spooled is delivered then",
  },
  batch_conflict: {
    status: 409,
    retryable: false,
    message: "Batch {batch} was delivered before with another content",
    remedy: "Two agents write one spool, or its folder was restored from a copy: plimsoll quarantine show",
  },
  batch_of_other_cluster: {
    status: 403,
    retryable: false,
    message: "Batch {batch} was sent by {cluster}, which may only deliver its own",
    remedy: "Give every agent the state folder and certificate of its own cluster",
  },
  hub_busy: {
    status: 503,
    retryable: true,
    message: "The hub has more to store than it accepts at a time",
    remedy: "Nothing to do: agents keep their batches and come back",
  },
  // Hub: stores
  store_unavailable: {
    status: 503,
    retryable: true,
    message: "The control store {store} does not answer: {reason}",
    remedy: "Check the path, the disk's free space and rights, or the database server",
  },
  store_schema_newer: {
    status: 503,
    retryable: false,
    message: "The control store was upgraded by a newer hub (step {step} is not known to this one)",
    remedy: "Start the newer hub, or restore the backup that was made before the upgrade",
  },
  warehouse_unavailable: {
    status: 503,
    retryable: true,
    message: "Facts cannot be {doing}: {reason}",
    remedy: "Check free space and rights of the data directory; agents keep what is not acknowledged",
  },
  ledger_moved: {
    status: 409,
    retryable: true,
    message: "Another writer registered {batch} at the same time",
    remedy: "Nothing to do: it is tried again. If it keeps happening, two hubs write one ledger: stop one",
  },
  ...HUB_ERRORS,
  // Agent
  ...AGENT_ERRORS,
  // Command line
  ...COMMAND_ERRORS,
  option_unknown: {
    status: 400,
    retryable: false,
    message: "Unknown option {option}{suggestion}",
    remedy: "See: {command} --help",
  },
  option_invalid: {
    status: 400,
    retryable: false,
    message: 'Option {option} is "{value}"; it takes {expected}',
    remedy: "See: {command} --help",
  },
  argument_unexpected: {
    status: 400,
    retryable: false,
    message: '{command} takes no argument "{value}"',
    remedy: "See: {command} --help",
  },
  command_unknown: {
    status: 404,
    retryable: false,
    message: "Unknown command {command}{suggestion}",
    remedy: "See: plimsoll --help",
  },
  scan_interrupted: {
    status: 499,
    retryable: true,
    message: "Stopped before {cluster} was read",
    remedy: "Run it again",
  },
  output_unwritable: {
    status: 500,
    retryable: false,
    message: "{path} cannot be written: {reason}",
    remedy: "Name a writable place with --output",
  },
  internal: {
    status: 500,
    retryable: false,
    message: "Something went wrong inside Plimsoll: {reason}",
    remedy: "Report it with the command you ran; PLIMSOLL_DEBUG=1 prints where it happened",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_TABLE;
