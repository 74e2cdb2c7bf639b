/** What the agents' process tells at its end. Seconds. */
export interface AgentsReport {
  /** Of the back-fill. */
  readonly batches: number;
  readonly backfillSeconds: number;
  /** From spooled to acknowledged, ascending. */
  readonly live: readonly number[];
  readonly reconnects: number;
  readonly cpuSeconds: number;
}

/** What the hub's process tells of the time since it was asked to measure. */
export interface HubReport {
  readonly cpuSeconds: number;
  readonly maxRssBytes: number;
  readonly rows: number;
}
