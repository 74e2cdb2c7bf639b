import { rmSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { gapRow, HOUR, keyOf, openBed, usageRow } from "../../../../test/hub/facts.ts";
import { openLedger } from "../ledger/ledger.ts";
import { openStore } from "../store/store.ts";
import { REAL_DISK } from "../warehouse/disk.ts";
import { readCounter, readGauge } from "./declared-metrics.ts";
import { createMetrics } from "./hub-metrics.ts";
import { IngestMetrics } from "./ingest-metrics.ts";

const FIGURES = {
  version: "1.2.3",
  connectivity: () => ({ online: 2, offline: 1 }),
  streams: () => ({ control: 2, ingest: 1 }),
  refusalsLeftOut: () => 4,
};

/** Lines with values of metrics of this name. */
const linesOf = (text: string, name: string) => text.split("\n").filter((line) => line.startsWith(name));

describe("the metrics of a hub", () => {
  it("are read when somebody scrapes, by label, and counters count", async () => {
    const text = await createMetrics(FIGURES).text();
    expect(linesOf(text, "plimsoll_clusters")).toEqual([
      'plimsoll_clusters{connectivity="online"} 2',
      'plimsoll_clusters{connectivity="offline"} 1',
    ]);
    expect(linesOf(text, "plimsoll_build_info")).toEqual([
      `plimsoll_build_info{version="1.2.3",node="${process.version}"} 1`,
    ]);
    expect(text).toContain("# TYPE plimsoll_audit_left_out_total counter\nplimsoll_audit_left_out_total 4\n");
  });

  it("do not call a gauge a total", async () => {
    const text = await createMetrics(FIGURES).text();
    const totals = [...text.matchAll(/^# TYPE (\S+_total) (\S+)$/gm)].map(([, , type]) => type);
    expect(new Set(totals)).toEqual(new Set(["counter"]));
  });

  it("say nothing of what is not known now, which is not 0, and forget what is no longer there", async () => {
    let ratio: number | null = 0.5;
    let states: Readonly<Record<string, number>> = { online: 1 };
    const registry = new Registry();
    registry.registerMetric(readGauge("plimsoll_coverage_ratio", () => ratio));
    registry.registerMetric(readGauge("plimsoll_clusters", async () => states));
    expect(linesOf(await registry.metrics(), "plimsoll_coverage_ratio")).toEqual(["plimsoll_coverage_ratio 0.5"]);
    [ratio, states] = [null, { offline: 1 }];
    const text = await registry.metrics();
    expect(linesOf(text, "plimsoll_coverage_ratio")).toEqual([]);
    expect(linesOf(text, "plimsoll_clusters")).toEqual(['plimsoll_clusters{connectivity="offline"} 1']);
  });

  it("fit into one process with those of another hub", async () => {
    const [one, other] = [createMetrics(FIGURES), createMetrics({ ...FIGURES, version: "2" })];
    one.refused("control", "message_invalid");
    expect(linesOf(await other.text(), "plimsoll_stream_refusals_total")).toEqual([]);
    expect(linesOf(await one.text(), "plimsoll_stream_refusals_total")).toHaveLength(1);
  });
});

describe("the way of facts, measured", () => {
  const figures = () => ({
    batches: { applied: 1, duplicate: 0, superseded: 0, rejected: 0, deregistered: 0, retried: 0 },
    rows: { sample: 0, usage: 3, node: 0, gap: 0 },
    rejectedByCode: {},
    waitingBytes: 0,
    commits: 1,
    lastCommitAtMs: null,
  });
  const none = () => Promise.reject(new Error("not asked for"));

  async function textOf(measured: IngestMetrics): Promise<string> {
    const registry = new Registry();
    for (const metric of measured.metrics({ figures })) registry.registerMetric(metric);
    return registry.metrics();
  }

  it("counts commits that fail apart from those that last, and lets the fault through", async () => {
    const measured = new IngestMetrics();
    let isBroken = false;
    const commit = async () => {
      if (isBroken) throw new Error("disk full");
    };
    const store = await openStore({ sqlite: ":memory:" });
    const ledger = measured.ledger({ ...openLedger(store), commit });
    const change = { entries: [], written: null, touched: [], gapped: [], nowMs: 0 };
    await ledger.commit(change);
    isBroken = true;
    await expect(ledger.commit(change)).rejects.toThrow("disk full");
    const text = await textOf(measured);
    expect(text).toContain("plimsoll_commit_duration_seconds_count 1\n");
    expect(text).toContain("plimsoll_commit_failures_total 1\n");
    expect(linesOf(text, "plimsoll_last_commit_timestamp_seconds")).toEqual([]);
    await store.close();
  });

  it("counts gaps that the hub records itself and segments that are lost, from 0 on", async () => {
    const measured = new IngestMetrics();
    expect(linesOf(await textOf(measured), "plimsoll_gaps_recorded_total")).toEqual([
      'plimsoll_gaps_recorded_total{reason="batches_lost"} 0',
      'plimsoll_gaps_recorded_total{reason="hub_restored"} 0',
      'plimsoll_gaps_recorded_total{reason="segment_lost"} 0',
    ]);
    const at = await openBed({ onLost: measured.segmentLost });
    const key = keyOf(1);
    const facts = { kind: "usage", rows: [usageRow()] } as const;
    const given = { key, sha256: "x", kind: "usage", rows: 1, sealedAtMs: HOUR, receivedAtMs: HOUR } as const;
    const entries = [{ entry: { ...given, replaces: null }, verdict: "applied" }] as const;
    await at.ledger.commit({ entries, ...(await at.warehouse.append([{ key, facts }])), nowMs: HOUR });
    const lost = { kind: "gap", rows: [gapRow({ reason: "batches_lost" })] } as const;
    await measured.gapWriter(at.warehouse).append([{ key, facts: lost }]);
    for (const { path } of await at.store.db
      .selectFrom("segments")
      .select("path")
      .where("kind", "=", "usage")
      .execute())
      rmSync(join(at.dataDir, path));
    await at.warehouse.recover();
    await at.warehouse.compact(HOUR);
    await at.warehouse.compact(HOUR);
    const text = await textOf(measured);
    expect(linesOf(text, "plimsoll_gaps_recorded_total")).toEqual([
      'plimsoll_gaps_recorded_total{reason="batches_lost"} 1',
      'plimsoll_gaps_recorded_total{reason="hub_restored"} 0',
      'plimsoll_gaps_recorded_total{reason="segment_lost"} 1',
    ]);
    expect(linesOf(text, 'plimsoll_segments_lost_total{kind="usage"}')).toEqual([
      'plimsoll_segments_lost_total{kind="usage"} 1',
    ]);
    await at.close();
  });

  it("takes the time of what the disk makes durable, and of nothing else", async () => {
    const measured = new IngestMetrics();
    const disk = measured.disk({ ...REAL_DISK, flushFolder: async () => {}, list: async () => ["a"] });
    await disk.flushFolder("x");
    expect(await disk.list("x")).toEqual(["a"]);
    expect(await textOf(measured)).toContain("plimsoll_fsync_duration_seconds_count 1\n");
  });

  it("knows how many envelopes wait, and how each was answered", async () => {
    const measured = new IngestMetrics();
    const answer = Promise.withResolvers<{ kind: "retry"; afterMs: number; code: string }>();
    const ingest = measured.ingest({
      ingestEnvelope: () => answer.promise,
      replay: none,
      mark: none,
      figures,
      stop: none,
    });
    const waiting = ingest.ingestEnvelope(new Uint8Array(7), { clusterId: "a", name: "test" });
    expect(linesOf(await textOf(measured), "plimsoll_ingest_waiting_batches")).toEqual([
      "plimsoll_ingest_waiting_batches 1",
    ]);
    answer.resolve({ kind: "retry", afterMs: 1, code: "hub_busy" });
    await waiting;
    const text = await textOf(measured);
    expect(text).toContain("plimsoll_ingest_waiting_batches 0\n");
    expect(text).toContain("plimsoll_ingest_bytes_total 7\n");
    expect(text).toContain('plimsoll_ingest_duration_seconds_count{outcome="retry"} 1\n');
  });

  it("leaves out a counter that has nothing", async () => {
    const registry = new Registry();
    registry.registerMetric(readCounter("plimsoll_ingest_rejected_total", () => ({})));
    expect(linesOf(await registry.metrics(), "plimsoll_ingest_rejected_total")).toEqual([]);
  });
});
