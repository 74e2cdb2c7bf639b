import fc from "fast-check";
import { expect, it } from "vitest";
import { exchangeSegments } from "../../packages/hub/src/ledger/exchange-segments.ts";
import { type Ledger, type LedgerEntry, type LedgerVerdict, openLedger } from "../../packages/hub/src/ledger/ledger.ts";
import { liveSegmentsOfAllKinds } from "../../packages/hub/src/ledger/segment-rows.ts";
import type { SegmentInfo } from "../../packages/hub/src/ledger/segments.ts";
import type { Store } from "../../packages/hub/src/store/store.ts";
import type { Written } from "../../packages/hub/src/warehouse/warehouse-port.ts";

const SPOOL = { clusterId: "prod-eu", incarnation: 1, spoolId: "spool-a" };

function entryOf(sequence: number, change: Partial<LedgerEntry> & { readonly spoolId?: string } = {}): LedgerEntry {
  const { spoolId = SPOOL.spoolId, ...rest } = change;
  return {
    key: { ...SPOOL, spoolId, sequence },
    sha256: `sha-${spoolId}-${sequence}`,
    kind: "usage",
    rows: 1,
    sealedAtMs: 1_760_000_000_000,
    receivedAtMs: 1_760_000_001_000,
    replaces: null,
    ...rest,
  };
}

