import Database from "better-sqlite3";
import { z } from "zod";

/** What a copy of the control store names. */
export interface StoreSnapshot {
  readonly segments: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly counts: {
    readonly clusters: number;
    readonly batches: number;
    readonly segments: number;
    readonly rows: number;
    readonly pricedHours: number;
  };
}

const BUSY_TIMEOUT_MS = 10_000;
const Segments = z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() }));
const Counts = z.object({
  clusters: z.number(),
  batches: z.number(),
  segments: z.number(),
  rows: z.number(),
  pricedHours: z.number(),
});

/**
 * Copies a SQLite file that others write meanwhile: one read transaction, so the copy is of one moment. Every page is read
 * and written anew; a damaged one ends it. Blocks the process, and nobody's writes.
 */
export function copyStore(from: string, to: string): void {
  const database = new Database(from, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  try {
    database.prepare("vacuum into ?").run(to);
  } finally {
    database.close();
  }
}

/** What a copy names and counts. */
export function readSnapshot(path: string): StoreSnapshot {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const live = "from segments where state = 'live'";
    return {
      segments: Segments.parse(database.prepare(`select path, bytes, sha256 ${live} order by path`).all()),
      counts: Counts.parse(
        database
          .prepare(
            `select (select count(*) from clusters where phase <> 'deregistered') as clusters,
               (select count(*) from ledger_batches) as batches, (select count(*) ${live}) as segments,
               (select coalesce(sum(rows), 0) ${live}) as rows,
               (select count(*) from cost_hours where revision > 0) as pricedHours`,
          )
          .get(),
      ),
    };
  } finally {
    database.close();
  }
}

/** Writes down in a restored store that it is one: what came after `takenAtMs` is not in it. */
export function markRestored(path: string, takenAtMs: number, restoredAtMs: number): void {
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma("journal_mode = DELETE");
    database
      .prepare(
        `insert into settings (key, value, updated_at_ms) values ('restored', ?, ?)
         on conflict (key) do update set value = excluded.value, updated_at_ms = excluded.updated_at_ms`,
      )
      .run(JSON.stringify({ takenAtMs, restoredAtMs }), restoredAtMs);
  } finally {
    database.close();
  }
}
