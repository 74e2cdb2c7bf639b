import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Bed, HOUR, HOUR_MS, keyOf, openBed, usageRow } from "../../../../test/hub/facts.ts";
import { liveSegmentsOfAllKinds } from "../ledger/segment-rows.ts";
import type { Store } from "../store/store.ts";
import { Duck } from "./duck.ts";
import { openWarehouse, type Warehouse } from "./warehouse.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function threeFiles(): Promise<Bed> {
  const at = await openBed();
  open.push(at);
  for (const podUid of ["a", "b", "c"]) {
    const batch = { key: keyOf(1), facts: { kind: "usage", rows: [usageRow({ podUid })] } } as const;
    await at.ledger.commit({ entries: [], ...(await at.warehouse.append([batch])), nowMs: HOUR });
  }
  return at;
}

/** A warehouse on the same files whose first commit ends otherwise. */
async function withWrite(at: Bed, write: (real: Store["write"]) => Store["write"]): Promise<Warehouse> {
  let real = write(at.store.write);
  const store: Store = {
    ...at.store,
    write: (change) => {
      const once = real;
      real = at.store.write;
      return once(change);
    },
  };
  const warehouse = await openWarehouse({ dataDir: at.dataDir, store, threads: 1 });
  open.push(warehouse);
  return warehouse;
}

const filesOf = (at: Bed) =>
  readdirSync(join(at.dataDir, "segments"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describe("files that take the place of others", () => {
  it("stay when the answer of their commit is lost: it may be durable", async () => {
    const at = await threeFiles();
    const warehouse = await withWrite(at, (write) => async (change) => {
      await write(change);
      throw new Error("Connection terminated unexpectedly");
    });
    await expect(warehouse.compact(HOUR + 30 * HOUR_MS)).rejects.toThrow();
    const live = await liveSegmentsOfAllKinds(at.store.db);
    expect(live.map(({ path }) => existsSync(join(at.dataDir, path)))).toEqual([true]);
    expect(await at.warehouse.usage(["prod-eu"], HOUR)).toMatchObject([{ pods: 3 }, { pods: 3 }]);
  });

  it("are made although those of another day cannot be", async () => {
    const at = await threeFiles();
    const DAY_MS = 24 * HOUR_MS;
    for (const podUid of ["a", "b"]) {
      const row = usageRow({ podUid, hourStartMs: HOUR + DAY_MS, asOfMs: HOUR + DAY_MS + 1 });
      const batch = { key: keyOf(1), facts: { kind: "usage", rows: [row] } } as const;
      await at.ledger.commit({ entries: [], ...(await at.warehouse.append([batch])), nowMs: HOUR });
    }
    const warehouse = await withWrite(at, () => async () => {
      throw new Error("no");
    });
    await expect(warehouse.compact(HOUR + 30 * DAY_MS)).rejects.toThrow("no");
    const left = await liveSegmentsOfAllKinds(at.store.db);
    expect(left.map(({ generation }) => generation).toSorted()).toEqual([0, 0, 0, 1]);
  });

  it("are made in smaller pieces when the engine lacks memory for larger ones", async () => {
    const at = await threeFiles();
    const tooLarge = new Error(
      "Out of Memory Error: failed to allocate data of size 1.0 MiB (243.3 MiB/244.1 MiB used)",
    );
    const use = vi.spyOn(Duck.prototype, "use").mockRejectedValueOnce(tooLarge).mockRejectedValueOnce(tooLarge);
    expect(await at.warehouse.compact(HOUR + 30 * HOUR_MS)).toBe(2);
    expect(use).toHaveBeenCalledTimes(3);
    use.mockRestore();
    expect(await at.warehouse.usage(["prod-eu"], HOUR)).toMatchObject([{ pods: 3 }, { pods: 3 }]);
  });

  it("stay apart when no piece is small enough, and that is said", async () => {
    const at = await threeFiles();
    const use = vi.spyOn(Duck.prototype, "use").mockRejectedValue(new Error("Out of Memory Error: no"));
    await expect(at.warehouse.compact(HOUR + 30 * HOUR_MS)).rejects.toMatchObject({ code: "warehouse_unavailable" });
    use.mockRestore();
    expect(filesOf(at)).toHaveLength(3);
  });

  it("go when another was faster for certain", async () => {
    const at = await threeFiles();
    const warehouse = await withWrite(at, () => async () => {
      throw new PlimsollError("ledger_moved", { batch: "segments" });
    });
    expect(await warehouse.compact(HOUR + 30 * HOUR_MS)).toBe(0);
    expect(filesOf(at)).toHaveLength(3);
  });
});