/** Judges and commits as ingest does. */
async function deliver(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<readonly LedgerVerdict[]> {
  const verdicts = await ledger.judge(entries);
  await ledger.commit({
    entries: entries.map((entry, index) => ({ entry, verdict: verdicts[index] ?? "conflict" })),
    written: null,
    touched: [],
    gapped: [],
    nowMs: 1_760_000_002_000,
  });
  return verdicts;
}

const HOUR_START = 1_760_000_400_000;

/** Rows that count by a setting, once. */
const WRITTEN: Written = {
  count: async (trx) => {
    await trx.insertInto("settings").values({ key: "written", value: "1", updated_at_ms: 1 }).execute();
  },
  discard: async () => undefined,
  abandon: async () => undefined,
};

const SUMS: SegmentInfo = {
  id: "sums",
  kind: "cost_day",
  hourStartMs: HOUR_START,
  endMs: HOUR_START + 1,
  path: "segments/cost_day/sums.parquet",
  rows: 1,
  bytes: 1,
  sha256: "",
  generation: 1,
  clusters: new Map([["prod-eu", 1]]),
};

/** One arrival: a group of (spool, sequence, which content), committed together. */
const GROUPS = fc.array(
  fc.array(
    fc.record({
      spool: fc.constantFrom("spool-a", "spool-b"),
      sequence: fc.integer({ min: 1, max: 12 }),
      content: fc.constantFrom("x", "x", "x", "y"),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  { maxLength: 10 },
);

/** What the ledger promises, run on every kind of control store. `openEmpty` gives a migrated, empty one. */
export function ledgerConformance(openEmpty: () => Promise<Store>, rounds: number): void {
  const withLedger = async (use: (ledger: Ledger, store: Store) => Promise<void>): Promise<void> => {
    const store = await openEmpty();
    try {
      await use(openLedger(store), store);
    } finally {
      await store.close();
    }
  };

  it("counts a batch once, and knows a repeat and another content under its key", () =>
    withLedger(async (ledger) => {
      expect(await deliver(ledger, [entryOf(1)])).toEqual(["applied"]);
      expect(await deliver(ledger, [entryOf(1), entryOf(1, { sha256: "other" })])).toEqual(["duplicate", "conflict"]);
      expect(await ledger.mark(SPOOL)).toEqual({ spoolId: "spool-a", contiguous: 1, ranges: [] });
    }));

  it("sees a repeat and a conflict within one group", () =>
    withLedger(async (ledger) => {
      const group = [entryOf(2), entryOf(2), entryOf(2, { sha256: "other" }), entryOf(1)];
      expect(await deliver(ledger, group)).toEqual(["applied", "duplicate", "conflict", "applied"]);
      expect(await ledger.mark(SPOOL)).toMatchObject({ contiguous: 2 });
    }));

  it("keeps spools and incarnations apart", () =>
    withLedger(async (ledger) => {
      await deliver(ledger, [entryOf(1), entryOf(3, { spoolId: "spool-b" })]);
      expect(await ledger.mark({ ...SPOOL, spoolId: "spool-b" })).toMatchObject({
        contiguous: 0,
        ranges: [{ first: 3, last: 3 }],
      });
      expect(await ledger.mark({ ...SPOOL, incarnation: 2 })).toMatchObject({ contiguous: 0, ranges: [] });
    }));

  it("counts each batch exactly once over any arrivals, in any order and grouping, and its marks say so", () =>
    withLedger(async (ledger) => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(GROUPS, async (groups) => {
          round += 1;
          const applied = new Map<string, string>();
          for (const group of groups) {
            const entries = group.map(({ spool, sequence, content }) =>
              entryOf(sequence, { spoolId: `${spool}-${round}`, sha256: content }),
            );
            const verdicts = await deliver(ledger, entries);
            for (const [index, { key, sha256 }] of entries.entries()) {
              const name = `${key.spoolId} ${key.sequence}`;
              const before = applied.get(name);
              const expected = before === undefined ? "applied" : before === sha256 ? "duplicate" : "conflict";
              expect(verdicts[index]).toBe(expected);
              if (expected === "applied") applied.set(name, sha256);
            }
          }
          for (const spool of ["spool-a", "spool-b"]) {
            const { contiguous, ranges } = await ledger.mark({ ...SPOOL, spoolId: `${spool}-${round}` });
            for (let sequence = 1; sequence <= 13; sequence += 1) {
              const held = sequence <= contiguous || ranges.some((r) => r.first <= sequence && sequence <= r.last);
              expect(held).toBe(applied.has(`${spool}-${round} ${sequence}`));
            }
          }
        }),
        { numRuns: rounds },
      );
    }));

  it("lets a coarser batch stand for others only when none of them was applied", () =>
    withLedger(async (ledger) => {
      await deliver(ledger, [entryOf(3)]);
      const replaces = (sequence: number, first: number, last: number) =>
        entryOf(sequence, { replaces: { first, last } });
      expect(await deliver(ledger, [replaces(10, 1, 2), replaces(11, 3, 5), replaces(12, 2, 4)])).toEqual([
        "applied",
        "superseded",
        "superseded",
      ]);
      // 1 and 2 come after all: they are in batch 10 already. 4 and 5 are in none.
      expect(await deliver(ledger, [entryOf(1), entryOf(2), entryOf(4), entryOf(5)])).toEqual([
        "duplicate",
        "duplicate",
        "applied",
        "applied",
      ]);
      expect(await ledger.mark(SPOOL)).toMatchObject({ contiguous: 5, ranges: [{ first: 10, last: 12 }] });
    }));

  it("gives a quarantined batch its place, so that nothing waits for it, and counts it once it can be read", () =>
    withLedger(async (ledger, { db }) => {
      const bad = entryOf(1, { kind: null });
      await ledger.registerQuarantined(bad);
      await ledger.registerQuarantined(bad);
      expect(await deliver(ledger, [entryOf(2)])).toEqual(["applied"]);
      expect(await ledger.mark(SPOOL)).toMatchObject({ contiguous: 2 });
      expect(await deliver(ledger, [entryOf(1, { sha256: "other" })])).toEqual(["conflict"]);
      expect(await deliver(ledger, [entryOf(1), entryOf(1)])).toEqual(["applied", "duplicate"]);
      const rows = await db
        .selectFrom("ledger_batches")
        .select(["sequence", "state", "kind"])
        .orderBy("sequence")
        .execute();
      expect(rows).toEqual([
        { sequence: 1, state: "applied", kind: "usage" },
        { sequence: 2, state: "applied", kind: "usage" },
      ]);
    }));

  it("does not let a quarantined batch take the place of one that counts", () =>
    withLedger(async (ledger, { db }) => {
      await deliver(ledger, [entryOf(1)]);
      await ledger.registerQuarantined(entryOf(1, { sha256: "other" }));
      expect(await db.selectFrom("ledger_batches").select(["sha256", "state"]).execute()).toEqual([
        { sha256: "sha-spool-a-1", state: "applied" },
      ]);
    }));

  it("knows a repeat of a batch whose row it has forgotten", () =>
    withLedger(async (ledger, { db }) => {
      await deliver(ledger, [entryOf(1), entryOf(2, { receivedAtMs: 1_760_000_009_000 })]);
      expect(await ledger.prune(1_760_000_005_000)).toBe(1);
      expect(await db.selectFrom("ledger_batches").select("sequence").execute()).toEqual([{ sequence: 2 }]);
      expect(await deliver(ledger, [entryOf(1), entryOf(3, { replaces: { first: 1, last: 1 } })])).toEqual([
        "duplicate",
        "superseded",
      ]);
    }));

  it("keeps what is in the quarantine, however old: it counts once it is replayed", () =>
    withLedger(async (ledger, { db }) => {
      await ledger.registerQuarantined(entryOf(1, { kind: null }));
      expect(await ledger.prune(1_760_000_005_000)).toBe(0);
      expect(await db.selectFrom("ledger_batches").select("state").execute()).toEqual([{ state: "quarantined" }]);
      expect(await deliver(ledger, [entryOf(1)])).toEqual(["applied"]);
    }));

  it("puts segments in the place of none: sums of a day that had none", () =>
    withLedger(async (_, { db, write }) => {
      await write((trx) => exchangeSegments(trx, [], [SUMS], 1));
      expect(await liveSegmentsOfAllKinds(db)).toMatchObject([{ id: SUMS.id }]);
    }));

  it("registers rows, marks and hours to price in the same commit, or none of them", () =>
    withLedger(async (ledger, { db }) => {
      const touched = [{ clusterId: "prod-eu", hourStartMs: HOUR_START }];
      const commit = { written: WRITTEN, touched, gapped: [], nowMs: 1 };
      await ledger.commit({ ...commit, entries: [{ entry: entryOf(1), verdict: "applied" }] });
      const hours = () => db.selectFrom("cost_hours").select(["facts_version", "priced_version"]).execute();
      expect(await hours()).toEqual([{ facts_version: 1, priced_version: 0 }]);
      // The rows count already, so this commit must leave no trace of its entry or hour.
      await expect(
        ledger.commit({ ...commit, entries: [{ entry: entryOf(2), verdict: "applied" }] }),
      ).rejects.toThrow();
      expect(await ledger.mark(SPOOL)).toMatchObject({ contiguous: 1, ranges: [] });
      expect(await hours()).toEqual([{ facts_version: 1, priced_version: 0 }]);
      await ledger.commit({ entries: [], written: null, touched, gapped: [], nowMs: 2 });
      expect(await hours()).toEqual([{ facts_version: 2, priced_version: 0 }]);
    }));

  it("notices a writer that registered the same batch after it was judged", () =>
    withLedger(async (ledger) => {
      const entry = entryOf(1);
      const late = {
        entries: [{ entry, verdict: "applied" as const }],
        written: WRITTEN,
        touched: [],
        gapped: [],
        nowMs: 1,
      };
      await deliver(ledger, [entry]);
      await expect(ledger.commit(late)).rejects.toMatchObject({ code: "ledger_moved" });
    }));
}
