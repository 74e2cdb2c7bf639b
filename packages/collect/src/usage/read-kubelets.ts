import { type KubeNode, PlimsollError, type Usage } from "@plimsoll/contracts";
import { type Clock, sleep } from "../kube/clock.ts";
import type { KubeConnection } from "../kube/connection.ts";
import { createLimiter } from "../kube/limiter.ts";
import { type KubeletRead, kubeletUsage } from "./kubelet-usage.ts";

/** Reads `/metrics/resource` of one node's kubelet as text. Rejects with a coded error. */
export type KubeletReader = (node: KubeNode, signal?: AbortSignal) => Promise<string>;

/** How kubelets are read. */
export interface KubeletOptions {
  readonly clock: Clock;
  /** Between the two reads, milliseconds. Kubelets take a new sample about every 10 s. */
  readonly intervalMs?: number;
  /** Kubelets read at once. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/**
 * Through the API server. Needs `nodes/proxy`, with which its holder can run commands in any container: only for those
 * who chose it.
 */
export function kubeletThroughApi(conn: KubeConnection): KubeletReader {
  return (node, signal) => {
    const name = node.metadata.name;
    const path = `/api/v1/nodes/${encodeURIComponent(name)}/proxy/metrics/resource`;
    return conn.getText(path, { signal, accept: ACCEPT, what: `usage of node ${name}`, repeats: 1 });
  };
}

/** Some servers refuse "text/plain" alone although that is what they send. */
const ACCEPT = "text/plain, */*;q=0.5";
/** Where a node says that its kubelet keeps the figures; metrics-server reads it too. */
const PATH_ANNOTATION = "metrics.k8s.io/resource-metrics-path";

/**
 * Straight from the kubelet's own port (10250), with the right `nodes/metrics`. `connect` opens a connection to
 * `https://ADDRESS:PORT` with the agent's token; one is kept per node.
 */
export function kubeletDirect(connect: (server: string) => KubeConnection, port = 10250): KubeletReader {
  const connections = new Map<string, KubeConnection>();
  return async (node, signal) => {
    const name = node.metadata.name;
    const address = node.status?.addresses?.find(({ type }) => type === "InternalIP")?.address;
    if (!address) throw new PlimsollError("usage_unavailable", { cluster: name, reason: "the node has no InternalIP" });
    const server = `https://${address.includes(":") ? `[${address}]` : address}:${port}`;
    const conn = connections.get(server) ?? connect(server);
    connections.set(server, conn);
    const path = node.metadata.annotations?.[PATH_ANNOTATION] ?? "/metrics/resource";
    return conn.getText(path, {
      signal,
      accept: ACCEPT,
      what: `usage of node ${name}`,
      repeats: 1,
    });
  };
}

/**
 * Usage by two reads of every kubelet. A kubelet that does not answer leaves its node and pods out; throws
 * usage_unavailable when none answered twice.
 */
export async function readKubelets(
  nodes: readonly KubeNode[],
  read: KubeletReader,
  options: KubeletOptions,
): Promise<Usage> {
  const { clock, intervalMs = 15_000, concurrency = 10, signal } = options;
  const limit = createLimiter(concurrency);
  let failure: unknown;
  const readAll = async (): Promise<KubeletRead[]> => {
    const reads = await Promise.allSettled(
      nodes.map((node) =>
        limit(async () => {
          const text = await read(node, signal);
          return { node: node.metadata.name, takenAtMs: clock.now(), text };
        }, signal),
      ),
    );
    failure ??= reads.find((item) => item.status === "rejected")?.reason;
    return reads.flatMap((item) => (item.status === "fulfilled" ? [item.value] : []));
  };
  const before = await readAll();
  if (before.length > 0) await sleep(clock, intervalMs, signal);
  const usage = kubeletUsage(before, before.length > 0 ? await readAll() : []);
  signal?.throwIfAborted();
  if (usage.nodes.length === 0) {
    const reason = failure instanceof Error ? failure.message : "no kubelet answered";
    throw new PlimsollError("usage_unavailable", { cluster: "the kubelets", reason }, { cause: failure });
  }
  return usage;
}
