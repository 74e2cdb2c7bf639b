import { afterEach, describe, expect, it } from "vitest";
import { type Bed, HOUR, HOUR_MS, keyOf, openBed, usageRow } from "../../../../test/hub/facts.ts";
import { costRecord } from "../../../../test/store/cost-records.ts";
import { createUpkeep } from "./upkeep.ts";

const open: Bed[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

describe("upkeep", () => {
  it("merges what is small and drops what is older than it is kept", async () => {
    const at = await openBed();
    open.push(at);
    for (const podUid of ["a", "b"]) {
      const batch = { key: keyOf(1), facts: { kind: "usage", rows: [usageRow({ podUid })] } } as const;
      await at.ledger.commit({ entries: [], ...(await at.warehouse.append([batch])), nowMs: HOUR });
    }
    let nowMs = HOUR + 24 * HOUR_MS;
    const upkeep = createUpkeep({ ...at, now: () => nowMs });
    const segments = () => at.store.db.selectFrom("segments").select(["rows"]).execute();
    await upkeep.run();
    expect(await segments()).toEqual([{ rows: 4 }]);
    nowMs = HOUR + 36 * 24 * HOUR_MS;
    await upkeep.run();
    expect(await segments()).toEqual([]);
  });

  it("keeps each kind as long as it is told, whole days at once; an hour whose prices went is unknown, never free", async () => {
    const at = await openBed();
    open.push(at);
    const DAY_MS = 24 * HOUR_MS;
    const hours = [HOUR, HOUR + DAY_MS];
    for (const hourStartMs of hours) {
      const rows = [usageRow({ hourStartMs, asOfMs: hourStartMs + 1 })];
      const batch = { key: keyOf(1), facts: { kind: "usage", rows } } as const;
      await at.ledger.commit({ entries: [], ...(await at.warehouse.append([batch])), nowMs: HOUR });
      const written = await at.warehouse.writeCost([costRecord({}, { hourStartMs })]);
      await at.store.write((trx) => written.count(trx, HOUR));
    }
    let nowMs = HOUR + 2 * DAY_MS;
    const retentionMs = { usage: DAY_MS, node: DAY_MS, sample: DAY_MS, gap: 3 * DAY_MS, cost: 3 * DAY_MS };
    const upkeep = createUpkeep({ ...at, now: () => nowMs, retentionMs });
    const left = async () => {
      const segments = await at.store.db.selectFrom("segments").select(["kind", "hour_start_ms"]).execute();
      return segments.map(({ kind, hour_start_ms }) => `${kind} ${hours.indexOf(hour_start_ms)}`).sort();
    };
    await upkeep.run();
    expect(await left()).toEqual(["cost 0", "cost 1", "usage 1"]);
    nowMs = HOUR + 4 * DAY_MS;
    await upkeep.run();
    expect(await left()).toEqual(["cost 1"]);
    const known = await at.store.db.selectFrom("cost_hours").select("hour_start_ms").execute();
    expect(known).toEqual([{ hour_start_ms: hours[1] }]);
  });

  it("does what it can: a part that fails keeps none of the others, and each failure is said", async () => {
    const done: string[] = [];
    const part = (name: string, fails: boolean) => async () => {
      done.push(name);
      if (fails) throw new Error(name);
      return 0;
    };
    const at = await openBed();
    open.push(at);
    const errors: unknown[] = [];
    const upkeep = createUpkeep({
      warehouse: {
        ...at.warehouse,
        compact: async () => {
          throw new AggregateError([new Error("merge"), new Error("sums")]);
        },
        retain: (kind) => part(`retain ${kind}`, kind === "usage")(),
      },
      ledger: { ...at.ledger, forgetPrices: part("forget", true), prune: part("prune", false) },
      everyMs: 0,
      onError: (error) => errors.push(error),
    });
    upkeep.start();
    while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await upkeep.stop();
    const round = ["retain usage", "retain node", "retain sample", "retain gap", "forget", "prune"];
    // Rows whose prices are still known do not go.
    expect(done.slice(0, round.length)).toEqual(round);
    expect(errors.slice(0, 4)).toMatchObject(
      ["merge", "sums", "retain usage", "forget"].map((message) => ({ message })),
    );
  });

  it("goes on after a round that failed, and is over when its stop resolves", async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const warehouse = {
      compact: async () => {
        rounds += 1;
        throw new Error("no");
      },
    };
    const at = await openBed();
    open.push(at);
    const upkeep = createUpkeep({
      ...at,
      warehouse: { ...at.warehouse, ...warehouse },
      everyMs: 0,
      onError: (error) => errors.push(error),
    });
    upkeep.start();
    while (rounds < 3) await new Promise((resolve) => setImmediate(resolve));
    await upkeep.stop();
    const atStop = rounds;
    await new Promise((resolve) => setImmediate(resolve));
    expect(rounds).toBe(atStop);
    expect(errors.length).toBe(rounds);
  });
});
