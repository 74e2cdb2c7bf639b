/** What is heard of a cluster now, as far as its coverage asks. */
export interface Heard {
  readonly isHeard: boolean;
  /** Null = never. */
  readonly lastBeatAtMs: number | null;
  /** Silence this long before it was noticed belongs to it. */
  readonly unknownAfterMs: number;
  /** When the oldest batch that the agent still holds was sealed; null = it holds none, or has not said. */
  readonly oldestSealedMs: number | null;
}

/** Where the hub listens: by cluster id; null = this process hears of no cluster. */
export type HeardOf = (clusterId: string) => Heard | null;

/** Liveness, in the words of coverage. */
interface LivenessLike {
  of(clusterId: string): {
    readonly state: string;
    readonly lastBeatAtMs: number | null;
    readonly windows: { readonly unknownAfterMs: number };
    readonly spool: Readonly<Record<string, unknown>> | null;
  };
}

/** What liveness says of a cluster. */
export function heardBy(liveness: LivenessLike): HeardOf {
  return (clusterId) => {
    const { state, lastBeatAtMs, windows, spool } = liveness.of(clusterId);
    const oldest = spool?.oldestSealedMs;
    return {
      isHeard: state === "online" || state === "late",
      lastBeatAtMs,
      unknownAfterMs: windows.unknownAfterMs,
      oldestSealedMs: typeof oldest === "number" ? oldest : null,
    };
  };
}
