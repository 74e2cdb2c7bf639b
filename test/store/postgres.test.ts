import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@plimsoll/contracts/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCosts } from "../../packages/hub/src/cost/costs.ts";
import { readCoverage } from "../../packages/hub/src/coverage/read-coverage.ts";
import { createIngest } from "../../packages/hub/src/ingest/create-ingest.ts";
import { openStore, type Store } from "../../packages/hub/src/store/store.ts";
import { type PostgresServer, startPostgres } from "../../packages/hub/src/store/testing/postgres-server.ts";
import { gapRow, HOUR, HOUR_MS, keyOf, nodeRow, openBed, seal, usageRow } from "../hub/facts.ts";
import { storeConformance } from "./conformance.ts";
import { ledgerConformance } from "./ledger-conformance.ts";

/** 4 cores and 16 GiB for an hour at the default prices. */
const NODE_NANOS = 4n * 31_611_000n + 16n * 4_237_000n;

let server: PostgresServer;
let databases = 0;

beforeAll(async () => {
  server = await startPostgres();
  await server.run("create database migrated");
  const store = await openStore({ postgres: server.url("migrated") });
  expect(await store.migrate()).not.toEqual([]);
  await store.close();
});
afterAll(() => server?.stop());

async function openEmpty(): Promise<Store> {
  databases += 1;
  await server.run(`create database test_${databases} template migrated`);
  return openStore({ postgres: server.url(`test_${databases}`) });
}

describe("the control store in PostgreSQL", () => {
  storeConformance(openEmpty);

  it("says which server does not answer, without the password", async () => {
    const url = "postgres://hub:secret@127.0.0.1:1/plimsoll";
    const opening = openStore({ postgres: url });
    await expect(opening).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(opening).rejects.not.toThrow(/secret/);
  });
});

describe("the ledger in PostgreSQL", () => {
  ledgerConformance(openEmpty, 20);
});

describe("a hub's facts with the control store in PostgreSQL", () => {
  it("are counted once, priced, priced again, merged, found damaged and dropped as with SQLite", async () => {
    const at = await openBed({ store: await openEmpty() });
    try {
      const clusterOf = async () => ({ incarnation: 1, gone: false });
      const ingest = createIngest({ ...at, clusterOf, now: () => HOUR + HOUR_MS, commitEveryMs: 0 });
      const costs = createCosts({ ...at, now: () => HOUR + 2 * HOUR_MS });
      const deliver = async (...batches: readonly Envelope[]): Promise<readonly string[]> => {
        const source = { clusterId: "prod-eu", name: "test" };
        const answers = await Promise.all(batches.map(({ bytes }) => ingest.ingestEnvelope(bytes, source)));
        return answers.map((answer) => (answer.kind === "ack" ? answer.verdict : answer.kind));
      };
      const priced = async () => {
        await costs.priceTouched();
        const hour = await at.store.db.selectFrom("cost_hours").selectAll().executeTakeFirstOrThrow();
        const hours = [{ clusterId: "prod-eu", hourStartMs: HOUR, revision: hour.revision }];
        const sums = await at.warehouse.cost(hours, { by: [{ field: "namespace" }], namespace: null });
        return { ...hour, total: sums.reduce((sum, { total }) => sum + total, 0n) };
      };
      const covered = async () => {
        const cluster = { id: "prod-eu", name: "prod-eu", mode: "push", isGone: false, registeredAtMs: 0 } as const;
        const window = { startMs: HOUR, endMs: HOUR + HOUR_MS };
        const question = { clusters: new Map([["prod-eu", cluster]]), window, nowMs: HOUR + 2 * HOUR_MS };
        const found = await readCoverage({ ...at, heardOf: () => null }, { ...question, facts: "usage" });
        return found.get("prod-eu")?.total;
      };
      const usage = seal(keyOf(1), { kind: "usage", rows: [usageRow()] });
      const nodes = seal(keyOf(2), { kind: "node", rows: [nodeRow()] });
      expect(await deliver(usage, nodes, usage)).toEqual(["applied", "applied", "duplicate"]);
      expect(await deliver(seal(keyOf(1), { kind: "gap", rows: [gapRow()] }))).toEqual(["reject"]);
      expect(await priced()).toMatchObject({
        revision: 1,
        total: NODE_NANOS,
        cost_nanos: NODE_NANOS,
        billed_ms: 2 * HOUR_MS,
      });
      expect(await deliver(seal(keyOf(3), { kind: "gap", rows: [gapRow()] }))).toEqual(["applied"]);
      expect(await priced()).toMatchObject({ revision: 2, total: NODE_NANOS });
      expect(await covered()).toMatchObject({ coveredMs: HOUR_MS - 600_000, expectedMs: HOUR_MS });
      await deliver(seal(keyOf(4), { kind: "usage", rows: [usageRow({ podUid: "b" })] }));
      await priced();
      // Two files of usage become one, two of priced rows too.
      expect(await at.warehouse.compact(HOUR + 24 * HOUR_MS)).toBe(2);
      expect(await priced()).toMatchObject({ revision: 3, total: NODE_NANOS });
      const [segment] = await at.store.db.selectFrom("segments").select("path").where("kind", "=", "usage").execute();
      rmSync(join(at.dataDir, segment?.path ?? ""));
      expect(await at.warehouse.recover()).toMatchObject([{ fault: "missing" }]);
      expect(await at.warehouse.retain("cost", HOUR + HOUR_MS, HOUR)).toBe(1);
      expect(await at.ledger.prune(HOUR + 2 * HOUR_MS)).toBe(4);
      expect(await deliver(usage)).toEqual(["duplicate"]);
      expect((await at.quarantine.page({ scope: "all", limit: 10 })).entries).toMatchObject([
        { code: "batch_conflict", times: 1 },
      ]);
    } finally {
      await at.close();
    }
  });
});
