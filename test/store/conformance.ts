import { expect, it } from "vitest";
import type { Store } from "../../packages/hub/src/store/store.ts";
import type { NewRow } from "../../packages/hub/src/store/tables.ts";

/** 9,007,199.254740993 in nano-units: the smallest amount that a double gets wrong. */
const AMOUNT = 9_007_199_254_740_993n;

const CLUSTER: NewRow<"clusters"> = {
  id: "0198c1f2-0000-7000-8000-000000000001",
  name: "prod-eu",
  fingerprint: "6a9b0c5e-7d33-4a2e-9f0f-000000000001",
  incarnation: 1,
  mode: "push",
  phase: "active",
  simulated: 0,
  base: "{}",
  labels: '{"env":"prod"}',
  dynamic: null,
  capacity: null,
  detected: null,
  resource_states: null,
  session_epoch: 0,
  report_sequence: 0,
  resource_version: 1,
  observed_at_ms: null,
  received_at_ms: null,
  created_at_ms: 1_760_000_000_000,
  updated_at_ms: 1_760_000_000_000,
};

const AUDIT: NewRow<"audit"> = {
  id: 1,
  at_ms: 1_760_000_000_000,
  actor: "admin",
  on_behalf_of: null,
  channel: "rest",
  address: null,
  verb: "create",
  thing: "cluster",
  thing_id: "prod-eu",
  cluster_id: null,
  outcome: "allowed",
  code: null,
  reason: null,
  detail: "{}",
  request_id: null,
  previous_hash: "",
  hash: "",
};

const HOUR: NewRow<"cost_hours"> = {
  cluster_id: CLUSTER.id,
  hour_start_ms: 1_760_000_400_000,
  facts_version: 1,
  priced_version: 0,
  revision: 0,
};

/**
 * What the control store promises, run on every kind of it. `openEmpty` gives a migrated store without rows; the suite
 * closes it.
 */
