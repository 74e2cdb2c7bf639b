import type { Kysely } from "kysely";
import type { Store } from "../store/store.ts";
import type { Row, Tables } from "../store/tables.ts";

/** Something that could not be applied. */
export interface QuarantinedBatch {
  /** Who sent it: as authenticated, else as the envelope says; null = neither. */
  readonly clusterId: string | null;
  /** Null where the envelope could not be read that far. */
  readonly incarnation: number | null;
  readonly spoolId: string | null;
  readonly sequence: number | null;
  /** Of the error table. */
  readonly code: string;
  readonly message: string;
  readonly source: string;
  readonly bytes: Uint8Array;
  /** Of `bytes`, hex. */
  readonly sha256: string;
  readonly atMs: number;
}

/** A row of the quarantine, without the bytes. */
export type QuarantineEntry = Omit<Row<"quarantine">, "bytes">;

/** Bytes that the quarantine keeps of one cluster; beyond that it keeps the row, and says that the bytes are gone. */
export const MAX_BYTES_PER_CLUSTER = 64 * 1024 * 1024;

/** Batches that could not be applied, as they came: visible and replayable, in nobody's way. */
export interface Quarantine {
  /** Durable when it resolves. The same bytes again only raise the row's `times`. */
  keep(batch: QuarantinedBatch): Promise<void>;
  /** Newest first; null = of every cluster. */
  list(clusterId: string | null, limit: number): Promise<readonly QuarantineEntry[]>;
  /** The bytes of a row; null when there is no such row or its bytes were not kept. */
  bytes(id: number): Promise<Uint8Array | null>;
  /** Marks a row as replayed. */
  markReplayed(id: number, atMs: number): Promise<void>;
}

/** The quarantine in the control store. */
export function openQuarantine(store: Store): Quarantine {
  return {
    keep: (batch) => store.write((trx) => keep(trx, batch)),
    list: (clusterId, limit) => list(store.db, clusterId, limit),
    bytes: async (id) => {
      const row = await store.db.selectFrom("quarantine").select("bytes").where("id", "=", id).executeTakeFirst();
      return row?.bytes ?? null;
    },
    markReplayed: async (id, atMs) => {
      await store.db.updateTable("quarantine").set({ replayed_at_ms: atMs }).where("id", "=", id).execute();
    },
  };
}

async function keep(trx: Kysely<Tables>, batch: QuarantinedBatch): Promise<void> {
  const known = await trx
    .selectFrom("quarantine")
    .select(["id", "times"])
    .where("cluster_id", batch.clusterId === null ? "is" : "=", batch.clusterId)
    .where("sha256", "=", batch.sha256)
    .where("code", "=", batch.code)
    .executeTakeFirst();
  if (known) {
    const again = { times: known.times + 1, last_at_ms: batch.atMs };
    await trx.updateTable("quarantine").set(again).where("id", "=", known.id).execute();
    return;
  }
  const hasRoom = (await keptBytes(trx, batch.clusterId)) + batch.bytes.length <= MAX_BYTES_PER_CLUSTER;
  await trx
    .insertInto("quarantine")
    .values({
      cluster_id: batch.clusterId,
      incarnation: batch.incarnation,
      spool_id: batch.spoolId,
      sequence: batch.sequence,
      code: batch.code,
      message: batch.message,
      source: batch.source,
      bytes: hasRoom ? Buffer.from(batch.bytes) : null,
      byte_count: batch.bytes.length,
      sha256: batch.sha256,
      times: 1,
      first_at_ms: batch.atMs,
      last_at_ms: batch.atMs,
      replayed_at_ms: null,
    })
    .execute();
}

async function keptBytes(trx: Kysely<Tables>, clusterId: string | null): Promise<number> {
  const { kept } = await trx
    .selectFrom("quarantine")
    .select(({ fn }) => fn.sum<number | null>("byte_count").as("kept"))
    .where("cluster_id", clusterId === null ? "is" : "=", clusterId)
    .where("bytes", "is not", null)
    .executeTakeFirstOrThrow();
  return kept ?? 0;
}

function list(db: Kysely<Tables>, clusterId: string | null, limit: number): Promise<readonly QuarantineEntry[]> {
  let query = db
    .selectFrom("quarantine")
    .select([
      "id",
      "cluster_id",
      "incarnation",
      "spool_id",
      "sequence",
      "code",
      "message",
      "source",
      "byte_count",
      "sha256",
      "times",
      "first_at_ms",
      "last_at_ms",
      "replayed_at_ms",
    ]);
  if (clusterId !== null) query = query.where("cluster_id", "=", clusterId);
  return query.orderBy("id", "desc").limit(limit).execute();
}
