import type { Metric } from "prom-client";
import type { Ingest } from "../ingest/ingest.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Disk } from "../warehouse/disk.ts";
import type { LostSegment } from "../warehouse/settle-broken.ts";
import { WAREHOUSE_KINDS, type Warehouse } from "../warehouse/warehouse-port.ts";
import { declaredCounter, declaredHistogram, readCounter, readGauge } from "./declared-metrics.ts";

/** Reasons of the gaps that the hub records itself. A counter that begins at its first event would raise no alert. */
const OWN_REASONS = ["batches_lost", "hub_restored", "segment_lost"] as const;

/** Measures the way of facts: its parts work as before, and their times and counts are taken. */
export class IngestMetrics {
  readonly #fsync = declaredHistogram("plimsoll_fsync_duration_seconds");
  readonly #commit = declaredHistogram("plimsoll_commit_duration_seconds");
  readonly #commitBatches = declaredHistogram("plimsoll_commit_batches");
  readonly #commitFailures = declaredCounter("plimsoll_commit_failures_total");
  readonly #answer = declaredHistogram("plimsoll_ingest_duration_seconds");
  readonly #bytes = declaredCounter("plimsoll_ingest_bytes_total");
  readonly #gaps = declaredCounter("plimsoll_gaps_recorded_total");
  readonly #segmentsLost = declaredCounter("plimsoll_segments_lost_total");
  #waiting = 0;

  constructor() {
    for (const reason of OWN_REASONS) this.#gaps.inc({ reason }, 0);
    for (const kind of [...WAREHOUSE_KINDS, "cost_day"]) this.#segmentsLost.inc({ kind }, 0);
  }

  /** Notes a segment whose loss is written down. */
  readonly segmentLost = ({ kind, gaps }: LostSegment): void => {
    this.#segmentsLost.inc({ kind });
    this.#gaps.inc({ reason: "segment_lost" }, gaps);
  };

  /** The same warehouse, for whoever records gaps of the hub's own. */
  gapWriter<Part extends Pick<Warehouse, "append">>(warehouse: Part): Part {
    return {
      ...warehouse,
      append: async (batches) => {
        const appended = await warehouse.append(batches);
        for (const { facts } of batches) {
          if (facts.kind === "gap") for (const { reason } of facts.rows) this.#gaps.inc({ reason });
        }
        return appended;
      },
    };
  }

  /** The same disk. */
  disk(disk: Disk): Disk {
    const timed = async <T>(work: Promise<T>): Promise<T> => {
      const took = this.#fsync.startTimer();
      const done = await work;
      took();
      return done;
    };
    return {
      ...disk,
      flushFile: (path) => timed(disk.flushFile(path)),
      flushFolder: (path) => timed(disk.flushFolder(path)),
    };
  }

  /** The same ledger. */
  ledger(ledger: Ledger): Ledger {
    return {
      ...ledger,
      commit: async (commit) => {
        const took = this.#commit.startTimer();
        try {
          await ledger.commit(commit);
          took();
          this.#commitBatches.observe(commit.entries.length);
        } catch (error) {
          this.#commitFailures.inc();
          throw error;
        }
      },
    };
  }

  /** The same way in. */
  ingest(ingest: Ingest): Ingest {
    return {
      ...ingest,
      ingestEnvelope: async (bytes, source) => {
        const took = this.#answer.startTimer();
        this.#bytes.inc(bytes.length);
        this.#waiting += 1;
        const answer = await ingest.ingestEnvelope(bytes, source);
        this.#waiting -= 1;
        took({ outcome: answer.kind });
        return answer;
      },
    };
  }

  /** All of them, with what ingest counts by itself. */
  metrics({ figures }: Pick<Ingest, "figures">): readonly Metric[] {
    return [
      this.#fsync,
      this.#commit,
      this.#commitBatches,
      this.#commitFailures,
      this.#answer,
      this.#bytes,
      this.#gaps,
      this.#segmentsLost,
      readCounter("plimsoll_ingest_batches_total", () => figures().batches),
      readCounter("plimsoll_ingest_rows_total", () => figures().rows),
      readCounter("plimsoll_ingest_rejected_total", () => figures().rejectedByCode),
      readGauge("plimsoll_ingest_waiting_bytes", () => figures().waitingBytes),
      readGauge("plimsoll_ingest_waiting_batches", () => this.#waiting),
      readGauge("plimsoll_last_commit_timestamp_seconds", () => {
        const { lastCommitAtMs } = figures();
        return lastCommitAtMs === null ? null : lastCommitAtMs / 1_000;
      }),
    ];
  }
}