export function storeConformance(openEmpty: () => Promise<Store>): void {
  const withStore = async (use: (store: Store) => Promise<void>): Promise<void> => {
    const store = await openEmpty();
    try {
      await use(store);
    } finally {
      await store.close();
    }
  };

  it("has nothing to migrate the second time", () =>
    withStore(async (store) => {
      expect(await store.migrate()).toEqual([]);
    }));

  it("gives back what was written, types included", () =>
    withStore(async ({ db }) => {
      await db.insertInto("clusters").values(CLUSTER).execute();
      expect(await db.selectFrom("clusters").selectAll().execute()).toEqual([CLUSTER]);
    }));

  it("keeps bytes as bytes", () =>
    withStore(async ({ db }) => {
      await db.insertInto("clusters").values(CLUSTER).execute();
      const sealed = Buffer.from([0, 1, 2, 253, 254, 255]);
      await db
        .insertInto("credentials")
        .values({
          id: "c",
          cluster_id: CLUSTER.id,
          kind: "kubeconfig",
          sealed,
          key_id: "k",
          created_at_ms: 1,
          expires_at_ms: null,
        })
        .execute();
      const row = await db.selectFrom("credentials").select("sealed").executeTakeFirstOrThrow();
      expect(Buffer.from(row.sealed)).toEqual(sealed);
    }));

  it("keeps money digit for digit beyond what a double holds, alone and in a sum", () =>
    withStore(async ({ db }) => {
      const hours = [0, 3_600_000].map((offset) => ({
        ...HOUR,
        hour_start_ms: HOUR.hour_start_ms + offset,
        cost_nanos: AMOUNT,
      }));
      await db.insertInto("cost_hours").values(hours).execute();
      const rows = await db.selectFrom("cost_hours").select("cost_nanos").execute();
      expect(rows.map((row) => row.cost_nanos)).toEqual([AMOUNT, AMOUNT]);
      const sum = await db
        .selectFrom("cost_hours")
        .select(({ fn }) => fn.sum<bigint>("cost_nanos").as("sum_nanos"))
        .executeTakeFirstOrThrow();
      expect(sum.sum_nanos).toBe(2n * AMOUNT);
    }));

  it("refuses to round a whole number that is no money", () =>
    withStore(async ({ db }) => {
      await db
        .insertInto("cost_hours")
        .values({ ...HOUR, cost_nanos: AMOUNT })
        .execute();
      const rounded = db
        .selectFrom("cost_hours")
        .select(({ ref }) => ref("cost_nanos").as("amount"))
        .execute();
      await expect(rounded).rejects.toThrow(RangeError);
    }));

  it("counts in numbers", () =>
    withStore(async ({ db }) => {
      const { count } = await db
        .selectFrom("clusters")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      expect(count).toBe(0);
    }));

  it.each([
    ["name", { fingerprint: "other" }],
    ["fingerprint", { name: "other" }],
  ])("lets a second cluster have the same %s only when the first is a tombstone", (_, change) =>
    withStore(async ({ db }) => {
      const second = { ...CLUSTER, id: "second", ...change };
      await db.insertInto("clusters").values(CLUSTER).execute();
      await expect(db.insertInto("clusters").values(second).execute()).rejects.toThrow();
      await db.updateTable("clusters").set({ phase: "deregistered" }).execute();
      await db.insertInto("clusters").values(second).execute();
    }),
  );

  it("takes what belongs to a cluster only when the cluster exists, and lets it go with it", () =>
    withStore(async ({ db }) => {
      const liveness = {
        cluster_id: CLUSTER.id,
        connectivity: "never-seen",
        since_ms: 1,
        last_beat_at_ms: null,
        clock_offset_ms: null,
        spool: null,
      } as const;
      await expect(db.insertInto("liveness").values(liveness).execute()).rejects.toThrow();
      await db.insertInto("clusters").values(CLUSTER).execute();
      await db.insertInto("liveness").values(liveness).execute();
      await db.deleteFrom("clusters").execute();
      expect(await db.selectFrom("liveness").selectAll().execute()).toEqual([]);
    }));

  it("refuses a text where a whole number belongs", () =>
    withStore(async ({ db }) => {
      const insert = db.insertInto("settings").values(({ eb }) => {
        return { key: "a", value: "1", updated_at_ms: eb.cast<number>(eb.val("soon"), "text") };
      });
      await expect(insert.execute()).rejects.toThrow();
    }));

  it("adds to the audit log in order, and changes or removes nothing of it", () =>
    withStore(async ({ db }) => {
      for (const [index, verb] of ["create", "delete"].entries())
        await db
          .insertInto("audit")
          .values({ ...AUDIT, id: index + 1, verb })
          .execute();
      await expect(db.updateTable("audit").set({ actor: "nobody" }).execute()).rejects.toThrow(/append-only/);
      await expect(db.deleteFrom("audit").execute()).rejects.toThrow(/append-only/);
      const rows = await db.selectFrom("audit").selectAll().orderBy("id").execute();
      expect(rows.map(({ verb, actor }) => [verb, actor])).toEqual([
        ["create", "admin"],
        ["delete", "admin"],
      ]);
    }));

  it("undoes all of a transaction that fails", () =>
    withStore(async (store) => {
      const failing = store.write(async (trx) => {
        await trx.insertInto("clusters").values(CLUSTER).execute();
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await store.db.selectFrom("clusters").selectAll().execute()).toEqual([]);
    }));

  it("runs concurrent transactions as if one followed the other", () =>
    withStore(async (store) => {
      const key = "counter";
      await store.db.insertInto("settings").values({ key, value: "0", updated_at_ms: 0 }).execute();
      const increment = () =>
        store.write(async (trx) => {
          const { value } = await trx
            .selectFrom("settings")
            .select("value")
            .where("key", "=", key)
            .executeTakeFirstOrThrow();
          await trx
            .updateTable("settings")
            .set({ value: `${Number(value) + 1}` })
            .where("key", "=", key)
            .execute();
        });
      await Promise.all(Array.from({ length: 6 }, increment));
      const { value } = await store.db.selectFrom("settings").select("value").executeTakeFirstOrThrow();
      expect(value).toBe("6");
    }));
}
