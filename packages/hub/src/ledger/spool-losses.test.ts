import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bed, gapRow, HOUR, HOUR_MS, keyOf, openBed, usageRow } from "../../../../test/hub/facts.ts";
import type { FactRows } from "../warehouse/fact-batch.ts";
import { holesOf, lostBelow } from "./lost-ranges.ts";
import { createSpoolLosses, type SpoolLosses } from "./spool-losses.ts";

const NOW = HOUR + HOUR_MS;
const CLUSTER = { clusterId: "prod-eu", incarnation: 1 };
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

  it("is every hole of one that holds nothing", () => {
    expect(holesOf(mark)).toEqual([
      { first: 4, last: 5 },
      { first: 8, last: 9 },
    ]);
    expect(holesOf({ contiguous: 3, ranges: [] })).toEqual([]);
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

  /** A batch that was sealed at the minute of its sequence. */
  async function deliver(sequence: number, facts: FactRows = { kind: "usage", rows: [usageRow()] }): Promise<void> {
    const sealedAtMs = HOUR + sequence * 60_000;
    const key = keyOf(sequence);
    const entry = {
      key,
      sha256: `${sequence}`,
      kind: facts.kind,
      rows: 1,
      sealedAtMs,
      receivedAtMs: NOW,
      replaces: null,
    };
    await at.ledger.commit({
      entries: [{ entry, verdict: "applied" }],
      ...(await at.warehouse.append([{ key, facts }])),
      nowMs: NOW,
    });
  }
  const gaps = async () => (await at.warehouse.gaps(["prod-eu"], 0, NOW)).map(({ gap }) => gap);
  const minute = (count: number) => HOUR + count * 60_000;

  it("become a gap between their neighbours, and their place is closed", async () => {
    for (const sequence of [1, 2, 9]) await deliver(sequence);
    losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 9 }]);
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
    losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 9 }]);
    expect(await losses.settle(NOW)).toBe(0);
  });

  it("are waited for as long as their sender holds them, or was never heard of", async () => {
    for (const sequence of [1, 9]) await deliver(sequence);
    expect(await losses.settle(NOW)).toBe(0);
    losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 2 }]);
    losses.heard({ ...CLUSTER, clusterId: "other" }, []);
    expect(await losses.settle(NOW)).toBe(0);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 1 });
  });

  it("are found when their sender holds nothing and goes on later, not while a delivery may be on its way", async () => {
    await deliver(1);
    losses.heard(CLUSTER, []);
    expect(await losses.settle(NOW)).toBe(0);
    await deliver(5);
    expect(await losses.settle(NOW)).toBe(0);
    for (const sequence of [3, 2]) await deliver(sequence);
    expect(await losses.settle(NOW)).toBe(0);
    expect(await losses.settle(NOW)).toBe(1);
    expect((await gaps()).map(({ lostSequences }) => lostSequences)).toEqual([
      { spoolId: "spool-a", first: 4, last: 4 },
    ]);
  });

  it("of a restored hub reach from the backup on where nothing is known of before", async () => {
    const value = JSON.stringify({ takenAtMs: minute(10), restoredAtMs: minute(20) });
    await at.store.db.insertInto("settings").values({ key: "restored", value, updated_at_ms: 1 }).execute();
    losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 31 }]);
    expect(await losses.settle(NOW)).toBe(0);
    await deliver(31);
    expect(await losses.settle(NOW)).toBe(1);
    expect(await gaps()).toMatchObject([
      { startMs: minute(10), endMs: minute(31), reason: "hub_restored", lostBatches: 30 },
    ]);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 31, ranges: [] });
  });

  it("are no second gap when the agent told of them itself; only samples are missing where only samples were sent", async () => {
    const told = gapRow({
      startMs: minute(1),
      endMs: minute(4),
      lostSequences: { spoolId: "spool-a", first: 2, last: 3 },
    });
    await deliver(1, { kind: "gap", rows: [told] });
    for (const sequence of [4, 9]) await deliver(sequence, { kind: "sample", blocks: [] });
    losses.heard(CLUSTER, [{ spoolId: "spool-a", firstSequence: 10 }]);
    expect(await losses.settle(NOW)).toBe(1);
    expect((await gaps()).map(({ reason, missing }) => [reason, missing])).toEqual([
      ["agent_down", null],
      ["batches_lost", "sample"],
    ]);
    expect(await at.ledger.mark(SPOOL)).toMatchObject({ contiguous: 9, ranges: [] });
  });
});
