import { PlimsollError } from "../errors.ts";
import { type BatchKind, describeKey, type Envelope } from "./envelope.ts";
import { decodeGapBatch, encodeGapBatch } from "./gap-batch.ts";
import type { GapRow } from "./gap-row.ts";
import type { WireLimits } from "./limits.ts";
import { decodeNodeBatch, encodeNodeBatch } from "./node-batch.ts";
import type { NodeRow } from "./node-row.ts";
import { decodeSampleBatch } from "./read-sample-batch.ts";
import { decodeUsageBatch } from "./read-usage-batch.ts";
import { encodeSampleBatch } from "./sample-batch.ts";
import type { SampleRow } from "./sample-row.ts";
import { encodeUsageBatch } from "./usage-batch.ts";
import type { UsageRow } from "./usage-row.ts";

/** Rows of one kind. */
export type Batch =
  | { readonly kind: "sample"; readonly rows: readonly SampleRow[] }
  | { readonly kind: "usage"; readonly rows: readonly UsageRow[] }
  | { readonly kind: "node"; readonly rows: readonly NodeRow[] }
  | { readonly kind: "gap"; readonly rows: readonly GapRow[] };

/** Rows as the batch message of their kind. Throws `batch_invalid`. */
export function encodeBatch(batch: Batch): Uint8Array {
  switch (batch.kind) {
    case "sample":
      return encodeSampleBatch(batch.rows);
    case "usage":
      return encodeUsageBatch(batch.rows);
    case "node":
      return encodeNodeBatch(batch.rows);
    case "gap":
      return encodeGapBatch(batch.rows);
  }
}

/** A batch message as rows. Throws `batch_invalid`, `batch_time_invalid` or `batch_too_large`. */
export function decodeBatch(kind: BatchKind, raw: Uint8Array, limits: WireLimits): Batch {
  switch (kind) {
    case "sample":
      return { kind, rows: decodeSampleBatch(raw, limits) };
    case "usage":
      return { kind, rows: decodeUsageBatch(raw, limits) };
    case "node":
      return { kind, rows: decodeNodeBatch(raw, limits) };
    case "gap":
      return { kind, rows: decodeGapBatch(raw, limits) };
  }
}

/** The envelope's kind. Throws `batch_kind_unknown`: not this release's, so it is kept for a later one. */
export function knownKind(envelope: Envelope): BatchKind {
  if (envelope.kind !== null) return envelope.kind;
  throw new PlimsollError("batch_kind_unknown", { batch: describeKey(envelope.key), kind: envelope.kindNumber });
}
