import type { GapRow } from "@plimsoll/contracts/wire";

/** Times in which usage, which could be read before, could not be. */
export interface UsageGaps {
  /** A reading was asked for at `atMs`; a good one holds for `holdMs`. */
  read(isKnown: boolean, atMs: number, holdMs: number): void;
  /** Gaps to tell: each that ended, and the open one again, up to where it was last seen. */
  take(): readonly GapRow[];
}

/**
 * Nothing read yet. A cluster whose usage could never be read has no gap: its figures say that usage is unknown. Times are
 * milliseconds of hub time.
 */
export function createUsageGaps(): UsageGaps {
  let heldUntilMs: number | null = null;
  let openedMs: number | null = null;
  let told: GapRow[] = [];
  let latestMs = 0;
  return {
    read(isKnown, atMs, holdMs) {
      latestMs = Math.round(atMs);
      if (!isKnown && heldUntilMs !== null && atMs > heldUntilMs) openedMs ??= Math.round(heldUntilMs);
      if (!isKnown) return;
      if (openedMs !== null) told.push(gapRow(openedMs, latestMs, latestMs));
      openedMs = null;
      heldUntilMs = atMs + holdMs;
    },
    take() {
      const taken = openedMs === null ? told : [...told, gapRow(openedMs, null, latestMs)];
      told = [];
      return taken;
    },
  };
}

function gapRow(startMs: number, endMs: number | null, asOfMs: number): GapRow {
  return {
    startMs,
    endMs,
    asOfMs,
    reason: "usage_unavailable",
    missing: "usage",
    subject: null,
    detail: "The usage of pods could not be read",
    lostBatches: 0,
    lostRows: 0,
    lostBytes: 0,
    lostSequences: null,
  };
}
