import type { KubeConnection } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";

/** Does the API server call itself ready? */
export interface ApiHealth {
  /** Asks once. Never rejects. */
  ask(signal: AbortSignal): Promise<void>;
  /** Why the cluster is unhealthy; null = it is not, or nobody may ask. */
  readonly unhealthy: string | null;
}

/** A change must last this long before it counts. Source: inventory rules, "Liveness". */
const SUSTAINED_MS = 30_000;
/** Answers that say nothing about health: no right to ask, or not served. */
const SILENT: ReadonlySet<string> = new Set(["cluster_forbidden", "cluster_unauthorized", "api_missing"]);

/** `/readyz`, or `/healthz` where that may not be asked. `now` is milliseconds of any clock. */
export function createApiHealth(connection: KubeConnection, now: () => number): ApiHealth {
  let unhealthy: string | null = null;
  let changing: { readonly to: string | null; readonly sinceMs: number } | undefined;
  const take = (found: string | null): void => {
    if ((found === null) === (unhealthy === null)) {
      unhealthy = found;
      changing = undefined;
      return;
    }
    if (changing === undefined || (changing.to === null) !== (found === null)) changing = { to: found, sinceMs: now() };
    if (now() - changing.sinceMs < SUSTAINED_MS) return;
    unhealthy = found;
    changing = undefined;
  };
  return {
    async ask(signal) {
      for (const path of ["/readyz", "/healthz"]) {
        const answer = await askPath(connection, path, signal);
        if (answer === undefined) continue;
        take(answer);
        return;
      }
    },
    get unhealthy() {
      return unhealthy;
    },
  };
}

/** What is wrong, null = nothing; undefined = the answer says nothing about it. */
async function askPath(
  connection: KubeConnection,
  path: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  try {
    await connection.getText(path, { signal, repeats: 0, deadlineMs: 10_000 });
    return null;
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    if (SILENT.has(error.code)) return undefined;
    // That the server cannot be reached is for the watches to say: it may be our way to it.
    return error.code === "api_error" ? `the API server's ${path} fails: ${error.message}` : undefined;
  }
}
