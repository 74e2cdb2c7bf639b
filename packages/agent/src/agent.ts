import type { Clock, KubeConnection, Random } from "@plimsoll/collect";
import type { ErrorCode } from "@plimsoll/contracts";
import type { AgentLog } from "./log/agent-log.ts";
import type { DiskState } from "./spool/disk-fault.ts";

/** What an agent works with; nothing of it is the agent's to close except through `stop`. */
export interface AgentDeps {
  /** The cluster that it reads. Closed by whoever opened it. */
  readonly connection: KubeConnection;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: AgentLog;
}

/** Why an agent is over. Only `stopped` was asked for from this side. */
export interface AgentEnd {
  readonly reason: "stopped" | "fenced" | "deregistered" | "failed";
  /** Of the error table; null when it was stopped. */
  readonly code: ErrorCode | null;
  readonly message: string;
}

/** One stream to the hub. `waiting`: lost, and tried again after a back-off. */
export interface StreamStatus {
  readonly state: "connecting" | "connected" | "waiting" | "stopped";
  readonly sinceMs: number;
  /** The last fault, for people; null = none since it connected. */
  readonly error: string | null;
}

/** What waits on disk, and what befell it since the start. */
export interface SpoolStatus {
  readonly spoolId: string | null;
  readonly batches: number;
  readonly bytes: number;
  /** When the oldest batch that waits was sealed; null = none waits. */
  readonly oldestSealedMs: number | null;
  readonly gaps: number;
  readonly quarantined: number;
  /** Batches that others stand for since; batches that were dropped, each told by a gap record before. */
  readonly coarsened: number;
  readonly dropped: number;
  /** Writes that the disk refused, and how it takes them now. */
  readonly writeFailures: number;
  readonly disk: DiskState;
  /** Room for what must be written on a full disk is set aside. */
  readonly reserved: boolean;
  /** How often something was made durable, and how long that took in all, milliseconds. */
  readonly syncs: number;
  readonly syncMs: number;
}

/** How an agent is; for `/readyz`, `/livez`, tests and the demo. */
export interface AgentStatus {
  readonly state: "joining" | "running" | AgentEnd["reason"];
  /** Null until it has joined. */
  readonly cluster: { readonly id: string; readonly name: string; readonly incarnation: number } | null;
  readonly control: StreamStatus;
  readonly ingest: StreamStatus;
  /** It has data: nodes and pods have been read. */
  readonly ready: boolean;
  /** The last tick ended in time. */
  readonly live: boolean;
  readonly lastTickEndedMs: number | null;
  /** Hub time − own time, milliseconds; null = not measured yet. */
  readonly clockOffsetMs: number | null;
  readonly spool: SpoolStatus;
  /** Events since the start, by name. */
  readonly counters: Readonly<Record<string, number>>;
}

/** One running agent. */
export interface AgentHandle {
  /** Resolves once it holds an identity of the hub; rejects with the coded error when joining is refused for good. */
  readonly joined: Promise<void>;
  /** Resolves when it is over, for whatever reason. Never rejects. */
  readonly ended: Promise<AgentEnd>;
  status(): AgentStatus;
  /** What it says about itself to Prometheus, in its text format. */
  metrics(): string;
  /** Spools what it has, says goodbye, and ends within a few seconds. May be called twice. */
  stop(): Promise<void>;
}
