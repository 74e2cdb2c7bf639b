import { AGENT_METRICS } from "./agent-metric-table.ts";
import { Durations } from "./durations.ts";

/** What an agent takes the time of. */
export interface Timings {
  readonly fsync: Durations;
  readonly tick: Durations;
  readonly apiRequest: Durations;
}

/** No times yet. */
export function createTimings(): Timings {
  return {
    fsync: new Durations(AGENT_METRICS.plimsoll_agent_fsync_duration_seconds.buckets),
    tick: new Durations(AGENT_METRICS.plimsoll_agent_tick_duration_seconds.buckets),
    apiRequest: new Durations(AGENT_METRICS.plimsoll_agent_api_request_duration_seconds.buckets),
  };
}
