import { type NodeUsage, PlimsollError, type PodUsage, type QuantityTexts, type Usage } from "@plimsoll/contracts";
import { addResources, formatQuantity, parseResources } from "@plimsoll/core";
import type { KubeConnection } from "../kube/connection.ts";
import { pagedList } from "../kube/paged-list.ts";
import { FieldReader } from "../projection/field-reader.ts";

/** What metrics.k8s.io gave; a half that could not be read is empty and its error stands beside. */
export interface MetricsApiUsage {
  readonly usage: Usage;
  readonly errors: readonly PlimsollError[];
}

const BASE = "/apis/metrics.k8s.io/v1beta1";

/**
 * Usage of nodes and pods from metrics.k8s.io. A node or pod that is missing reported nothing: unknown, not zero. Throws
 * usage_not_served when the API is not there, usage_unavailable when neither half can be read, and the signal's reason.
 */
export async function readMetricsApi(conn: KubeConnection, signal?: AbortSignal): Promise<MetricsApiUsage> {
  const errors: PlimsollError[] = [];
  const list = async <T>(resource: string, project: (raw: unknown, where: string) => T): Promise<readonly T[]> => {
    const what = `${resource}.metrics.k8s.io`;
    try {
      // An API service without its server answers 503 at once: one repetition is enough.
      const options = { path: `${BASE}/${resource}`, what, project, signal, repeats: 1 };
      const { items } = await pagedList(conn, { ...options, onUnusable: (error) => errors.push(error) });
      return items.map((item) => item.object);
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error;
      errors.push(error);
      return [];
    }
  };
  const [nodes, pods] = await Promise.all([list("nodes", projectNodeUsage), list("pods", projectPodUsage)]);
  signal?.throwIfAborted();
  const first = errors[0];
  if (nodes.length === 0 && pods.length === 0 && first) throw unavailable(conn, first);
  return { usage: { source: "metrics.k8s.io", nodes, pods }, errors };
}

/** A NodeMetrics object's figures. Throws object_unusable. */
export function projectNodeUsage(raw: unknown, where: string): NodeUsage {
  const metrics = new FieldReader(raw, where);
  return { node: metrics.object("metadata").text("name"), usage: metrics.optionalQuantities("usage") ?? {} };
}

/** A PodMetrics object's figures: the sum of its containers'. Throws object_unusable, quantity_invalid. */
export function projectPodUsage(raw: unknown, where: string): PodUsage {
  const metrics = new FieldReader(raw, where);
  const metadata = metrics.object("metadata");
  const [first, ...others] = metrics.list("containers").map((item) => item.optionalQuantities("usage") ?? {});
  const usage = others.length === 0 ? (first ?? {}) : sumUsage([first ?? {}, ...others], where);
  return { namespace: metadata.text("namespace"), pod: metadata.text("name"), usage };
}

function sumUsage(usages: readonly QuantityTexts[], where: string): QuantityTexts {
  const total = new Map<string, bigint>();
  for (const usage of usages) addResources(total, parseResources(usage, where));
  return Object.fromEntries([...total].map(([resource, nanos]) => [resource, formatQuantity(nanos)]));
}

function unavailable(conn: KubeConnection, error: PlimsollError): PlimsollError {
  if (error.code === "api_missing") {
    return new PlimsollError("usage_not_served", { cluster: conn.context }, { cause: error });
  }
  const reasons: Readonly<Record<string, string>> = {
    cluster_forbidden: "no right to list nodes and pods of metrics.k8s.io",
  };
  const reason = reasons[error.code] ?? error.message;
  return new PlimsollError("usage_unavailable", { cluster: conn.context, reason }, { cause: error });
}
