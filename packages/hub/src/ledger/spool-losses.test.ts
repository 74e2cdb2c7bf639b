import type { SequenceRange } from "@plimsoll/contracts/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bed, gapRow, HOUR, HOUR_MS, keyOf, openBed, usageRow } from "../../../../test/hub/facts.ts";
import type { FactRows } from "../warehouse/fact-batch.ts";
import type { LedgerVerdict } from "./ledger.ts";
import { greatestOf, lostBelow } from "./lost-ranges.ts";
import { createSpoolLosses, type SpoolLosses } from "./spool-losses.ts";

const NOW = HOUR + HOUR_MS;
const CLUSTER = { clusterId: "prod-eu", incarnation: 1 };
const NOTHING = { written: null, touched: [], gapped: [] };
const SPOOL = { ...CLUSTER, spoolId: "spool-a" };

describe("what is lost of a spool", () => {
  const mark = {
    contiguous: 3,
    ranges: [
      { first: 6, last: 7 },
      { first: 10, last: 10 },
    ],
  };
  it.each([
    [4, []],
    [5, [[4, 4]]],
    [6, [[4, 5]]],
    [
      9,
      [
        [4, 5],
        [8, 8],
      ],
    ],
    [
      14,
      [
        [4, 5],
        [8, 9],
      ],
    ],
  ])("below %d", (floor, lost) => {
    expect(lostBelow(mark, floor).map(({ first, last }) => [first, last])).toEqual(lost);
  });

  it("is looked for up to the greatest that came", () => {
    expect(greatestOf(mark)).toBe(10);
    expect(greatestOf({ contiguous: 3, ranges: [] })).toBe(3);
    expect(greatestOf({ contiguous: 0, ranges: [] })).toBe(0);
  });
});

