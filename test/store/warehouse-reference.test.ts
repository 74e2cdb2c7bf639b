import { decodeSampleColumns, encodeSampleBatch } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { FactBatch, FactRows } from "../../packages/hub/src/warehouse/fact-batch.ts";
import type { Warehouse } from "../../packages/hub/src/warehouse/warehouse.ts";
import {
  ATTRIBUTION,
  type Bed,
  gapRow,
  HOUR,
  HOUR_MS,
  keyOf,
  nodeRow,
  openBed,
  sampleRow,
  usageRow,
} from "../hub/facts.ts";
import { costRecord, OWNER } from "./cost-records.ts";
import { MemoryWarehouse } from "./memory-warehouse.ts";

const CLUSTERS = ["a", "b"];
const DAY_MS = 24 * HOUR_MS;
/** The last hour of a day and the first two of the next, one of them ten hours later. */
const HOURS = [14, 15, 24].map((hour) => HOUR + hour * HOUR_MS);
const BIG = 9_007_199_254_740_993n;

const cluster = fc.constantFrom(...CLUSTERS);
const hour = fc.constantFrom(...HOURS);
const minutes = fc.integer({ min: 1, max: 60 });
const sender = fc.record({
  clusterId: cluster,
  incarnation: fc.integer({ min: 1, max: 2 }),
  spoolId: fc.constantFrom("s1", "s2"),
});

const usage = fc
  .record({
    pod: fc.constantFrom("p1", "p2", "p3"),
    hour,
    minutes,
    start: fc.constantFrom(0, 1),
    isOpen: fc.boolean(),
    team: fc.constantFrom("web", null),
    node: fc.constantFrom("n1", null),
    request: fc.bigInt({ min: 0n, max: 4n * BIG }),
    resources: fc.subarray(["cpu", "memory"]),
  })
  .map(({ pod, hour: hourStartMs, minutes: at, start, isOpen, team, node, request, resources }) =>
    usageRow({
      podUid: pod,
      hourStartMs,
      intervalStartMs: HOUR - 7_000 + start,
      asOfMs: hourStartMs + at * 60_000,
      billedMs: at * 60_000,
      intervalEndMs: isOpen ? null : hourStartMs + at * 60_000,
      nodeUid: node,
      attribution: { ...ATTRIBUTION, ownerTeam: team },
      resources: new Map(
        resources.map((name) => [name, { request, usage: request / 3n, charged: request, usageCoveredMs: at * 1_000 }]),
      ),
    }),
  );

