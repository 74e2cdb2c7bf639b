import type { GapRow, SequenceRange } from "@plimsoll/contracts/wire";
import type { Kysely } from "kysely";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import type { Warehouse } from "../warehouse/warehouse-port.ts";
import { commitEntries, raiseMark } from "./commit-entries.ts";
import type { SpoolKey } from "./ledger.ts";
import { holesOf, lostBelow } from "./lost-ranges.ts";
import { type Mark, parseRanges } from "./sequence-marks.ts";
import { spoolName } from "./spool-state.ts";

/** A spool that a sender holds, by its word. */
interface HeldSpool {
  readonly spoolId: string;
  /** The oldest that it still holds. */
  readonly firstSequence: number;
}

/**
 * Finds batches that can never come: they lie below one that came, and their sender holds them no more. The hub acknowledged
 * them and lost them (it was restored from a backup, or its store lost its last commits), or the sender lost them before it
 * sent them. They become a gap, and their place in the mark is closed, so that holes do not pile up. Holes that the agent
 * explained itself (its spool was full or damaged) are only closed. Whoever delivers by two channels must say here what it
 * holds for both.
 */
export interface SpoolLosses {
  /** What a sender said at the beginning of its stream. */
  heard(cluster: Omit<SpoolKey, "spoolId">, spools: readonly HeldSpool[]): void;
  /** Writes down what is lost. Returns how many gaps were recorded. */
  settle(nowMs: number): Promise<number>;
}

/** What is lost of a spool. */
interface Loss {
  readonly spool: SpoolKey;
  readonly range: SequenceRange;
}

/** Losses of spools over a store and a warehouse. */
export function createSpoolLosses(store: Store, warehouse: Pick<Warehouse, "append" | "gaps">): SpoolLosses {
  /** Floors of the spools of a cluster that was heard of; one that is not among them holds nothing. */
  const held = new Map<string, ReadonlyMap<string, number>>();
  let suspected = new Set<string>();

  /** A spool with nothing in it may be in the middle of a delivery: what is missing twice in a row is lost. */
  function lossesOf(spool: SpoolKey, mark: Mark, suspects: Set<string>): readonly Loss[] {
    const floors = held.get(senderOf(spool));
    if (floors === undefined) return [];
    const floor = floors.get(spool.spoolId);
    const ranges = floor === undefined ? holesOf(mark) : lostBelow(mark, floor);
    return ranges.flatMap((range) => {
      const name = `${spoolName(spool)} ${range.first}-${range.last}`;
      suspects.add(name);
      return floor !== undefined || suspected.has(name) ? [{ spool, range }] : [];
    });
  }

  return {
    heard: (cluster, spools) => {
      held.set(senderOf(cluster), new Map(spools.map(({ spoolId, firstSequence }) => [spoolId, firstSequence])));
    },
    settle: async (nowMs) => {
      const suspects = new Set<string>();
      const marks = await marksWithHoles(store.db);
      const losses = marks.flatMap(({ spool, mark }) => lossesOf(spool, mark, suspects));
      suspected = suspects;
      let recorded = 0;
      for (const loss of losses) recorded += (await record(store, warehouse, loss, nowMs)) ? 1 : 0;
      return recorded;
    },
  };
}

function senderOf({ clusterId, incarnation }: Omit<SpoolKey, "spoolId">): string {
  return `${clusterId}/${incarnation}`;
}

async function marksWithHoles(db: Kysely<Tables>) {
  const rows = await db.selectFrom("ledger_marks").selectAll().where("ranges", "!=", "[]").execute();
  return rows.map((row) => ({
    spool: { clusterId: row.cluster_id, incarnation: row.incarnation, spoolId: row.spool_id },
    mark: { contiguous: row.contiguous, ranges: parseRanges(row.ranges) },
  }));
}

/** Closes the hole, with a gap unless the agent told of it. */
async function record(
  store: Store,
  warehouse: Pick<Warehouse, "append" | "gaps">,
  { spool, range }: Loss,
  nowMs: number,
): Promise<boolean> {
  const row = await gapOf(store.db, spool, range, nowMs);
  const known = await warehouse.gaps([spool.clusterId], row.startMs - 1, nowMs);
  const explained = known.some(({ gap }) => covers(gap, spool.spoolId, range));
  const facts = explained
    ? { written: null, touched: [], gapped: [] }
    : await warehouse.append([{ key: { ...spool, sequence: range.last }, facts: { kind: "gap", rows: [row] } }]);
  await store.write(async (trx) => {
    await commitEntries(trx, { entries: [], ...facts, nowMs });
    await raiseMark(trx, spool, [range], nowMs);
  });
  return !explained;
}

function covers({ lostSequences }: GapRow, spoolId: string, { first, last }: SequenceRange): boolean {
  return (
    lostSequences !== null &&
    lostSequences.spoolId === spoolId &&
    lostSequences.first <= first &&
    lostSequences.last >= last
  );
}

/** The gap lies between what was sealed before and after it; where nothing is known of before, it begins with the backup. */
async function gapOf(db: Kysely<Tables>, spool: SpoolKey, range: SequenceRange, nowMs: number): Promise<GapRow> {
  const restored = await restoredAt(db);
  const before = await neighbour(db, spool, "<", range.first);
  const after = await neighbour(db, spool, ">", range.last);
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
    .select(["sealed_at_ms as sealedAtMs", "kind"])
    .where("cluster_id", "=", spool.clusterId)
    .where("incarnation", "=", spool.incarnation)
    .where("spool_id", "=", spool.spoolId)
    .where("sequence", side, sequence)
    .orderBy("sequence", side === "<" ? "desc" : "asc")
    .limit(1)
    .executeTakeFirst();
}

/** When the store was restored, and of when it is; null = never. */
async function restoredAt(db: Kysely<Tables>): Promise<{ takenAtMs: number; restoredAtMs: number } | null> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", "restored").executeTakeFirst();
  const value: unknown = row === undefined ? null : JSON.parse(row.value);
  if (typeof value !== "object" || value === null || !("takenAtMs" in value) || !("restoredAtMs" in value)) return null;
  const { takenAtMs, restoredAtMs } = value;
  return typeof takenAtMs === "number" && typeof restoredAtMs === "number" ? { takenAtMs, restoredAtMs } : null;
}