describe("batches that a hub acknowledged and has no more", () => {
  let at: Bed;
  let losses: SpoolLosses;
  beforeEach(async () => {
    at = await openBed();
    losses = createSpoolLosses(at.store, at.warehouse);
  });
  afterEach(() => at.close());

  /** A batch that was sealed at the minute of its sequence; gives the ledger's verdict. */
  async function deliver(
    sequence: number,
    facts: FactRows = { kind: "usage", rows: [usageRow()] },
    change: { readonly replaces?: SequenceRange; readonly spoolId?: string; readonly receivedAtMs?: number } = {},
  ): Promise<LedgerVerdict> {
    const { replaces = null, spoolId = "spool-a", receivedAtMs = NOW } = change;
    const sealedAtMs = HOUR + sequence * 60_000;
    const key = keyOf(sequence, { spoolId });
    const entry = { key, sha256: `${sequence}`, kind: facts.kind, rows: 1, sealedAtMs, receivedAtMs, replaces };
    const [verdict = "conflict"] = await at.ledger.judge([entry]);
    const written = verdict === "applied" ? await at.warehouse.append([{ key, facts }]) : NOTHING;
    await at.ledger.commit({ entries: [{ entry, verdict }], ...written, nowMs: NOW });
    return verdict;
  }
  const gaps = async () => (await at.warehouse.gaps(["prod-eu"], 0, NOW)).map(({ gap }) => gap);
  const minute = (count: number) => HOUR + count * 60_000;

  it("become a gap between their neighbours, and their place is closed", async () => {
    for (const sequence of [1, 2, 9]) await deliver(sequence);
    await losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 9 }]);
    expect(await losses.settle(NOW)).toBe(1);
    expect(await gaps()).toMatchObject([
      {
        startMs: minute(2),
        endMs: minute(9),
        reason: "batches_lost",
        missing: null,
        lostBatches: 6,
        lostSequences: { spoolId: "spool-a", first: 3, last: 8 },
      },
    ]);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 9, ranges: [] });
    await losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 9 }]);
    expect(await losses.settle(NOW)).toBe(0);
  });

  it("are waited for as long as their sender holds them, or was never heard of", async () => {
    for (const sequence of [1, 9]) await deliver(sequence);
    expect(await losses.settle(NOW)).toBe(0);
    await losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 2 }]);
    await losses.heard({ ...CLUSTER, clusterId: "other" }, []);
    expect(await losses.settle(NOW)).toBe(0);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 1 });
  });

  it("are those below what had come when their sender said that it holds nothing", async () => {
    for (const sequence of [1, 5]) await deliver(sequence);
    await losses.heard(CLUSTER, []);
    expect(await losses.settle(NOW)).toBe(1);
    expect((await gaps()).map(({ lostSequences }) => lostSequences)).toEqual([
      { spoolId: "spool-a", first: 2, last: 4 },
    ]);
  });

  it("are none of those that their sender seals later, however long they stay away", async () => {
    await deliver(1);
    await losses.heard(CLUSTER, []);
    // The newest comes first; then the link breaks for many rounds.
    for (const sequence of [9, 7]) await deliver(sequence);
    for (let round = 0; round < 5; round += 1) expect(await losses.settle(NOW)).toBe(0);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 1 });
    await losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 2 }]);
    for (const sequence of [8, 6, 5, 4, 3, 2]) expect(await deliver(sequence)).toBe("applied");
    expect(await losses.settle(NOW)).toBe(0);
    expect(await gaps()).toEqual([]);
  });

  it("are none when not all that their sender holds could be told", async () => {
    for (const sequence of [1, 5]) await deliver(sequence);
    await losses.heard(CLUSTER, []);
    await losses.heard(CLUSTER, null);
    expect(await losses.settle(NOW)).toBe(0);
  });

  it("count when they come after all, alone or in one that stands for them, and only once", async () => {
    for (const sequence of [1, 9, 40, 42]) await deliver(sequence);
    await losses.heard(CLUSTER, []);
    expect(await losses.settle(NOW)).toBe(3);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 42, ranges: [] });
    expect(await deliver(5)).toBe("applied");
    expect(await deliver(5)).toBe("duplicate");
    expect(await deliver(41, undefined, { replaces: { first: 10, last: 39 } })).toBe("applied");
    expect(await deliver(20)).toBe("duplicate");
    expect(await deliver(8, undefined, { replaces: { first: 4, last: 6 } })).toBe("superseded");
    expect(await deliver(4)).toBe("applied");
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 42, ranges: [] });
  });

  it("are in one that was in the quarantine and stood for them: its replay counts", async () => {
    for (const sequence of [1, 42]) await deliver(sequence);
    const merged = { sha256: "41", kind: "usage", rows: 1, sealedAtMs: HOUR, receivedAtMs: NOW } as const;
    await at.ledger.registerQuarantined({ ...merged, key: keyOf(41), replaces: { first: 2, last: 40 } });
    await losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 43 }]);
    expect(await losses.settle(NOW)).toBe(1);
    expect(await deliver(41, undefined, { replaces: { first: 2, last: 40 } })).toBe("applied");
  });

  it("are none of the hub's own, whose sequences have holes", async () => {
    for (const sequence of [5, 9]) await deliver(sequence, undefined, { spoolId: "hub-quarantine" });
    await losses.heard(CLUSTER, []);
    expect(await losses.settle(NOW)).toBe(0);
    expect(await losses.settle(NOW)).toBe(0);
  });

  it("of a restored hub reach from the backup on where nothing is known of before", async () => {
    const value = JSON.stringify({ takenAtMs: minute(10), restoredAtMs: minute(20) });
    await at.store.db.insertInto("settings").values({ key: "restored", value, updated_at_ms: 1 }).execute();
    await losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 31 }]);
    expect(await losses.settle(NOW)).toBe(0);
    await deliver(31);
    expect(await losses.settle(NOW)).toBe(1);
    expect(await gaps()).toMatchObject([
      { startMs: minute(10), endMs: minute(31), reason: "hub_restored", lostBatches: 30 },
    ]);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 31, ranges: [] });
  });

  it("of a hub that was restored once are the restore's only where it lies between what came", async () => {
    const value = JSON.stringify({ takenAtMs: minute(10), restoredAtMs: minute(20) });
    await at.store.db.insertInto("settings").values({ key: "restored", value, updated_at_ms: 1 }).execute();
    // In the backup there was a hole; the restore made one; later there is another.
    for (const sequence of [1, 3]) await deliver(sequence, undefined, { receivedAtMs: minute(9) });
    for (const sequence of [31, 33]) await deliver(sequence);
    for (const sequence of [5, 6]) await deliver(sequence, undefined, { spoolId: "spool-b" });
    await losses.heard(CLUSTER, []);
    await losses.heard(CLUSTER, [{ spoolId: "spool-b", firstSequence: 6 }]);
    expect(await losses.settle(NOW)).toBe(4);
    const said = (await gaps()).map(({ reason, startMs, lostSequences }) => [lostSequences?.first, reason, startMs]);
    expect(said.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
      [1, "batches_lost", minute(5) - 1],
      [2, "batches_lost", minute(1)],
      [4, "hub_restored", minute(3)],
      [32, "batches_lost", minute(31)],
    ]);
  });

  it("of a whole fleet are of few commits", async () => {
    const spools = Array.from({ length: 60 }, (_, index) => `spool-${index}`);
    for (const spoolId of spools) await deliver(31, { kind: "sample", blocks: [] }, { spoolId });
    let appended = 0;
    const counted: Parameters<typeof createSpoolLosses>[1] = {
      gaps: (...asked) => at.warehouse.gaps(...asked),
      append: (batches) => {
        appended += 1;
        return at.warehouse.append(batches);
      },
    };
    const again = createSpoolLosses(at.store, counted);
    await again.heard(
      CLUSTER,
      spools.map((spoolId) => ({ spoolId, firstSequence: 31 })),
    );
    expect(await again.settle(NOW)).toBe(60);
    expect(appended).toBe(1);
    expect(new Set((await gaps()).map(({ lostSequences }) => lostSequences?.spoolId))).toEqual(new Set(spools));
    expect(await again.settle(NOW)).toBe(0);
  });

  it("are no second gap when the agent told of them itself; only samples are missing where only samples were sent", async () => {
    const told = gapRow({
      startMs: minute(1),
      endMs: minute(4),
      lostSequences: { spoolId: "spool-a", first: 2, last: 3 },
    });
    await deliver(1, { kind: "gap", rows: [told] });
    for (const sequence of [4, 9]) await deliver(sequence, { kind: "sample", blocks: [] });
    await losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 10 }]);
    expect(await losses.settle(NOW)).toBe(1);
    expect((await gaps()).map(({ reason, missing }) => [reason, missing])).toEqual([
      ["agent_down", null],
      ["batches_lost", "sample"],
    ]);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 9, ranges: [] });
  });
});
