import type { MetricDefinition } from "@plimsoll/contracts";

const FAST = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10] as const;

/** Every metric of a hub, besides those of its process (`process_*`, `nodejs_*`). No cluster is named in any of them. */
export const HUB_METRICS = {
  plimsoll_build_info: {
    type: "gauge",
    help: "1; the release that runs",
    labels: { version: "release of the hub", node: "release of Node.js" },
  },
  plimsoll_http_request_duration_seconds: {
    type: "histogram",
    help: "Answers of the REST API",
    labels: { method: "HTTP method", route: "route as it is declared, without its parameters", status: "HTTP status" },
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  },
  plimsoll_audit_left_out_total: {
    type: "counter",
    help: "Attempts of strangers that were not kept in the audit log one by one",
  },
  plimsoll_clusters: {
    type: "gauge",
    help: "Registered clusters",
    labels: { connectivity: "`online`, `late`, `offline` or `never-seen`" },
  },
  plimsoll_certificate_expiry_timestamp_seconds: {
    type: "gauge",
    help: "When the certificate of an active cluster's agent ends that ends first, Unix time; missing where there is none",
  },
  plimsoll_agent_streams: {
    type: "gauge",
    help: "Open streams of agents",
    labels: { stream: "`control` or `ingest`" },
  },
  plimsoll_stream_refusals_total: {
    type: "counter",
    help: "Messages of agents that were refused",
    labels: { stream: "`control` or `ingest`", code: "code of the error" },
  },
  plimsoll_delivery_lag_seconds: {
    type: "gauge",
    help: "Age of the oldest batch that an agent holds undelivered, by its last beat; of the cluster that is furthest behind",
  },
  plimsoll_clusters_behind: {
    type: "gauge",
    help: "Clusters whose agent holds batches that are older than ten minutes",
  },
  plimsoll_pull_duration_seconds: {
    type: "histogram",
    help: "Rounds of clusters that the hub reads itself",
    labels: { outcome: "`read` or `failed`" },
    buckets: [0.5, 2, 10, 30, 120, 300],
  },
  plimsoll_ingest_batches_total: {
    type: "counter",
    help: "Batches, by what became of them",
    labels: { outcome: "`applied`, `duplicate`, `superseded`, `rejected`, `deregistered` or `retried`" },
  },
  plimsoll_ingest_rows_total: {
    type: "counter",
    help: "Rows of applied batches; of kind `gap`, each is a time whose facts are lost",
    labels: { kind: "`usage`, `node`, `sample` or `gap`" },
  },
  plimsoll_gaps_recorded_total: {
    type: "counter",
    help: "Gaps that the hub recorded itself, of facts that it or an agent has lost; those of agents are rows of kind `gap`",
    labels: { reason: "`batches_lost`, `hub_restored` or `segment_lost`" },
  },
  plimsoll_ingest_rejected_total: {
    type: "counter",
    help: "Batches that were put into the quarantine",
    labels: { code: "code of the error" },
  },
  plimsoll_ingest_bytes_total: { type: "counter", help: "Size of the envelopes that came, compressed, bytes" },
  plimsoll_ingest_waiting_bytes: { type: "gauge", help: "Envelopes that wait for their commit, bytes" },
  plimsoll_ingest_waiting_batches: { type: "gauge", help: "Envelopes that wait for their turn or their commit" },
  plimsoll_ingest_duration_seconds: {
    type: "histogram",
    help: "Time from an envelope's arrival to its answer: its turn among the clusters, the commit, the disk",
    labels: { outcome: "`ack`, `reject`, `retry` or `deregistered`" },
    buckets: FAST,
  },
  plimsoll_commit_duration_seconds: {
    type: "histogram",
    help: "Commits of the ledger",
    buckets: FAST,
  },
  plimsoll_commit_batches: {
    type: "histogram",
    help: "Batches that shared a commit",
    buckets: [1, 2, 5, 10, 25, 50, 100, 250],
  },
  plimsoll_commit_failures_total: {
    type: "counter",
    help: "Commits of the ledger that failed; their batches are sent again",
  },
  plimsoll_last_commit_timestamp_seconds: {
    type: "gauge",
    help: "When the last commit became durable, Unix time; missing before the first",
  },
  plimsoll_fsync_duration_seconds: {
    type: "histogram",
    help: "Time that the disk took to make a segment or a folder durable",
    buckets: FAST,
  },
  plimsoll_segments: {
    type: "gauge",
    help: "Segments that the ledger names",
    labels: {
      kind: "`usage`, `node`, `sample`, `gap`, `cost` or `cost_day`",
      state: "`live`, or `broken`: missing or damaged",
    },
  },
  plimsoll_segment_bytes: {
    type: "gauge",
    help: "Size of live segments, bytes",
    labels: { kind: "as of `plimsoll_segments`" },
  },
  plimsoll_segments_lost_total: {
    type: "counter",
    help: "Segments that were missing or damaged and were taken off the ledger; a gap says what of them is not made again",
    labels: { kind: "as of `plimsoll_segments`" },
  },
  plimsoll_spools_with_holes: {
    type: "gauge",
    help: "Spools of which later batches have come and an earlier one has not, yet",
  },
  plimsoll_quarantine_batches: { type: "gauge", help: "Batches in the quarantine that were not replayed" },
  plimsoll_quarantine_bytes: { type: "gauge", help: "Size of the batches that the quarantine keeps, bytes" },
  plimsoll_pricing_backlog: {
    type: "gauge",
    help: "Hours of clusters whose facts changed since they were priced",
  },
  plimsoll_pricing_lag_seconds: {
    type: "gauge",
    help: "Age of the newest priced facts, of the cluster that is furthest behind among those with facts of the last two hours",
  },
  plimsoll_coverage_ratio: {
    type: "gauge",
    help: "Share of the last full hour of all clusters that is backed by facts, 0 to 1; missing when nothing was expected",
  },
  plimsoll_coverage_lost_ratio: {
    type: "gauge",
    help: "Share of the last full hour of all clusters that is not backed by facts, 0 to 1",
    labels: {
      reason: "`agent_down`, `agent_silent`, `spool_corrupt`, `quarantined`, `pending` and so on, as in the API",
    },
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
export type HubMetricName = keyof typeof HUB_METRICS;
