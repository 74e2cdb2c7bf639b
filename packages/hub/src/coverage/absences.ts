import type { ReasonedSpan } from "@plimsoll/core";
import type { Heard } from "./heard.ts";

/** A change of connectivity. */
export interface ConnectivityChange {
  readonly fromState: string | null;
  readonly toState: string;
  readonly atMs: number;
}

/** What explains why a cluster's facts are not there. */
export interface AbsenceFacts {
  readonly mode: "push" | "pull";
  /** Null = this process hears of no cluster. */
  readonly heard: Heard | null;
  /** Since the start of the window, in order. */
  readonly changes: readonly ConnectivityChange[];
  readonly nowMs: number;
}

/** Facts of a cluster that is heard are on their way for this long: flush, delivery, commit, pricing, each with some patience. */
const ON_THE_WAY_MS = 10 * 60_000;
/** A batch tells of the time before it was sealed: at most one flush. */
const FLUSH_MS = 10 * 60_000;

/**
 * Why facts of a cluster may be absent: times in which nothing was heard of it, and what is on its way. They count only
 * where facts are absent, so they may say too much.
 */
export function absencesOf({ mode, heard, changes, nowMs }: AbsenceFacts): readonly ReasonedSpan[] {
  const reason = mode === "push" ? "agent_silent" : "cluster_unreachable";
  const noticedMs = heard?.unknownAfterMs ?? 0;
  const silences: ReasonedSpan[] = [];
  const first = changes[0];
  let silentSinceMs: number | null = silentSince(first ? isSilent(first.fromState) : heard?.isHeard === false);
  for (const { toState, atMs } of changes) {
    if (isSilent(toState)) silentSinceMs ??= atMs - noticedMs;
    else if (silentSinceMs !== null) {
      silences.push({ fromMs: silentSinceMs, toMs: atMs, reason });
      silentSinceMs = null;
    }
  }
  // A hub that was stopped or asleep noticed late: the last beat says it better.
  if (silentSinceMs !== null) {
    const fromMs = Math.min(silentSinceMs, heard?.lastBeatAtMs ?? silentSinceMs);
    silences.push({ fromMs, toMs: nowMs, reason });
  }
  return [...silences, ...pending(heard, nowMs)];
}

/** What a cluster that is heard has not delivered yet. Without anybody who listens, only what is quite new. */
function pending(heard: Heard | null, nowMs: number): readonly ReasonedSpan[] {
  if (heard?.isHeard === false) return [];
  const heldMs = heard?.oldestSealedMs ?? nowMs;
  return [{ fromMs: Math.min(nowMs - ON_THE_WAY_MS, heldMs - FLUSH_MS), toMs: nowMs, reason: "pending" }];
}

function silentSince(isSilentAtFirst: boolean): number | null {
  return isSilentAtFirst ? 0 : null;
}

function isSilent(state: string | null): boolean {
  return state === "offline" || state === "never-seen";
}
