import type { Codec } from "./codec.ts";

/** Kinds of batches; see `GapRow`, `NodeRow`, `SampleRow`, `UsageRow`. */
export const BATCH_KINDS = ["sample", "usage", "node", "gap"] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** Identity of a batch. The same key with another hash is never counted: it is quarantined. */
export interface BatchKey {
  readonly clusterId: string;
  /** From 0 to 2^32 - 1. */
  readonly incarnation: number;
  /** New whenever the spool directory is new. */
  readonly spoolId: string;
  /** Starts at 1, no holes, at most 2^53 - 1. */
  readonly sequence: number;
}

/** Inclusive. */
export interface SequenceRange {
  readonly first: number;
  readonly last: number;
}

/** What the sealer knows besides key and rows. */
export interface SealFacts {
  /** Milliseconds since 1970 UTC, by hub time as the agent knows it. */
  readonly sealedAtMs: number;
  /** The agent's own clock at that moment, uncorrected. */
  readonly agentClockMs: number;
  /** Policy that the agent ran when it made the rows; 0 = none yet. */
  readonly policyRevision: number;
  /** Earlier batches of the spool that this one stands for; applied only if none of them was. */
  readonly replaces: SequenceRange | null;
}

/**
 * A sealed batch. `bytes` is what is stored in the spool, sent, forwarded by relays and put on Kafka, always the same
 * bytes, so that what a later release added survives an older relay. The other fields are read from it.
 */
export interface Envelope extends SealFacts {
  readonly key: BatchKey;
  /** Null when this release does not know the kind or codec: the envelope can be forwarded, not opened. */
  readonly kind: BatchKind | null;
  readonly codec: Codec | null;
  /** The number of the kind and codec on the wire. */
  readonly kindNumber: number;
  readonly codecNumber: number;
  readonly rows: number;
  /** Size of the batch message before the codec. */
  readonly rawBytes: number;
  /** SHA-256 of the batch message before the codec, 32 bytes. */
  readonly sha256: Uint8Array;
  readonly payload: Uint8Array;
  readonly bytes: Uint8Array;
}

/** The key for people and for error texts: `prod-eu/1 spool 0198… #42`. */
export function describeKey(key: BatchKey): string {
  return `${key.clusterId}/${key.incarnation} spool ${key.spoolId} #${key.sequence}`;
}
