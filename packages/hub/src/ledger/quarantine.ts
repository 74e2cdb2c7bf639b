import { type Kysely, sql } from "kysely";
import type { ClusterScope } from "../store/cluster-scope.ts";
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

/** A row of the quarantine, without the bytes: only whether they are kept. */
export type QuarantineEntry = Omit<Row<"quarantine">, "bytes"> & { readonly is_kept: boolean };

/** A part of the quarantine. */
export interface QuarantineFilter {
  readonly scope: ClusterScope;
  readonly clusterId?: string | undefined;
  readonly code?: string | undefined;
  /** Entries that came before this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Entries of a filter, newest first. */
export interface QuarantinePage {
  readonly entries: readonly QuarantineEntry[];
  readonly hasMore: boolean;
  /** Of the filter, over all pages. */
  readonly total: number;
}

/** Bytes that the quarantine keeps of one cluster; beyond that it keeps the row, and says that the bytes are gone. */
export const MAX_BYTES_PER_CLUSTER = 64 * 1024 * 1024;
/** Rows of one cluster; beyond that more of a code only raises the `times` of its newest row. */
export const MAX_ROWS_PER_CLUSTER = 10_000;

/** Batches that could not be applied, as they came: visible and replayable, in nobody's way. */
export interface Quarantine {
  /** Durable when it resolves. The same bytes again only raise the row's `times`. */
  keep(batch: QuarantinedBatch): Promise<void>;
  page(filter: QuarantineFilter): Promise<QuarantinePage>;
  /** One row; null = there is none. */
  find(id: number): Promise<QuarantineEntry | null>;
  /** The bytes of a row; null when there is no such row or its bytes were not kept. */
  bytes(id: number): Promise<Uint8Array | null>;
  /** Marks a row as replayed. */
  markReplayed(id: number, atMs: number): Promise<void>;
  /** Takes a row away for good. */
  remove(id: number): Promise<void>;
}

/** The quarantine in the control store. */
export function openQuarantine(store: Store): Quarantine {
  const { db } = store;
  return {
    keep: (batch) => store.write((trx) => keep(trx, batch)),
    page: (filter) => page(db, filter),
    find: async (id) => {
      const row = await db.selectFrom("quarantine").select(COLUMNS).where("id", "=", id).executeTakeFirst();
      return row ? entryOf(row) : null;
    },
    bytes: async (id) => {
      const row = await db.selectFrom("quarantine").select("bytes").where("id", "=", id).executeTakeFirst();
      return row?.bytes ?? null;
    },
    markReplayed: async (id, atMs) => {
      await db.updateTable("quarantine").set({ replayed_at_ms: atMs }).where("id", "=", id).execute();
    },
    remove: async (id) => {
      await db.deleteFrom("quarantine").where("id", "=", id).execute();
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
  const held = await heldOf(trx, batch);
  const again = known ?? (held.rows >= MAX_ROWS_PER_CLUSTER ? held.newestOfCode : undefined);
  if (again) {
    const more = { times: again.times + 1, last_at_ms: batch.atMs };
    await trx.updateTable("quarantine").set(more).where("id", "=", again.id).execute();
    return;
  }
  const hasRoom = held.bytes + batch.bytes.length <= MAX_BYTES_PER_CLUSTER;
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

/** What is held of the sender already, and the newest row of the same code. */
async function heldOf(trx: Kysely<Tables>, { clusterId, code }: QuarantinedBatch) {
  const ofSender = trx.selectFrom("quarantine").where("cluster_id", clusterId === null ? "is" : "=", clusterId);
  const { rows } = await ofSender.select(({ fn }) => fn.countAll<number>().as("rows")).executeTakeFirstOrThrow();
  const { bytes } = await ofSender
    .select(({ fn }) => fn.sum<number | null>("byte_count").as("bytes"))
    .where("bytes", "is not", null)
    .executeTakeFirstOrThrow();
  const newest = ofSender.select(["id", "times"]).where("code", "=", code).orderBy("id", "desc");
  return { rows: Number(rows), bytes: Number(bytes ?? 0), newestOfCode: await newest.executeTakeFirst() };
}

const COLUMNS = [
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
  // A flag as a whole number: the two stores have different words for a truth value.
  sql<number>`case when bytes is null then 0 else 1 end`.as("is_kept"),
] as const;

async function page(db: Kysely<Tables>, filter: QuarantineFilter): Promise<QuarantinePage> {
  const { scope, clusterId, code, before, limit } = filter;
  let query = db.selectFrom("quarantine");
  if (scope !== "all") query = query.where("cluster_id", "in", ["", ...scope]);
  if (clusterId !== undefined) query = query.where("cluster_id", "=", clusterId);
  if (code !== undefined) query = query.where("code", "=", code);
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query
    .select(COLUMNS)
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  return { entries: rows.slice(0, limit).map(entryOf), hasMore: rows.length > limit, total: Number(total) };
}

function entryOf<R extends { readonly is_kept: number }>(row: R): Omit<R, "is_kept"> & { readonly is_kept: boolean } {
  return { ...row, is_kept: Number(row.is_kept) === 1 };
}
