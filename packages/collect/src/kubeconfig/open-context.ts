import { PlimsollError } from "@plimsoll/contracts";
import type { Clock, Random } from "../kube/clock.ts";
import type { KubeConnection } from "../kube/connection.ts";
import type { Kubeconfig } from "./kubeconfig.ts";

/** How a connection behaves; every member has a default. */
export interface OpenOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Deadline of one request, milliseconds (default 30,000). */
  readonly requestDeadlineMs?: number;
  /** Environment of credential plug-ins (default: this process's). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A person is at the terminal: credential plug-ins may ask (default false). */
  readonly interactive?: boolean;
}

/**
 * A connection with the credentials of `context`. Sends nothing yet: a dead address shows at the first request. Throws
 * context_unknown, and kubeconfig_invalid when the context's cluster, user, certificate or key is missing or unreadable.
 */
export async function openContext(
  _kubeconfig: Kubeconfig,
  _context: string,
  _options: OpenOptions = {},
): Promise<KubeConnection> {
  throw new PlimsollError("internal", { reason: "not built yet" });
}
