import type { HealthStatus } from "@plimsoll/contracts";

/** What is heard of a cluster: online → late (2 beats missed) → offline (N missed). */
export type ConnectivityState = "never-seen" | "online" | "late" | "offline";

/** Missed beats after which a cluster is late. */
const LATE_BEATS = 2;
/** Fewer would call a cluster unknown for one lost beat and its jitter. */
const MIN_UNKNOWN_BEATS = 3;

/** When silence means what, milliseconds. */
export interface BeatWindows {
  readonly beatMs: number;
  readonly lateAfterMs: number;
  readonly unknownAfterMs: number;
}

/** The windows of a beat; `unknownBeats` below the minimum counts as the minimum. */
export function beatWindows(beatMs: number, unknownBeats: number): BeatWindows {
  return {
    beatMs,
    lateAfterMs: beatMs * LATE_BEATS,
    unknownAfterMs: beatMs * Math.max(unknownBeats, MIN_UNKNOWN_BEATS),
  };
}

/** What is known of a cluster's beats, by the hub's clock. */
export interface Heard {
  readonly state: ConnectivityState;
  /** Null = never. */
  readonly lastBeatAtMs: number | null;
  /** When this hub began to listen: nothing could be heard before, so silence counts from here. */
  readonly listeningSinceMs: number;
}

/** The state of now and when it is to be judged again; null = only a beat changes it. */
export interface Judgement {
  readonly state: ConnectivityState;
  readonly dueAtMs: number | null;
}

const ORDER: readonly ConnectivityState[] = ["online", "late", "offline"];

/**
 * Judges silence. It can only make a state worse (a beat makes it `online`, elsewhere), and a hub that has just begun to
 * listen gives a window of grace to all that were not offline before.
 */
export function judgeSilence(heard: Heard, windows: BeatWindows, nowMs: number): Judgement {
  const { state, lastBeatAtMs, listeningSinceMs } = heard;
  if (state === "never-seen" || state === "offline" || lastBeatAtMs === null) return { state, dueAtMs: null };
  const since = Math.max(lastBeatAtMs, listeningSinceMs);
  const silentMs = nowMs - since;
  const judged = silentMs >= windows.unknownAfterMs ? "offline" : silentMs >= windows.lateAfterMs ? "late" : "online";
  const worse = ORDER.indexOf(judged) > ORDER.indexOf(state) ? judged : state;
  if (worse === "offline") return { state: worse, dueAtMs: null };
  return { state: worse, dueAtMs: since + (worse === "online" ? windows.lateAfterMs : windows.unknownAfterMs) };
}

/** How long a cluster must say the same before it becomes unhealthy, or leaves it, milliseconds. */
export const SUSTAINED_MS = 30_000;

/** Health as it counts, and what wants to become it. */
export interface SettledHealth {
  readonly status: HealthStatus;
  readonly sinceMs: number;
  /** What is reported meanwhile and since when; null = the same as counts. */
  readonly pending: { readonly status: HealthStatus; readonly sinceMs: number } | null;
}

/**
 * Takes what is reported over: at once, but into and out of `unhealthy` only when it was sustained for that long, so that
 * one failed probe is no outage. 0 = whoever reports has seen to that already.
 */
export function settleHealth(
  held: SettledHealth | null,
  reported: HealthStatus,
  nowMs: number,
  sustainedMs: number,
): SettledHealth {
  if (held === null) return { status: reported, sinceMs: nowMs, pending: null };
  if (reported === held.status) return held.pending === null ? held : { ...held, pending: null };
  const sudden = reported === "unhealthy" || held.status === "unhealthy";
  if (!sudden) return { status: reported, sinceMs: nowMs, pending: null };
  // Leaving `unhealthy` for healthy or degraded is one success, whichever of the two it is.
  const same = held.pending !== null && (held.status === "unhealthy" || held.pending.status === reported);
  const sinceMs = same && held.pending ? held.pending.sinceMs : nowMs;
  if (nowMs - sinceMs >= sustainedMs) return { status: reported, sinceMs: nowMs, pending: null };
  return { ...held, pending: { status: reported, sinceMs } };
}
