import { parseMoney } from "@plimsoll/contracts";
import { CostAnswer, CostQuery } from "@plimsoll/contracts/rest";
import type { Batch, UsageRow } from "@plimsoll/contracts/wire";
import { afterEach, describe, expect, it } from "vitest";
import {
  ATTRIBUTION,
  type Bed,
  GIB,
  gapRow,
  HOUR,
  HOUR_MS,
  held,
  keyOf,
  nodeRow,
  openBed,
  sampleRow,
  seal,
  usageRow,
} from "../../../../test/hub/facts.ts";
import { createIngest } from "../ingest/create-ingest.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import { type Disk, REAL_DISK } from "../warehouse/disk.ts";
import type { WarehouseConfig } from "../warehouse/warehouse.ts";
import { type Costs, createCosts } from "./costs.ts";

const CORE = 31_611_000n;
const GIB_HOUR = 4_237_000n;
const NODE = 4n * CORE + 16n * GIB_HOUR;
const MINUTE = 60_000;
const CART = CORE + GIB_HOUR;

const open: Bed[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

interface CostBed extends Bed {
  readonly costs: Costs;
  nowMs: number;
  /** Delivers batches of a cluster as an agent does. */
  deliver(clusterId: string, ...batches: readonly Batch[]): Promise<void>;
  ask(query: Partial<CostQuery>, scope?: ClusterScope): Promise<CostAnswer>;
}

async function bed(clusters: readonly string[] = ["c-eu"], config: Partial<WarehouseConfig> = {}): Promise<CostBed> {
  const at = await openBed(config);
  open.push(at);
  for (const id of clusters) await register(at, id, id.replace("c-", "prod-"));
  let sequence = 0;
  const ingest = createIngest({
    ...at,
    clusterOf: async () => ({ incarnation: 1, gone: false }),
    commitEveryMs: 0,
    now: () => HOUR,
  });
  const costs = createCosts({ ...at, now: () => self.nowMs });
  const self: CostBed = {
    ...at,
    costs,
    nowMs: HOUR + 2 * HOUR_MS,
    deliver: async (clusterId, ...batches) => {
      for (const batch of batches) {
        sequence += 1;
        const answer = await ingest.ingestEnvelope(seal(keyOf(sequence, { clusterId }), batch).bytes, {
          clusterId,
          name: "test",
        });
        expect(answer.kind).toBe("ack");
      }
    },
    ask: async (query, scope = "all") => {
      const answer = await costs.costOf(CostQuery.parse(query), scope, self.nowMs);
      return CostAnswer.parse(answer);
    },
  };
  return self;
}

async function register({ store }: Bed, id: string, name: string, createdAtMs = HOUR - 100 * HOUR_MS): Promise<void> {
  await store.db
    .insertInto("clusters")
    .values({
      id,
      name,
      fingerprint: id,
      incarnation: 1,
      mode: "push",
      phase: "active",
      simulated: 0,
      base: "{}",
      labels: "{}",
      session_epoch: 0,
      report_sequence: 0,
      resource_version: 1,
      created_at_ms: createdAtMs,
      updated_at_ms: createdAtMs,
    })
    .execute();
}

const usage = (...rows: readonly Partial<UsageRow>[]): Batch => ({
  kind: "usage",
  rows: rows.map((row) => usageRow(row)),
});
const nodes = (...rows: readonly Parameters<typeof nodeRow>[0][]): Batch => ({
  kind: "node",
  rows: rows.map((row) => nodeRow(row)),
});

/** `cluster=prod-eu 0.1` and so on. */
const rowsOf = ({ items }: CostAnswer) => items.map(({ key, total }) => [...Object.values(key), parseMoney(total)]);
const TWO_HOURS = "2026-03-14T09:00:00Z,2026-03-14T11:00:00Z";

describe("what things cost", () => {
  it("sums to the machines' price, whatever it is asked by", async () => {
    const at = await bed(["c-eu", "c-us"]);
    const other = { ...ATTRIBUTION, namespace: "batch", ownerTeam: null, labels: {} };
    await at.deliver("c-eu", nodes({}), usage({}, { podUid: "b", attribution: other }));
    await at.deliver("c-us", nodes({}, { nodeUid: "b", nodeName: "node-b" }), usage({}));
    await at.costs.priceTouched();
    const total = 3n * NODE;
    for (const aggregate of [
      "cluster",
      "namespace",
      "workload",
      "node",
      "owner-team",
      "label:app",
      "cluster,namespace,env",
    ]) {
      const answer = await at.ask({ window: TWO_HOURS, aggregate });
      expect(parseMoney(answer.sum)).toBe(total);
      for (const part of ["cpu", "memory", "gpu"] as const) {
        const ofPart = answer.items.reduce((sum, row) => sum + (parseMoney(row[part]) ?? 0n), 0n);
        expect(ofPart).toBe({ cpu: 12n * CORE, memory: 48n * GIB_HOUR, gpu: 0n }[part]);
      }
    }
    expect(rowsOf(await at.ask({ window: TWO_HOURS, aggregate: "cluster" }))).toEqual([
      ["prod-us", 2n * NODE],
      ["prod-eu", NODE],
    ]);
    expect(rowsOf(await at.ask({ window: TWO_HOURS, aggregate: "owner-team", cluster: "prod-eu" }))).toEqual([
      ["__idle__", NODE - 2n * CART - CORE / 10n - GIB_HOUR],
      ["__unallocated__", CART],
      ["web", CART],
      ["__system__", CORE / 10n + GIB_HOUR],
    ]);
    expect(rowsOf(await at.ask({ window: TWO_HOURS, aggregate: "cluster,workload", namespace: "shop" }))).toEqual([
      ["prod-eu", "Deployment/cart", CART],
      ["prod-us", "Deployment/cart", CART],
    ]);
  });

  it("says its sum of all groups, also of those beyond the limit", async () => {
    const at = await bed();
    await at.deliver("c-eu", nodes({}), usage({}));
    await at.costs.priceTouched();
    const answer = await at.ask({ window: TWO_HOURS, aggregate: "namespace", limit: 1 });
    expect([answer.items.length, answer.total, parseMoney(answer.sum)]).toEqual([1, 3, NODE]);
  });

  it("is the same when facts come late, in pieces, or twice; what was priced before is replaced", async () => {
    const at = await bed();
    await at.deliver(
      "c-eu",
      usage({ asOfMs: HOUR + 600_000, resources: new Map([["cpu", held(1_000_000_000n, 600)]]) }),
    );
    await at.costs.priceTouched();
    expect(await at.ask({ window: TWO_HOURS })).toMatchObject({
      sum: "0",
      errors: [{ cluster: "prod-eu", code: "nodes_unpriced" }],
    });
    await at.deliver("c-eu", nodes({ asOfMs: HOUR + 600_000, presentMs: 600_000 }));
    await at.costs.priceTouched();
    expect(parseMoney((await at.ask({ window: TWO_HOURS })).sum)).toBe((NODE + 3n) / 6n);
    await at.deliver("c-eu", usage({}), nodes({}));
    await at.costs.priceTouched();
    expect(rowsOf(await at.ask({ window: TWO_HOURS, aggregate: "namespace" }))).toContainEqual(["shop", CART]);
    expect(parseMoney((await at.ask({ window: TWO_HOURS })).sum)).toBe(NODE);
    const left = await at.store.db.selectFrom("segments").select("rows").where("kind", "=", "cost").execute();
    // The rows that count, and those right before them, for a question that is under way.
    expect(left).toHaveLength(2);
    const [hour] = await at.store.db.selectFrom("cost_hours").selectAll().execute();
    expect(hour).toMatchObject({
      revision: 3,
      facts_version: 4,
      priced_version: 4,
      cost_nanos: NODE,
      billed_ms: 2 * HOUR_MS,
      unseen_ms: 0,
    });
    expect((await at.costs.priceTouched()).hours).toEqual([]);
  });

  it("does not lose facts that come while an hour is being priced", async () => {
    const at = await bed();
    await at.deliver("c-eu", nodes({}), usage({}));
    const { warehouse } = at;
    const late = createCosts({
      ...at,
      now: () => at.nowMs,
      warehouse: {
        ...warehouse,
        writeCost: async (records) => {
          await at.deliver("c-eu", usage({ podUid: "late" }));
          return warehouse.writeCost(records);
        },
      },
    });
    await late.priceTouched();
    expect(rowsOf(await at.ask({ window: TWO_HOURS, aggregate: "namespace" }))).toContainEqual(["shop", CART]);
    await at.costs.priceTouched();
    expect(rowsOf(await at.ask({ window: TWO_HOURS, aggregate: "namespace" }))).toContainEqual(["shop", 2n * CART]);
  });

  it("counts each price once when two passes are at the same hours", async () => {
    const at = await bed();
    await at.deliver("c-eu", nodes({}), usage({}));
    const passes = await Promise.all(
      [at.costs, createCosts({ ...at, now: () => at.nowMs })].map((costs) => costs.priceTouched()),
    );
    expect(
      passes.flatMap(({ failed }) => failed.map(({ code }) => code)).filter((code) => code !== "ledger_moved"),
    ).toEqual([]);
    expect(parseMoney((await at.ask({ window: TWO_HOURS })).sum)).toBe(NODE);
  });

  it("is right when an hour is priced again while its files are being merged", async () => {
    let meanwhile: (() => Promise<unknown>) | null = null;
    const flushFile: Disk["flushFile"] = async (path) => {
      const work = path.includes("segments/cost") ? meanwhile : null;
      if (work) meanwhile = null;
      await work?.();
      return REAL_DISK.flushFile(path);
    };
    const at = await bed(["c-eu", "c-us"], { disk: { ...REAL_DISK, flushFile } });
    for (const id of ["c-eu", "c-us"]) {
      await at.deliver(id, nodes({}), usage({}));
      await at.costs.priceTouched();
    }
    await at.deliver("c-eu", usage({ podUid: "late" }));
    meanwhile = () => at.costs.priceTouched();
    for (let round = 0; round < 2; round += 1) {
      await at.warehouse.compact(HOUR + (24 + round) * HOUR_MS);
      expect(meanwhile).toBeNull();
      const answer = await at.ask({ window: TWO_HOURS, aggregate: "cluster,namespace" });
      expect(rowsOf(answer)).toContainEqual(["prod-eu", "shop", 2n * CART]);
      expect(rowsOf(answer)).toContainEqual(["prod-us", "shop", CART]);
      expect(parseMoney(answer.sum)).toBe(2n * NODE);
    }
    const owners = await at.store.db.selectFrom("segment_clusters").selectAll().where("revision", ">", 0).execute();
    expect(owners.map(({ cluster_id, revision }) => `${cluster_id} ${revision}`).sort()).toEqual(["c-eu 2", "c-us 1"]);
    const left = await at.store.db.selectFrom("segments").select("kind").where("kind", "=", "cost").execute();
    expect(left).toHaveLength(1);
    expect(await at.warehouse.recover()).toEqual([]);
  });

  it("does not price an hour again of whose usage is no longer kept", async () => {
    const at = await bed();
    await at.deliver("c-eu", nodes({}), usage({}));
    await at.costs.priceTouched();
    at.nowMs = HOUR + 36 * 24 * HOUR_MS;
    await at.warehouse.retain("usage", HOUR + HOUR_MS, at.nowMs);
    await at.deliver("c-eu", { kind: "gap", rows: [gapRow()] });
    expect((await at.costs.priceTouched()).hours).toEqual([]);
    expect(parseMoney((await at.ask({ window: TWO_HOURS })).sum)).toBe(NODE);
  });

  it("shows clusters only inside the scope; a cluster outside is not known", async () => {
    const at = await bed(["c-eu", "c-us"]);
    for (const id of ["c-eu", "c-us"]) await at.deliver(id, nodes({}), usage({}));
    await at.costs.priceTouched();
    const scope = new Set(["c-eu"]);
    expect(rowsOf(await at.ask({ window: TWO_HOURS }, scope))).toEqual([["prod-eu", NODE]]);
    await expect(at.ask({ window: TWO_HOURS, cluster: "prod-us" }, scope)).rejects.toMatchObject({
      code: "cluster_unknown",
    });
    expect(await at.ask({ window: TWO_HOURS }, new Set())).toMatchObject({ items: [], sum: "0", errors: [] });
  });

  it("keeps what a cluster cost after it is gone, under its id", async () => {
    const at = await bed();
    await at.deliver("c-eu", nodes({}), usage({}));
    await at.costs.priceTouched();
    await at.store.db.updateTable("clusters").set({ phase: "deregistered" }).execute();
    await register(at, "c-new", "prod-eu");
    const answer = await at.ask({ window: TWO_HOURS });
    expect(rowsOf(answer)).toEqual([["c-eu", NODE]]);
    expect(answer.errors).toMatchObject([{ cluster: "prod-eu", code: "cost_facts_missing" }]);
  });

  it("says how much of the time is backed by facts, and where its prices are from", async () => {
    const at = await bed();
    await at.deliver("c-eu", nodes({}), usage({}), { kind: "gap", rows: [gapRow()] });
    await at.costs.priceTouched();
    // Of two hours, the first but for ten minutes; the last ten minutes may still be on their way.
    expect(await at.ask({ window: TWO_HOURS })).toMatchObject({
      coverage: {
        fraction: 0.416666,
        coveredMs: 50 * MINUTE,
        expectedMs: 120 * MINUTE,
        reasons: [
          { reason: "facts_missing", lostMs: 50 * MINUTE },
          { reason: "agent_down", lostMs: 10 * MINUTE },
          { reason: "pending", lostMs: 10 * MINUTE },
        ],
      },
      priceSource: "default",
      errors: [],
    });
    expect(await at.ask({ window: "2026-03-13T09:00:00Z,2026-03-13T11:00:00Z" })).toMatchObject({
      coverage: { fraction: 0, reasons: [{ reason: "facts_missing", lostMs: 120 * MINUTE, fraction: 1 }] },
      priceSource: "none",
      sum: "0",
      errors: [{ code: "cost_facts_missing" }],
    });
  });

  it("gives each group the coverage of the clusters that it is of", async () => {
    const at = await bed(["c-eu", "c-us"]);
    await at.deliver("c-eu", nodes({}), usage({}), { kind: "gap", rows: [gapRow()] });
    const attribution = { ...ATTRIBUTION, ownerTeam: "search" };
    await at.deliver("c-us", nodes({}), usage({}, { podUid: "b", attribution }));
    await at.costs.priceTouched();
    const hour = "2026-03-14T09:00:00Z,2026-03-14T10:00:00Z";
    const fractions = async (aggregate: string) => {
      const { items } = await at.ask({ window: hour, aggregate });
      return Object.fromEntries(items.map(({ key, coverage }) => [key[aggregate], coverage.fraction]));
    };
    expect(await fractions("cluster")).toEqual({ "prod-eu": 0.833333, "prod-us": 1 });
    const both = 0.916666;
    expect(await fractions("owner-team")).toEqual({ web: both, search: 1, __idle__: both, __system__: both });
  });

  it("counts the running hour up to its newest facts", async () => {
    const at = await bed();
    at.nowMs = HOUR + 1_900_000;
    const upTo = HOUR + 1_800_000;
    const half = { asOfMs: upTo, billedMs: 1_800_000, resources: new Map([["cpu", held(1_000_000_000n, 1_800)]]) };
    await at.deliver("c-eu", nodes({ asOfMs: upTo, presentMs: 1_800_000 }), usage(half));
    await at.costs.priceTouched();
    const answer = await at.ask({ window: "1h", aggregate: "namespace" });
    expect(rowsOf(answer)).toContainEqual(["shop", CORE / 2n]);
    expect(answer).toMatchObject({
      sum: "0.097118",
      window: { start: "2026-03-14T09:00:00.000Z", end: new Date(at.nowMs).toISOString() },
      upTo: "2026-03-14T09:30:00.000Z",
      coverage: { fraction: 0.947368, reasons: [{ reason: "pending", lostMs: 100_000, fraction: 0.052632 }] },
    });
  });
});

describe("what things cost and hold now", () => {
  async function running(): Promise<CostBed> {
    const at = await bed();
    at.nowMs = HOUR + HOUR_MS + 60_000;
    await at.deliver("c-eu", nodes({}), usage({}));
    return at;
  }

  it("say how well the facts are backed that a rate is made of, up to those and no further", async () => {
    const at = await running();
    await at.costs.priceTouched();
    expect(at.costs.liveRates("all", at.nowMs).get("c-eu")?.coverage).toEqual({
      coveredMs: HOUR_MS,
      expectedMs: HOUR_MS,
      lost: new Map(),
    });
    const hour = { startMs: HOUR - 30 * HOUR_MS, endMs: HOUR + 600_000, asOfMs: HOUR + 600_000 };
    await at.deliver("c-eu", { kind: "gap", rows: [gapRow(hour)] });
    expect((await at.costs.priceTouched()).hours).toHaveLength(1);
    expect(at.costs.liveRates("all", at.nowMs).get("c-eu")?.coverage).toEqual({
      coveredMs: HOUR_MS - 600_000,
      expectedMs: HOUR_MS,
      lost: new Map([["agent_down", 600_000]]),
    });
  });

  it("is known after the pass that prices the facts, and after a restart", async () => {
    const at = await running();
    expect(at.costs.liveRates("all", at.nowMs).size).toBe(0);
    await at.costs.priceTouched();
    const rate = at.costs.liveRates("all", at.nowMs).get("c-eu");
    expect(rate).toMatchObject({ total: NODE, workloads: CART, system: CORE / 10n + GIB_HOUR, priceSource: "default" });
    const restarted = createCosts({ ...at, now: () => at.nowMs });
    await restarted.priceTouched();
    expect(restarted.liveRates("all", at.nowMs).get("c-eu")).toEqual(rate);
  });

  it("is unknown outside the scope, and when its facts are of long ago", async () => {
    const at = await running();
    await at.costs.priceTouched();
    expect(at.costs.liveRates(new Set(["c-us"]), at.nowMs).size).toBe(0);
    expect(at.costs.liveRates("all", at.nowMs + HOUR_MS).size).toBe(0);
    expect(await at.costs.namespaces("all", at.nowMs + HOUR_MS)).toEqual([]);
  });

  it("by namespace", async () => {
    const at = await running();
    await at.costs.priceTouched();
    expect(await at.costs.namespaces("all", at.nowMs)).toEqual([
      {
        cluster: "prod-eu",
        clusterId: "c-eu",
        coverage: { fraction: 1, coveredMs: HOUR_MS, expectedMs: HOUR_MS, reasons: [] },
        namespace: "shop",
        cpuRequested: "1000",
        cpuUsed: null,
        memoryRequested: `${GIB}`,
        memoryUsed: null,
        hourly: "0.035848",
        currency: "USD",
        observedAt: "2026-03-14T10:00:00.000Z",
      },
    ]);
  });

  it("by node, as last sampled; what nobody measured is null", async () => {
    const at = await running();
    const windowStartMs = HOUR + HOUR_MS - 300_000;
    await at.deliver("c-eu", { kind: "sample", rows: [sampleRow({ windowStartMs })] });
    const [node] = await at.costs.nodes("all", at.nowMs);
    expect(node).toEqual({
      cluster: "prod-eu",
      clusterId: "c-eu",
      name: "node-a",
      pool: "general",
      zone: "eu-central-1a",
      instanceType: "m6i.xlarge",
      cpuAllocatable: "3900",
      cpuRequested: "1500",
      cpuUsed: "900",
      memoryAllocatable: `${15 * GIB}`,
      memoryRequested: null,
      memoryUsed: null,
      observedAt: "2026-03-14T10:00:00.000Z",
    });
    expect(await at.costs.nodes(new Set(), at.nowMs)).toEqual([]);
  });

  it("by node, of a window that still runs: its newest row, no younger than it is", async () => {
    const at = await running();
    const windowStartMs = at.nowMs - 120_000 - ((at.nowMs - 120_000) % 300_000);
    for (const [readings, usedAvg] of [
      [1, 300e6],
      [2, 800e6],
    ] as const)
      await at.deliver("c-eu", {
        kind: "sample",
        rows: [sampleRow({ windowStartMs, readings, usedMin: 1e8, usedAvg, usedMax: 9e8 })],
      });
    const midwayMs = windowStartMs + 130_000;
    const [node] = await at.costs.nodes("all", midwayMs);
    expect(node).toMatchObject({ cpuUsed: "800", observedAt: new Date(midwayMs).toISOString() });
  });
});
