import { PlimsollError, type Reading } from "@plimsoll/contracts";
import { type Clock, timestamp } from "../kube/clock.ts";
import type { KubeConnection } from "../kube/connection.ts";
import { FieldReader } from "../projection/field-reader.ts";

/**
 * Gathers what `/version` says: behind a load balancer each answer may come from another API server, and during an
 * upgrade they differ.
 */
export interface VersionSet {
  /** Asks once more. Rejects with the connection's errors, api_answer_invalid when there is no gitVersion. */
  ask(): Promise<void>;
  reading(): Reading<readonly string[]>;
}

/** An empty set for `conn`. A missing right makes the reading unknown and does not reject. */
export function createVersionSet(conn: KubeConnection, clock: Clock, signal: AbortSignal): VersionSet {
  const seen = new Set<string>();
  let observedAt = "";
  let failure: PlimsollError | undefined;
  return {
    async ask() {
      const askedAt = timestamp(clock);
      try {
        seen.add(await readVersion(conn, signal));
        observedAt = askedAt;
      } catch (error) {
        if (!(error instanceof PlimsollError) || !TOLERABLE.has(error.code)) throw error;
        failure = error;
      }
    },
    reading() {
      if (seen.size > 0 || !failure) return { known: true, value: [...seen].sort(), observedAt };
      const { code, message, remedy } = failure;
      return { known: false, error: { code, message, remedy } };
    },
  };
}

/** The cluster is there and the rest of it may be readable. */
const TOLERABLE: ReadonlySet<string> = new Set(["cluster_forbidden", "api_missing"]);

async function readVersion(conn: KubeConnection, signal: AbortSignal): Promise<string> {
  const raw = await conn.getJson("/version", { signal });
  try {
    return new FieldReader(raw, "/version").text("gitVersion");
  } catch {
    throw new PlimsollError("api_answer_invalid", {
      server: conn.server,
      context: conn.context,
      what: "/version",
      reason: "it names no gitVersion",
    });
  }
}
