import type { SpoolMark } from "@plimsoll/contracts/wire";
import type { SpoolKey } from "../ledger/ledger.ts";

/** Who delivers. */
export interface IngestSource {
  /** The cluster that the peer's certificate or the pull belongs to; null = a relay, which may deliver for any. */
  readonly clusterId: string | null;
  /** For the quarantine and the log: `grpc 10.0.0.7`, `pull`. */
  readonly name: string;
}

/** Durable and counted, now or before. Send its mark as the acknowledgement. */
export interface IngestAck {
  readonly kind: "ack";
  readonly clusterId: string;
  readonly mark: SpoolMark;
  /** `applied` counts new rows; the others were no news. */
  readonly verdict: "applied" | "duplicate" | "superseded";
}

/** A permanent fault: it is in the quarantine, never send it again. */
export interface IngestReject {
  readonly kind: "reject";
  /** Null where the envelope could not be read that far. */
  readonly clusterId: string | null;
  readonly spoolId: string | null;
  readonly sequence: number | null;
  /** Of the error table. */
  readonly code: string;
  readonly message: string;
}

/** The cluster, or this incarnation of it, is gone: stop, re-create nothing. Nothing was kept. */
export interface IngestDeregistered {
  readonly kind: "deregistered";
  readonly clusterId: string;
  readonly incarnation: number;
  readonly message: string;
}

/** Not now (store or disk do not answer, the queue is full): keep it and come back. */
export interface IngestRetry {
  readonly kind: "retry";
  readonly afterMs: number;
  /** Of the error table. */
  readonly code: string;
}

export type IngestAnswer = IngestAck | IngestReject | IngestDeregistered | IngestRetry;

/** Counters since the start. */
export interface IngestFigures {
  readonly batches: Readonly<
    Record<"applied" | "duplicate" | "superseded" | "rejected" | "deregistered" | "retried", number>
  >;
  /** Rows that were applied, by kind. */
  readonly rows: Readonly<Record<"sample" | "usage" | "node" | "gap", number>>;
  readonly rejectedByCode: Readonly<Record<string, number>>;
  /** Envelope bytes that wait for their commit. */
  readonly waitingBytes: number;
  readonly commits: number;
  /** When the last commit became durable; null = none yet. */
  readonly lastCommitAtMs: number | null;
}

/** The one way for facts into the hub. */
export interface Ingest {
  /**
   * Verifies, decodes and stores one serialized envelope. Resolves when its fate is durable; calls that wait at the same
   * time share one commit. Never throws. `bytes` must not change until it resolves.
   */
  ingestEnvelope(bytes: Uint8Array, source: IngestSource): Promise<IngestAnswer>;
  /** Tries a row of the quarantine again, after an upgrade; null when its bytes are not there. */
  replay(quarantineId: number): Promise<IngestAnswer | null>;
  /** What is durable of a spool, for the welcome. */
  mark(spool: SpoolKey): Promise<SpoolMark>;
  figures(): IngestFigures;
  /** Commits what waits; from then on every call is answered `retry`. */
  stop(): Promise<void>;
}
