import type { MetricDefinition } from "@plimsoll/contracts";

const STREAM = { stream: "`control` or `ingest`" } as const;
const FAST = [0.001, 0.005, 0.02, 0.1, 0.5, 2] as const;
const SLOW = [0.005, 0.02, 0.1, 0.5, 2, 10, 60] as const;

/** Every metric of an agent. */
export const AGENT_METRICS = {
  plimsoll_agent_build_info: {
    type: "gauge",
    help: "1; the release that runs",
    labels: { version: "release of the agent" },
  },
  plimsoll_agent_ready: { type: "gauge", help: "1 when nodes and pods have been read, else 0" },
  plimsoll_agent_stream_connected: {
    type: "gauge",
    help: "1 when a stream to the hub is open and welcomed, else 0",
    labels: STREAM,
  },
  plimsoll_agent_stream_connects_total: {
    type: "counter",
    help: "Sessions that the hub welcomed: all but the first of a stream are reconnects",
    labels: STREAM,
  },
  plimsoll_agent_batches_spooled_total: { type: "counter", help: "Batches that are durable in the spool" },
  plimsoll_agent_batches_sent_total: { type: "counter", help: "Batches sent to the hub, each time that they were" },
  plimsoll_agent_batches_acked_total: {
    type: "counter",
    help: "Batches sent that the hub acknowledged as durable",
  },
  plimsoll_agent_batches_rejected_total: {
    type: "counter",
    help: "Batches that the hub refused for good and that were put aside",
  },
  plimsoll_agent_rows_spooled_total: {
    type: "counter",
    help: "Rows in spooled batches",
    labels: { kind: "`usage`, `node`, `sample` or `gap`" },
  },
  plimsoll_agent_batch_raw_bytes_total: {
    type: "counter",
    help: "Size of spooled batches before compression, bytes",
  },
  plimsoll_agent_batch_bytes_total: { type: "counter", help: "Size of spooled batches after compression, bytes" },
  plimsoll_agent_delivery_lag_seconds: {
    type: "gauge",
    help: "Age of the oldest batch that is not acknowledged; 0 = none waits",
  },
  plimsoll_agent_spool_batches: { type: "gauge", help: "Batches that wait for their acknowledgement" },
  plimsoll_agent_spool_bytes: { type: "gauge", help: "Size of the spool on disk, bytes" },
  plimsoll_agent_spool_limit_bytes: {
    type: "gauge",
    help: "Size beyond which the spool is coarsened and then drops samples, bytes",
  },
  plimsoll_agent_spool_writable: { type: "gauge", help: "1 when the disk takes what it is given, else 0" },
  plimsoll_agent_spool_write_failures_total: { type: "counter", help: "Writes that the disk refused" },
  plimsoll_agent_spool_coarsened_batches_total: {
    type: "counter",
    help: "Batches that were merged because the spool was full; nothing of usage is lost by that",
  },
  plimsoll_agent_spool_dropped_batches_total: {
    type: "counter",
    help: "Batches of samples that were dropped because the spool was full; each is in a gap record",
  },
  plimsoll_agent_samples_dropped_total: {
    type: "counter",
    help: "Samples that were dropped from memory because no disk took them; each is in a gap record",
  },
  plimsoll_agent_gaps_total: { type: "counter", help: "Losses of the spool that were recorded as gaps" },
  plimsoll_agent_quarantined_batches: {
    type: "gauge",
    help: "Batches put aside since the start: refused by the hub, or damaged on disk",
  },
  plimsoll_agent_fsync_duration_seconds: {
    type: "histogram",
    help: "Time that the disk took to make something durable",
    buckets: FAST,
  },
  plimsoll_agent_clock_offset_seconds: {
    type: "gauge",
    help: "Hub time minus own time; missing until it is measured",
  },
  plimsoll_agent_hub_round_trip_seconds: {
    type: "gauge",
    help: "Last round trip to the hub; missing until it is measured",
  },
  plimsoll_agent_ticks_total: {
    type: "counter",
    help: "Ticks, by how they ended",
    labels: { outcome: "`done` or `failed`" },
  },
  plimsoll_agent_tick_duration_seconds: { type: "histogram", help: "Time that a tick took", buckets: SLOW },
  plimsoll_agent_last_tick_timestamp_seconds: {
    type: "gauge",
    help: "When the last tick ended, Unix time; missing before the first",
  },
  plimsoll_agent_api_request_duration_seconds: {
    type: "histogram",
    help: "Requests to the API server, retries included; of a watch, until its answer began",
    labels: { request: "`get`, `list` or `watch`", outcome: "`done` or `failed`" },
    buckets: SLOW,
  },
  plimsoll_agent_objects_not_metered_total: {
    type: "counter",
    help: "Objects whose times or quantities could not be metered",
  },
  plimsoll_agent_rows_refused_total: { type: "counter", help: "Rows that are no valid rows, and were left out" },
  plimsoll_agent_checkpoint_failures_total: {
    type: "counter",
    help: "Checkpoints of the meter that the disk did not take",
  },
  plimsoll_agent_policy_revision: {
    type: "gauge",
    help: "Revision of the policy that it runs by; 0 = its own settings",
  },
  process_resident_memory_bytes: { type: "gauge", help: "Resident memory of the process, bytes" },
  process_cpu_seconds_total: { type: "counter", help: "CPU time of the process, seconds" },
  process_start_time_seconds: { type: "gauge", help: "When the process started, Unix time" },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
export type AgentMetricName = keyof typeof AGENT_METRICS;
