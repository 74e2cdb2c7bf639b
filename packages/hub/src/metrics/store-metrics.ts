import type { Metric } from "prom-client";
import type { Store } from "../store/store.ts";
import { readGauge } from "./declared-metrics.ts";
import { Remembered } from "./remembered.ts";

const HOUR_MS = 3_600_000;

/** What the store knows of segments, marks, quarantine, pricing and certificates. `now` is milliseconds since 1970 UTC. */
export function storeMetrics(store: Store, now: () => number): readonly Metric[] {
  const segments = new Remembered(now, () => readSegments(store));
  const quarantine = new Remembered(now, () => readQuarantine(store));
  const pricing = new Remembered(now, () => readPricing(store, now()));
  const holed = new Remembered(now, () => countSpoolsWithHoles(store));
  const expiry = new Remembered(now, () => firstExpiryMs(store));
  return [
    readGauge("plimsoll_segments", async () =>
      (await segments.value()).map(({ kind, state, files }) => ({ labels: { kind, state }, value: files })),
    ),
    readGauge("plimsoll_segment_bytes", async () =>
      (await segments.value())
        .filter(({ state }) => state === "live")
        .map(({ kind, bytes }) => ({ labels: { kind }, value: bytes })),
    ),
    readGauge("plimsoll_spools_with_holes", () => holed.value()),
    readGauge("plimsoll_quarantine_batches", async () => (await quarantine.value()).batches),
    readGauge("plimsoll_quarantine_bytes", async () => (await quarantine.value()).bytes),
    readGauge("plimsoll_pricing_backlog", async () => (await pricing.value()).waiting),
    readGauge("plimsoll_pricing_lag_seconds", async () => {
      const { pricedUpToMs } = await pricing.value();
      return pricedUpToMs === null ? null : Math.max(0, now() - pricedUpToMs) / 1_000;
    }),
    readGauge("plimsoll_certificate_expiry_timestamp_seconds", async () => {
      const ms = await expiry.value();
      return ms === null ? null : ms / 1_000;
    }),
  ];
}

async function readSegments(store: Store) {
  const rows = await store.db
    .selectFrom("segments")
    .select(["kind", "state"])
    .select(({ fn }) => [fn.countAll<number | bigint>().as("files"), fn.sum<number | bigint>("bytes").as("bytes")])
    .groupBy(["kind", "state"])
    .execute();
  return rows.map(({ kind, state, files, bytes }) => ({ kind, state, files: Number(files), bytes: Number(bytes) }));
}

async function readQuarantine(store: Store) {
  const row = await store.db
    .selectFrom("quarantine")
    .select(({ fn }) => [
      fn.countAll<number | bigint>().as("batches"),
      fn.sum<number | bigint | null>("byte_count").as("bytes"),
    ])
    .where("replayed_at_ms", "is", null)
    .executeTakeFirstOrThrow();
  return { batches: Number(row.batches), bytes: Number(row.bytes ?? 0) };
}

/** Hours that wait; and up to where the cluster is priced that is furthest behind. */
async function readPricing(store: Store, nowMs: number) {
  const waiting = await store.db
    .selectFrom("cost_hours")
    .select(({ fn }) => fn.countAll<number | bigint>().as("hours"))
    .whereRef("facts_version", ">", "priced_version")
    .executeTakeFirstOrThrow();
  const newest = await store.db
    .selectFrom("cost_hours")
    .select(({ fn }) => fn.max("up_to_ms").as("up_to_ms"))
    .where("hour_start_ms", ">=", nowMs - (nowMs % HOUR_MS) - HOUR_MS)
    .where("revision", ">", 0)
    .groupBy("cluster_id")
    .execute();
  const upTo = newest.flatMap(({ up_to_ms }) => up_to_ms ?? []);
  return { waiting: Number(waiting.hours), pricedUpToMs: upTo.length === 0 ? null : Math.min(...upTo) };
}

async function countSpoolsWithHoles(store: Store): Promise<number> {
  const row = await store.db
    .selectFrom("ledger_marks")
    .select(({ fn }) => fn.countAll<number | bigint>().as("spools"))
    .where("ranges", "!=", "[]")
    .executeTakeFirstOrThrow();
  return Number(row.spools);
}

/** Each agent's newest certificate counts; null = no active cluster has one. */
async function firstExpiryMs(store: Store): Promise<number | null> {
  const rows = await store.db
    .selectFrom("certificates")
    .innerJoin("clusters", "clusters.id", "certificates.cluster_id")
    .select(({ fn }) => fn.max("not_after_ms").as("not_after_ms"))
    .where("clusters.phase", "=", "active")
    .where("clusters.mode", "=", "push")
    .where("revoked_at_ms", "is", null)
    .groupBy("certificates.cluster_id")
    .execute();
  return rows.length === 0 ? null : Math.min(...rows.map(({ not_after_ms }) => not_after_ms));
}
