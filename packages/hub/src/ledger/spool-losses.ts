import type { GapRow, SequenceRange } from "@plimsoll/contracts/wire";
import type { Kysely, Selectable } from "kysely";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import type { ClusterGap } from "../warehouse/ask-gaps.ts";
import { letGo } from "../warehouse/unnamed-files.ts";
import type { Warehouse } from "../warehouse/warehouse-port.ts";
import { closeLost, commitEntries } from "./commit-entries.ts";
import type { SpoolKey } from "./ledger.ts";
import { greatestOf, lostBelow } from "./lost-ranges.ts";
import { type Mark, parseRanges } from "./sequence-marks.ts";
import { HUB_SPOOL } from "./spool-state.ts";

/** A spool that a sender holds, by its word. */
export interface HeldSpool {
  readonly spoolId: string;
  /** The oldest that it still holds. */
  readonly firstSequence: number;
}

/**
 * Finds batches that can never come: their sender held them no more when it began its stream, though it had sealed later ones.
 * The hub acknowledged them and lost them (it was restored from a backup, or its store lost its last commits), or the sender
 * lost them before it sent them. They become a gap, and their place in the mark is closed, so that holes do not pile up; what
 * comes of them after all counts. Holes that the agent explained itself (its spool was full or damaged) are only closed.
 * Whoever delivers by two channels must say here what it holds for both.
 */
export interface SpoolLosses {
  /**
   * What a sender said at the beginning of its stream, before it is told what the hub has; null = not all that it holds, so
   * that nothing of it can be called lost.
   */
  heard(cluster: Omit<SpoolKey, "spoolId">, spools: readonly HeldSpool[] | null): Promise<void>;
  /** Writes down what is lost. Returns how many gaps were recorded. */
  settle(nowMs: number): Promise<number>;
}

/** What is known of a sender since it began its stream. */
interface Sender {
  /** By spool: what lies below can never come. Of spools that began later nothing is known. */
  readonly floors: ReadonlyMap<string, number>;
  /** It was heard of for the first time since the hub was restored. */
  readonly restored: boolean;
}

const UNHEARD: Sender = { floors: new Map(), restored: false };

/** Losses of one commit: after a restore there is one of each spool of the fleet. */
const AT_ONCE = 500;

/** What is lost of a spool. */
interface Loss {
  readonly spool: SpoolKey;
  readonly range: SequenceRange;
  readonly restored: boolean;
}

/** Losses of spools over a store and a warehouse. */
export function createSpoolLosses(store: Store, warehouse: Pick<Warehouse, "append" | "gaps">): SpoolLosses {
  const senders = new Map<string, Sender>();

  return {
    heard: async (cluster, spools) => {
      senders.delete(senderOf(cluster));
      if (spools !== null) senders.set(senderOf(cluster), await senderFrom(store.db, cluster, spools));
    },
    settle: async (nowMs) => {
      const losses = (await marksWithHoles(store.db)).flatMap(({ spool, mark }) => {
        const { floors, restored } = senders.get(senderOf(spool)) ?? UNHEARD;
        return lostBelow(mark, floors.get(spool.spoolId) ?? 0).map((range) => ({ spool, range, restored }));
      });
      let recorded = 0;
      for (let start = 0; start < losses.length; start += AT_ONCE) {
        recorded += await record(store, warehouse, losses.slice(start, start + AT_ONCE), nowMs);
      }
      return recorded;
    },
  };
}

/** Of a spool that is not named the sender holds nothing: what lies below the greatest that came of it so far is lost. */
async function senderFrom(
  db: Kysely<Tables>,
  { clusterId, incarnation }: Omit<SpoolKey, "spoolId">,
  spools: readonly HeldSpool[],
): Promise<Sender> {
  const restored = await restoredAt(db);
  const rows = await db
    .selectFrom("ledger_marks")
    .selectAll()
    .where("cluster_id", "=", clusterId)
    .where("incarnation", "=", incarnation)
    .where("spool_id", "!=", HUB_SPOOL)
    .execute();
  const known = rows.map((row): [string, number] => [row.spool_id, greatestOf(markOf(row))]);
  const named = spools.map(({ spoolId, firstSequence }): [string, number] => [spoolId, firstSequence]);
  return {
    floors: new Map([...known, ...named]),
    restored: restored !== null && rows.every((row) => row.updated_at_ms <= restored.restoredAtMs),
  };
}

function senderOf({ clusterId, incarnation }: Omit<SpoolKey, "spoolId">): string {
  return `${clusterId}/${incarnation}`;
}

async function marksWithHoles(db: Kysely<Tables>) {
  const rows = await db.selectFrom("ledger_marks").selectAll().where("ranges", "!=", "[]").execute();
  return rows.map((row) => ({
    spool: { clusterId: row.cluster_id, incarnation: row.incarnation, spoolId: row.spool_id },
    mark: markOf(row),
  }));
}

