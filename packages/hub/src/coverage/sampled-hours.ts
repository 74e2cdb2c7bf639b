import type { SampledHour } from "../warehouse/ask-sampled.ts";
import type { ToldHour } from "./cluster-hours.ts";

const HOUR_MS = 3_600_000;

/**
 * Hours of which samples tell, by cluster. A window that was merged of several reaches into the hours behind it, which it
 * tells of too. Of pods they know nothing.
 */
export function sampledHours(sampled: readonly SampledHour[]): ReadonlyMap<string, readonly ToldHour[]> {
  const byCluster = Map.groupBy(sampled, ({ clusterId }) => clusterId);
  return new Map([...byCluster].map(([clusterId, hours]) => [clusterId, toldBy(hours)]));
}

function toldBy(sampled: readonly SampledHour[]): readonly ToldHour[] {
  const upTo = new Map<number, number>();
  for (const { hourStartMs, upToMs } of sampled) {
    for (let hour = hourStartMs; hour < Math.max(upToMs, hourStartMs + 1); hour += HOUR_MS) {
      upTo.set(hour, Math.max(upTo.get(hour) ?? hour, Math.min(upToMs, hour + HOUR_MS)));
    }
  }
  return [...upTo].map(([hourStartMs, upToMs]) => ({ hourStartMs, upToMs, billedMs: 0, unseenMs: 0 }));
}