const facts: fc.Arbitrary<FactRows> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(usage, { minLength: 1, maxLength: 6 }).map((rows) => ({
      kind: "usage" as const,
      rows: unique(rows, (row) => `${row.podUid} ${row.intervalStartMs} ${row.hourStartMs}`),
    })),
  },
  fc
    .array(fc.record({ node: fc.constantFrom("n1", "n2"), hour, minutes, isGone: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((rows) => ({
      kind: "node" as const,
      rows: unique(rows, (row) => `${row.node} ${row.hour}`).map(({ node, hour: hourStartMs, minutes: at, isGone }) =>
        nodeRow({
          nodeUid: node,
          hourStartMs,
          asOfMs: hourStartMs + at * 60_000,
          deletedMs: isGone ? hourStartMs : null,
        }),
      ),
    })),
  fc
    .array(
      fc.record({ start: hour, minutes, isOpen: fc.boolean(), reason: fc.constantFrom("agent_down", "spool_full") }),
      { minLength: 1, maxLength: 3 },
    )
    .map((rows) => ({
      kind: "gap" as const,
      rows: unique(rows, (row) => `${row.start} ${row.reason}`).map(({ start, minutes: length, isOpen, reason }) => {
        const asOfMs = start + length * 600_000;
        return gapRow({ startMs: start, endMs: isOpen ? null : asOfMs, asOfMs, reason });
      }),
    })),
  fc
    .array(
      fc.record({
        node: fc.constantFrom("n1", "n2"),
        hour,
        isLong: fc.boolean(),
        used: fc.nat({ max: 1_000_000_000 }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((rows) => ({
      kind: "sample" as const,
      blocks: decodeSampleColumns(
        encodeSampleBatch(
          unique(rows, (row) => `${row.node} ${row.hour}`).map(({ node, hour: windowStartMs, isLong, used }) =>
            sampleRow({
              subject: node,
              windowStartMs,
              windowMs: isLong ? 600_000 : 300_000,
              usedAvg: used,
              usedMin: 0,
              usedMax: 1_000_000_000,
            }),
          ),
        ),
      ),
    })),
);

/** What happens to a warehouse, one after the other. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.record({ key: sender, facts }), { minLength: 1, maxLength: 4 })
      .map((batches) => ({ do: "append" as const, batches })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("price" as const),
      hour,
      cost: fc.bigInt({ min: 0n, max: BIG }),
      team: fc.constantFrom("web", null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("compact" as const), afterHours: fc.constantFrom(15, 30, 60, 100) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("retain" as const),
      kind: fc.constantFrom("usage" as const, "node" as const, "sample" as const, "gap" as const),
      hour,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

function unique<Row>(rows: readonly Row[], name: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [name(row), row])).values()];
}

/** Both engines on one control store: priced hours are the same for both. */
class Pair {
  readonly #at: Bed;
  readonly #both: readonly Warehouse[];
  #sequence = 0;
  readonly #revisions = new Map<number, number>();

  constructor(at: Bed) {
    this.#at = at;
    this.#both = [at.warehouse, new MemoryWarehouse(at.store)];
  }

  async apply(each: Step): Promise<void> {
    switch (each.do) {
      case "append": {
        const batches = each.batches.map(({ key, facts: rows }): FactBatch => {
          this.#sequence += 1;
          return { key: keyOf(this.#sequence, key), facts: rows };
        });
        for (const warehouse of this.#both) {
          await this.#at.ledger.commit({ entries: [], ...(await warehouse.append(batches)), nowMs: HOUR });
        }
        return;
      }
      case "price":
        return this.#price(each.hour, each.cost, each.team);
      case "compact":
        for (const warehouse of this.#both) await warehouse.compact(HOUR + each.afterHours * HOUR_MS);
        return;
      case "retain":
        for (const warehouse of this.#both) await warehouse.retain(each.kind, each.hour, HOUR + 5 * DAY_MS);
    }
  }

  /** As pricing does: the next revision in the place of the one before. */
  async #price(hourStartMs: number, cost: bigint, ownerTeam: string | null): Promise<void> {
    const revision = (this.#revisions.get(hourStartMs) ?? 0) + 1;
    this.#revisions.set(hourStartMs, revision);
    const records = CLUSTERS.map((clusterId) =>
      costRecord({ clusterId }, { hourStartMs, revision, cost, owner: { ...OWNER, ownerTeam } }),
    );
    const hours = CLUSTERS.map((cluster_id) => ({
      cluster_id,
      hour_start_ms: hourStartMs,
      facts_version: 1,
      priced_version: 1,
      revision,
    }));
    for (const warehouse of this.#both) {
      const written = await warehouse.writeCost(records);
      await this.#at.store.write(async (trx) => {
        await trx
          .insertInto("cost_hours")
          .values(hours)
          .onConflict((conflict) => conflict.columns(["cluster_id", "hour_start_ms"]).doUpdateSet({ revision }))
          .execute();
        await written.count(trx, HOUR);
      });
    }
  }

  async answers(): Promise<readonly unknown[]> {
    const priced = await this.#at.store.db
      .selectFrom("cost_hours")
      .select(["cluster_id as clusterId", "hour_start_ms as hourStartMs", "revision"])
      .where("revision", ">", 0)
      .execute();
    const end = HOUR + 10 * DAY_MS;
    return Promise.all(
      this.#both.map(async (warehouse) => ({
        usage: await Promise.all(HOURS.map(async (each) => sorted(await warehouse.usage(CLUSTERS, each)))),
        one: sorted(await warehouse.usage(["b"], HOURS[0] ?? 0)),
        running: sorted(await warehouse.running(CLUSTERS, HOURS[1] ?? 0)),
        nodes: await warehouse.nodes(CLUSTERS, HOURS[0] ?? 0, (HOURS[1] ?? 0) + HOUR_MS),
        current: sorted(await warehouse.currentNodes(CLUSTERS, HOUR)),
        samples: await warehouse.nodeSamples(CLUSTERS, HOURS[1] ?? 0),
        sampled: sorted(await warehouse.sampled(CLUSTERS, HOURS[0] ?? 0, end)),
        gaps: sorted(await warehouse.gaps(CLUSTERS, HOUR, end)),
        late: sorted(await warehouse.gaps(["a"], (HOURS[0] ?? 0) + 2 * HOUR_MS, end)),
        cost: sorted(
          await warehouse.cost(priced, { by: [{ field: "cluster" }, { field: "owner-team" }], namespace: null }),
        ),
        part: sorted(await warehouse.cost(priced.slice(1), { by: [{ label: "app" }], namespace: "shop" })),
      })),
    );
  }
}

function sorted(list: readonly unknown[]): readonly string[] {
  const text = (_: string, value: unknown): unknown => {
    if (typeof value === "bigint") return `${value}n`;
    return value instanceof Map ? [...value].sort(([a], [b]) => (a < b ? -1 : 1)) : value;
  };
  return list.map((each) => JSON.stringify(each, text)).sort();
}

const ROUNDS = Number(process.env.ROUNDS ?? 20);

it("answers as the reference does, whatever comes in whatever order, is tidied up or goes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const at = await openBed({ sumFromRows: 1 });
      try {
        const pair = new Pair(at);
        for (const each of steps) await pair.apply(each);
        const [files, reference] = await pair.answers();
        expect(files).toEqual(reference);
      } finally {
        await at.close();
      }
    }),
    { numRuns: ROUNDS },
  );
}, 600_000);
