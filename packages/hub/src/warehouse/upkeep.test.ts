import { afterEach, describe, expect, it } from "vitest";
import { type Bed, HOUR, HOUR_MS, keyOf, openBed, usageRow } from "../../../../test/hub/facts.ts";
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
