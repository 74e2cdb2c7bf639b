import type { AgentStatus } from "../agent.ts";
import { AGENT_VERSION } from "../agent-version.ts";
import { AGENT_METRICS, type AgentMetricName } from "./agent-metric-table.ts";
import { metricText, type Sample } from "./metric-text.ts";
import type { Timings } from "./timings.ts";

/** What the metrics are made of, besides the status. */
export interface MetricFacts {
  readonly status: AgentStatus;
  readonly timings: Timings;
  readonly spoolLimitBytes: number;
  readonly policyRevision: number;
  /** Milliseconds; 0 = not measured. */
  readonly roundTripMs: number;
  /** Hub time: the spool's times are. */
  readonly hubNowMs: number;
}

const KINDS = ["usage", "node", "sample", "gap"] as const;
const STREAMS = ["control", "ingest"] as const;

/** An agent's `/metrics`. */
export function agentMetrics(facts: MetricFacts): string {
  return metricText(AGENT_METRICS, { ...deliveryOf(facts), ...spoolOf(facts), ...workOf(facts), ...processOf() });
}

function deliveryOf({ status, roundTripMs }: MetricFacts) {
  const count = counter(status);
  return {
    plimsoll_agent_ready: flag(status.ready),
    plimsoll_agent_stream_connected: STREAMS.map((stream) =>
      one({ stream }, flag(status[stream].state === "connected")),
    ),
    plimsoll_agent_stream_connects_total: STREAMS.map((stream) => one({ stream }, count(`${stream}_connects`))),
    plimsoll_agent_batches_spooled_total: count("batches_spooled"),
    plimsoll_agent_batches_sent_total: count("batches_sent"),
    plimsoll_agent_batches_acked_total: count("batches_acknowledged"),
    plimsoll_agent_batches_rejected_total: count("batches_rejected"),
    plimsoll_agent_rows_spooled_total: KINDS.map((kind) => one({ kind }, count(`${kind}_rows`))),
    plimsoll_agent_batch_raw_bytes_total: count("batch_raw_bytes"),
    plimsoll_agent_batch_bytes_total: count("batch_bytes"),
    plimsoll_agent_clock_offset_seconds: status.clockOffsetMs === null ? null : status.clockOffsetMs / 1_000,
    plimsoll_agent_hub_round_trip_seconds: roundTripMs === 0 ? null : roundTripMs / 1_000,
  } satisfies Partial<Record<AgentMetricName, unknown>>;
}

function spoolOf({ status, timings, spoolLimitBytes, hubNowMs }: MetricFacts) {
  const { spool } = status;
  const { oldestSealedMs } = spool;
  return {
    plimsoll_agent_delivery_lag_seconds: oldestSealedMs === null ? 0 : Math.max(0, hubNowMs - oldestSealedMs) / 1_000,
    plimsoll_agent_spool_batches: spool.batches,
    plimsoll_agent_spool_bytes: spool.bytes,
    plimsoll_agent_spool_limit_bytes: spoolLimitBytes,
    plimsoll_agent_spool_writable: flag(spool.disk === "ok"),
    plimsoll_agent_spool_write_failures_total: spool.writeFailures,
    plimsoll_agent_spool_coarsened_batches_total: spool.coarsened,
    plimsoll_agent_spool_dropped_batches_total: spool.dropped,
    plimsoll_agent_samples_dropped_total: counter(status)("samples_dropped"),
    plimsoll_agent_gaps_total: spool.gaps,
    plimsoll_agent_quarantined_batches: spool.quarantined,
    plimsoll_agent_fsync_duration_seconds: timings.fsync.figures(),
  } satisfies Partial<Record<AgentMetricName, unknown>>;
}

function workOf({ status, timings, policyRevision }: MetricFacts) {
  const count = counter(status);
  return {
    plimsoll_agent_build_info: [one({ version: AGENT_VERSION }, 1)],
    plimsoll_agent_ticks_total: [
      one({ outcome: "done" }, count("ticks")),
      one({ outcome: "failed" }, count("ticks_failed")),
    ],
    plimsoll_agent_tick_duration_seconds: timings.tick.figures(),
    plimsoll_agent_last_tick_timestamp_seconds: status.lastTickEndedMs === null ? null : status.lastTickEndedMs / 1_000,
    plimsoll_agent_api_request_duration_seconds: timings.apiRequest.figures(),
    plimsoll_agent_objects_not_metered_total: count("objects_not_metered"),
    plimsoll_agent_rows_refused_total: count("rows_refused"),
    plimsoll_agent_checkpoint_failures_total: count("checkpoint_failures"),
    plimsoll_agent_policy_revision: policyRevision,
  } satisfies Partial<Record<AgentMetricName, unknown>>;
}

function processOf() {
  const { user, system } = process.cpuUsage();
  return {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_cpu_seconds_total: (user + system) / 1e6,
    process_start_time_seconds: performance.timeOrigin / 1_000,
  } satisfies Partial<Record<AgentMetricName, unknown>>;
}

function counter({ counters }: AgentStatus): (name: string) => number {
  return (name) => counters[name] ?? 0;
}

function one(labels: Readonly<Record<string, string>>, value: number): Sample {
  return { labels, value };
}

function flag(is: boolean): number {
  return is ? 1 : 0;
}
