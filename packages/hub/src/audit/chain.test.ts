import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSealing } from "../sealing/sealing.ts";
import { openStore, type Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import { writeAudit, writeRefusal } from "./audit.ts";
import { auditRecord, auditRow } from "./audit-record.ts";
import { allAuditRows } from "./audit-rows.ts";
import { type CheckpointKey, openCheckpointKey } from "./checkpoint-key.ts";
import { type Checkpoints, createCheckpoints, storedCheckpoints } from "./checkpoints.ts";
import { verifyAudit } from "./verify-audit.ts";

const BY = { actor: { kind: "admin" }, requestId: "r1", address: "10.0.0.7" } as const;
const SEALING = createSealing(new Uint8Array(32).fill(7));
const NO_TIMER = { now: () => 5_000, setTimer: () => () => {} };

let store: Store;
let key: CheckpointKey;
let checkpoints: Checkpoints;
beforeEach(async () => {
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
  key = await openCheckpointKey(store, SEALING, 0);
  checkpoints = createCheckpoints({ store, key, clock: NO_TIMER, log: () => {} });
});
afterEach(() => store.close());

async function write(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const change = { verb: "update", noun: "policy", id: `p${i}`, before: { n: i }, after: { n: i + 1 } } as const;
    await store.write((trx) => writeAudit(trx, BY, { ...change, reason: "because" }, 1_000 + i));
  }
}

async function rows(): Promise<Row<"audit">[]> {
  const all: Row<"audit">[] = [];
  for await (const row of allAuditRows(store)) all.push(row);
  return all;
}

const kinds = async (given: readonly Row<"audit">[]) =>
  (await verifyAudit(given, await storedCheckpoints(store), key.publicKey)).faults.map(({ kind }) => kind);

test("an untouched log of changes and refusals has no fault", async () => {
  await write(3);
  await store.write((trx) =>
    writeRefusal(trx, BY, { verb: "delete", noun: "cluster", id: "a" }, new Error("no"), 2_000),
  );
  await checkpoints.make();
  const verdict = await verifyAudit(await rows(), await storedCheckpoints(store), key.publicKey);
  expect(verdict).toMatchObject({ rows: 4, checkpoints: 1, faults: [] });
});

test("an empty log has no fault and no checkpoint", async () => {
  expect(await checkpoints.make()).toBeNull();
  expect(await verifyAudit([], [], key.publicKey)).toEqual({ rows: 0, lastHash: null, checkpoints: 0, faults: [] });
});

test("the same end is signed once", async () => {
  await write(1);
  expect(await checkpoints.make()).toMatchObject({ auditId: 1 });
  expect(await checkpoints.make()).toBeNull();
});

test("a change and its row come together or not at all", async () => {
  const failing = store.write(async (trx) => {
    await writeAudit(trx, BY, { verb: "update", noun: "policy", id: "x" }, 1);
    throw new Error("the change failed");
  });
  await expect(failing).rejects.toThrow("the change failed");
  expect(await rows()).toEqual([]);
  await write(1);
  expect(await kinds(await rows())).toEqual([]);
});

test("writers side by side make one chain without holes", async () => {
  await Promise.all(Array.from({ length: 20 }, () => write(1)));
  expect((await rows()).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(await kinds(await rows())).toEqual([]);
});

describe("is found:", () => {
  const FIELDS: Partial<Row<"audit">>[] = [
    { at_ms: 7 },
    { actor: "somebody" },
    { on_behalf_of: "somebody" },
    { channel: "stream" },
    { address: null },
    { verb: "delete" },
    { thing: "cluster" },
    { thing_id: null },
    { cluster_id: "c" },
    { outcome: "refused" },
    { code: "forbidden" },
    { reason: "" },
    { detail: "{}" },
    { request_id: null },
  ];
  test.each(FIELDS)("a row whose %j was changed", async (change) => {
    await write(3);
    const log = await rows();
    expect(await kinds(log.map((row) => (row.id === 2 ? { ...row, ...change } : row)))).toEqual(["changed"]);
  });

  test("a removed row, also where the rest was numbered anew", async () => {
    await write(4);
    const without = (await rows()).filter(({ id }) => id !== 2);
    expect(await kinds(without)).toEqual(["missing"]);
    const renumbered = without.map((row, index) => ({ ...row, id: index + 1 }));
    expect(await kinds(renumbered)).toEqual(expect.arrayContaining(["unchained", "changed"]));
  });

  test("two rows that changed places", async () => {
    await write(4);
    const log = await rows();
    const [a, b, c, d] = log;
    const swapped = [a, { ...c, id: 2 }, { ...b, id: 3 }, d].flatMap((row) => (row ? [row as Row<"audit">] : []));
    expect(await kinds(swapped)).toContain("changed");
  });

  test("an end that was cut off behind a checkpoint", async () => {
    await write(4);
    await checkpoints.make();
    expect(await kinds((await rows()).slice(0, 2))).toEqual(["truncated"]);
    expect(await kinds([])).toEqual(["truncated"]);
  });

  test("a log written anew as a whole, by a checkpoint kept elsewhere", async () => {
    await write(3);
    await checkpoints.make();
    const kept = await storedCheckpoints(store);
    const other = await openStore({ sqlite: ":memory:" });
    await other.migrate();
    const forged: Row<"audit">[] = [];
    await other.write(async (trx) => {
      for (let i = 0; i < 3; i += 1) await writeAudit(trx, BY, { verb: "read", noun: "cost", id: null }, i);
    });
    for await (const row of allAuditRows(other)) forged.push(row);
    await other.close();
    const verdict = await verifyAudit(forged, kept, key.publicKey);
    expect(verdict.faults.map(({ kind }) => kind)).toEqual(["differs"]);
  });

  test("a checkpoint that another key signed", async () => {
    await write(1);
    const [row] = await rows();
    const forged = { auditId: 1, hash: row?.hash ?? "", atMs: 5_000, signature: "AAAA" };
    const verdict = await verifyAudit(await rows(), [forged], key.publicKey);
    expect(verdict.faults).toMatchObject([{ kind: "forged", id: 1 }]);
  });
});

test("a record of the API holds all that its hash is over", () =>
  fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), async (after, reason) => {
      const one = await openStore({ sqlite: ":memory:" });
      await one.migrate();
      await one.write((trx) => writeAudit(trx, BY, { verb: "update", noun: "policy", id: "x", after, reason }, 1));
      for await (const row of allAuditRows(one)) {
        const carried = auditRow(JSON.parse(JSON.stringify(auditRecord(row))));
        expect((await verifyAudit([carried], [], key.publicKey)).faults).toEqual([]);
      }
      await one.close();
    }),
    { numRuns: 30 },
  ));

test("a later start signs with the same key", async () => {
  expect((await openCheckpointKey(store, SEALING, 9)).publicKey).toBe(key.publicKey);
});
