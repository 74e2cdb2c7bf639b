import { type KubeConnection, readMetricsApi } from "@plimsoll/collect";
import { PlimsollError, type Reading, reportError, type Usage } from "@plimsoll/contracts";
import type { ResourceReadState } from "@plimsoll/contracts/wire";

/** The latest reading of usage. */
export interface UsageReading {
  /** Reads once; what cannot be read makes the reading unknown. Rejects only with the signal's reason. */
  read(signal: AbortSignal): Promise<void>;
  reading(): Reading<Usage>;
  state(): ResourceReadState;
}

/** Usage from metrics.k8s.io, unknown until it was read. `now` is hub time, milliseconds. */
export function createUsageReading(connection: KubeConnection, now: () => number): UsageReading {
  const { server: cluster } = connection;
  let latest: Reading<Usage> = {
    known: false,
    error: reportError(new PlimsollError("usage_unavailable", { cluster, reason: "it was not read yet" })),
  };
  let asked = false;
  let observedAtMs: number | null = null;
  return {
    async read(signal) {
      const atMs = now();
      asked = true;
      try {
        const { usage } = await readMetricsApi(connection, signal);
        observedAtMs = atMs;
        latest = { known: true, value: usage, observedAt: new Date(atMs).toISOString() };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof PlimsollError)) throw error;
        latest = { known: false, error: reportError(error) };
      }
    },
    reading: () => latest,
    state: () => ({
      resource: "usage",
      state: latest.known ? "current" : asked ? "unreadable" : "unknown",
      observedAtMs,
      errorCode: latest.known || !asked ? null : latest.error.code,
    }),
  };
}
