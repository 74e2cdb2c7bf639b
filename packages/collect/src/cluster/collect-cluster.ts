import { type ClusterFacts, PlimsollError } from "@plimsoll/contracts";
import type { Clock } from "../kube/clock.ts";
import type { KubeConnection } from "../kube/connection.ts";
import type { ProgressListener } from "./progress.ts";

/** What to call the cluster and how long its collection may take. */
export interface CollectOptions {
  readonly name: string;
  /** The whole collection ends by then, milliseconds. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly progress?: ProgressListener;
}

/**
 * Reads a cluster once: every resource of `KubeResource`, versions and usage. What cannot be read is an unknown `Reading`
 * with its error; what ran out of time too. Rejects only when the cluster as a whole cannot be read: cluster_unreachable,
 * cluster_timeout (nothing was read by the deadline), cluster_unauthorized, tls_untrusted, credential_plugin_failed,
 * api_answer_invalid; or with the signal's reason when it aborts.
 */
export async function collectCluster(_conn: KubeConnection, _options: CollectOptions): Promise<ClusterFacts> {
  throw new PlimsollError("internal", { reason: "not built yet" });
}
