import type { Generated } from "kysely";
import type { Flag, JsonText, Millis } from "./tables.ts";

/** Active → deregistering → deregistered (tombstone: its name and fingerprint are free again). */
export type ClusterPhase = "active" | "deregistering" | "deregistered";

/** One registered cluster: the three layers of its record. Beats do not touch this row, see `liveness`. */
export interface ClustersTable {
  /** `cluster_id` of the record. */
  id: string;
  /** Unique among clusters that are no tombstone; so is the fingerprint. */
  name: string;
  /** UID of namespace kube-system; null until it is known. */
  fingerprint: string | null;
  incarnation: number;
  mode: "push" | "pull";
  phase: ClusterPhase;
  simulated: Flag;
  /** Base layer as far as a person, a registration or a provisioner set it. */
  base: JsonText;
  /** Label layer: text by key. */
  labels: JsonText;
  /** Dynamic layer of the last accepted report; null = none yet. */
  dynamic: JsonText | null;
  /** Watermark figures of the last accepted report; null = unknown. */
  capacity: JsonText | null;
  /** Base fields as the agent sees them. */
  detected: JsonText | null;
  /** How well each resource is being read. */
  resource_states: JsonText | null;
  /** With the incarnation, what orders reports: only greater ones are applied. */
  session_epoch: number;
  report_sequence: number;
  /** Raised by one per accepted change. */
  resource_version: number;
  /** Of the last accepted report: at the cluster, and here. */
  observed_at_ms: Millis | null;
  received_at_ms: Millis | null;
  created_at_ms: Millis;
  updated_at_ms: Millis;
}

/** What is heard of a cluster. Written on change of state and now and then, so that a restart knows the last beat. */
export interface LivenessTable {
  cluster_id: string;
  connectivity: "never-seen" | "online" | "late" | "offline";
  since_ms: Millis;
  last_beat_at_ms: Millis | null;
  /** Hub time − agent time; null = not measured. */
  clock_offset_ms: number | null;
  /** Spool figures of the last beat. */
  spool: JsonText | null;
}

/** The present state of each condition of a cluster. One writer per type. */
export interface ConditionsTable {
  cluster_id: string;
  type: string;
  status: "true" | "false" | "unknown";
  reason: string;
  message: string;
  since_ms: Millis;
  observed_at_ms: Millis;
}

/** Every change of a condition or of connectivity: uptime, flaps, outages. */
export interface TransitionsTable {
  id: Generated<number>;
  cluster_id: string;
  /** A condition's type, or `connectivity`. */
  type: string;
  from_state: string | null;
  to_state: string;
  reason: string;
  at_ms: Millis;
}

/** Permission for one agent to register one cluster. The token itself is nowhere. */
export interface JoinTokensTable {
  id: string;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  cluster_name: string;
  labels: JsonText;
  created_by: string;
  created_at_ms: Millis;
  expires_at_ms: Millis;
  /** Single use: set in the transaction that registers the cluster. */
  used_at_ms: Millis | null;
  used_by_cluster_id: string | null;
}

/** The key of the agent that used a join token: SHA-256 of the public key (SPKI, DER), hex. */
export interface JoinKeysTable {
  token_id: string;
  public_key_sha256: string;
}

/** A secret of a cluster, sealed (AES-256-GCM). */
export interface CredentialsTable {
  id: string;
  cluster_id: string;
  kind: string;
  sealed: Uint8Array;
  /** Key that it is sealed with. */
  key_id: string;
  created_at_ms: Millis;
  /** Null = does not expire, or unknown. */
  expires_at_ms: Millis | null;
}

/** A certificate that the hub's CA signed for an agent. */
export interface CertificatesTable {
  /** Serial number, hex. */
  serial: string;
  cluster_id: string;
  incarnation: number;
  not_before_ms: Millis;
  not_after_ms: Millis;
  revoked_at_ms: Millis | null;
}

/** One session of an agent. The greatest epoch of a cluster is the live one; the others are fenced. */
export interface AgentsTable {
  cluster_id: string;
  session_epoch: number;
  incarnation: number;
  instance: string;
  agent_version: string;
  capabilities: JsonText;
  policy_revision: number;
  connected_at_ms: Millis;
  /** Null = still connected, or the hub stopped before it knew. */
  disconnected_at_ms: Millis | null;
  reason: string | null;
}

/** What agents are told to do, by selector; the most specific wins. */
export interface PoliciesTable {
  name: string;
  revision: number;
  /** Label selector; empty = the fleet's default. */
  selector: string;
  priority: number;
  document: JsonText;
  resource_version: number;
  updated_at_ms: Millis;
}

/** Registry and what belongs to it. */
export interface FleetTables {
  clusters: ClustersTable;
  liveness: LivenessTable;
  conditions: ConditionsTable;
  transitions: TransitionsTable;
  join_tokens: JoinTokensTable;
  join_keys: JoinKeysTable;
  credentials: CredentialsTable;
  certificates: CertificatesTable;
  agents: AgentsTable;
  policies: PoliciesTable;
}
