import type { UsageRow } from "@plimsoll/contracts/wire";
import type { InstantNanos } from "./instant.ts";
import { MeteredInterval } from "./metered-interval.ts";
import { MeteredPod } from "./metered-pod.ts";
import { fromMillis, HOUR } from "./utc-hour.ts";

/** A pod that had ended before the restart. */
export interface ResumedEnd {
  readonly end: InstantNanos;
  readonly rows: readonly UsageRow[];
}

/** What the rows of a checkpoint stand for. */
export interface ResumedPods {
  readonly open: readonly MeteredPod[];
  /** By UID. */
  readonly ended: ReadonlyMap<string, ResumedEnd>;
  /** Rows that are over: to be told again as they are, as nobody knows whether they were spooled. */
  readonly pending: readonly UsageRow[];
}

/** Makes pods of checkpointed rows: the latest row of an open interval is continued, all others are told again. */
export function resumePods(rows: readonly UsageRow[]): ResumedPods {
  const open: MeteredPod[] = [];
  const ended = new Map<string, ResumedEnd>();
  const pending: UsageRow[] = [];
  for (const [uid, ofPod] of groupByPod(rows)) {
    const last = ofPod.at(-1);
    if (!last) continue;
    if (last.intervalEndMs === null) {
      // An hour that is over is not continued: the next one starts from nothing.
      const over = last.asOfMs === last.hourStartMs + Number(HOUR / 1_000_000n);
      pending.push(...(over ? ofPod : ofPod.slice(0, -1)));
      open.push(resumePod(over ? { ...last, hourStartMs: last.asOfMs, resources: new Map() } : last));
    } else {
      pending.push(...ofPod);
      ended.set(uid, { end: fromMillis(last.intervalEndMs), rows: ofPod });
    }
  }
  return { open, ended, pending };
}

/** Rows by pod, in order of interval and hour. */
function groupByPod(rows: readonly UsageRow[]): ReadonlyMap<string, readonly UsageRow[]> {
  const sorted = rows.toSorted((a, b) => a.intervalStartMs - b.intervalStartMs || a.hourStartMs - b.hourStartMs);
  return Map.groupBy(sorted, (row) => row.podUid);
}

function resumePod(row: UsageRow): MeteredPod {
  const interval = MeteredInterval.resume(fromMillis(row.intervalStartMs), {
    hour: fromMillis(row.hourStartMs),
    asOf: fromMillis(row.asOfMs),
    resources: row.resources,
  });
  return new MeteredPod({ uid: row.podUid, name: row.podName, nodeName: row.nodeName }, [interval], row);
}