function markOf({ contiguous, ranges }: Pick<Selectable<Tables["ledger_marks"]>, "contiguous" | "ranges">): Mark {
  return { contiguous, ranges: parseRanges(ranges) };
}

/** Closes the holes, each with a gap unless the agent told of it. Returns how many gaps that made. */
async function record(
  store: Store,
  warehouse: Pick<Warehouse, "append" | "gaps">,
  losses: readonly Loss[],
  nowMs: number,
): Promise<number> {
  const found = [];
  for (const loss of losses) found.push({ ...loss, row: await gapOf(store.db, loss, nowMs) });
  const known = await warehouse.gaps(
    [...new Set(losses.map(({ spool }) => spool.clusterId))],
    Math.min(...found.map(({ row }) => row.startMs)) - 1,
    nowMs,
  );
  const untold = found.filter(({ spool, range }) => !known.some((gap) => covers(gap, spool, range)));
  const batches = untold.map(({ spool, range, row }) => ({
    key: { ...spool, sequence: range.last },
    facts: { kind: "gap" as const, rows: [row] },
  }));
  const facts = batches.length > 0 ? await warehouse.append(batches) : { written: null, touched: [], gapped: [] };
  const committed = store.write(async (trx) => {
    await commitEntries(trx, { entries: [], ...facts, nowMs });
    for (const { spool, range } of losses) await closeLost(trx, spool, range, nowMs);
  });
  await committed.catch(async (error: unknown) => {
    if (facts.written !== null) await letGo(facts.written, error);
    throw error;
  });
  return untold.length;
}

function covers({ clusterId, gap }: ClusterGap, spool: SpoolKey, { first, last }: SequenceRange): boolean {
  const { lostSequences } = gap;
  return (
    clusterId === spool.clusterId &&
    lostSequences !== null &&
    lostSequences.spoolId === spool.spoolId &&
    lostSequences.first <= first &&
    lostSequences.last >= last
  );
}

/** The gap lies between what was sealed before and after it; where nothing is known of before, it begins with the backup. */
async function gapOf(db: Kysely<Tables>, loss: Loss, nowMs: number): Promise<GapRow> {
  const { spool, range } = loss;
  const before = await neighbour(db, spool, "<", range.first);
  const after = await neighbour(db, spool, ">", range.last);
  const restored = await restoreBetween(db, loss.restored, before?.receivedAtMs, after?.receivedAtMs);
  const endMs = after?.sealedAtMs ?? restored?.restoredAtMs ?? nowMs;
  const startMs = Math.min(before?.sealedAtMs ?? restored?.takenAtMs ?? endMs - 1, endMs - 1);
  const kinds = [before?.kind, after?.kind].filter((kind) => kind !== undefined);
  return {
    startMs,
    endMs,
    asOfMs: Math.max(endMs, nowMs),
    reason: restored ? "hub_restored" : "batches_lost",
    // Samples have a spool of their own.
    missing: kinds.length > 0 && kinds.every((kind) => kind === "sample") ? "sample" : null,
    subject: null,
    detail: "these batches never came, or the hub has lost them, and their sender holds them no more",
    lostBatches: range.last - range.first + 1,
    lostRows: 0,
    lostBytes: 0,
    lostSequences: { spoolId: spool.spoolId, ...range },
  };
}

async function neighbour(db: Kysely<Tables>, spool: SpoolKey, side: "<" | ">", sequence: number) {
  return db
    .selectFrom("ledger_batches")
    .select(["sealed_at_ms as sealedAtMs", "received_at_ms as receivedAtMs", "kind"])
    .where("cluster_id", "=", spool.clusterId)
    .where("incarnation", "=", spool.incarnation)
    .where("spool_id", "=", spool.spoolId)
    .where("sequence", side, sequence)
    .orderBy("sequence", side === "<" ? "desc" : "asc")
    .limit(1)
    .executeTakeFirst();
}

/** The restore of the store, if it is what lies between two batches; a spool of which the backup knew nothing says it by its sender. */
async function restoreBetween(
  db: Kysely<Tables>,
  isFirstHeard: boolean,
  beforeMs: number | undefined,
  afterMs: number | undefined,
) {
  const restored = await restoredAt(db);
  if (restored === null || (afterMs ?? Number.POSITIVE_INFINITY) < restored.restoredAtMs) return null;
  const isBefore = beforeMs === undefined ? isFirstHeard : beforeMs <= restored.restoredAtMs;
  return isBefore ? restored : null;
}

/** When the store was restored, and of when it is; null = never. */
async function restoredAt(db: Kysely<Tables>): Promise<{ takenAtMs: number; restoredAtMs: number } | null> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", "restored").executeTakeFirst();
  const value: unknown = row === undefined ? null : JSON.parse(row.value);
  if (typeof value !== "object" || value === null || !("takenAtMs" in value) || !("restoredAtMs" in value)) return null;
  const { takenAtMs, restoredAtMs } = value;
  return typeof takenAtMs === "number" && typeof restoredAtMs === "number" ? { takenAtMs, restoredAtMs } : null;
}
