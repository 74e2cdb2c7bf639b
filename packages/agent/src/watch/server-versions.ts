import type { KubeConnection } from "@plimsoll/collect";
import { PlimsollError, type Reading, reportError } from "@plimsoll/contracts";
import type { ResourceReadState } from "@plimsoll/contracts/wire";
import { z } from "zod";

/** Versions that the API servers of a cluster answer with: behind a load balancer each answer may come from another one. */
export interface ServerVersions {
  /** Asks once. Never rejects. */
  ask(signal: AbortSignal): Promise<void>;
  /** Every version of the window, or why none is known. */
  reading(): Reading<readonly string[]>;
  state(): ResourceReadState;
}

/** A version that no server answered with for this long is gone: the upgrade is over. */
const WINDOW_MS = 600_000;
const Version = z.object({ gitVersion: z.string() });

/** No version yet. `now` is hub time, milliseconds. */
export function createServerVersions(connection: KubeConnection, now: () => number): ServerVersions {
  const seen = new Map<string, number>();
  let observedAtMs: number | null = null;
  let failure: PlimsollError | undefined;
  return {
    async ask(signal) {
      try {
        const version = Version.safeParse(await connection.getJson("/version", { signal, repeats: 1 }));
        if (!version.success) {
          throw new PlimsollError("api_answer_invalid", {
            server: connection.server,
            what: "/version",
            reason: "it names no gitVersion",
          });
        }
        observedAtMs = now();
        seen.set(version.data.gitVersion, observedAtMs);
        failure = undefined;
      } catch (error) {
        if (!(error instanceof PlimsollError)) throw error;
        failure = error;
      }
      // Kept while nothing newer is known: a version that cannot be asked for is stale, not gone.
      for (const [version, atMs] of seen) if ((observedAtMs ?? 0) - atMs > WINDOW_MS) seen.delete(version);
    },
    reading() {
      if (seen.size > 0)
        return { known: true, value: [...seen.keys()].sort(), observedAt: new Date(observedAtMs ?? 0).toISOString() };
      const error =
        failure ?? new PlimsollError("cluster_busy", { server: connection.server, seconds: 0, what: "/version" });
      return { known: false, error: reportError(error) };
    },
    state: () => ({
      resource: "version",
      state: failure ? (seen.size > 0 ? "stale" : "unreadable") : seen.size > 0 ? "current" : "unknown",
      observedAtMs,
      errorCode: failure?.code ?? null,
    }),
  };
}
