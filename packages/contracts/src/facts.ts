import type { ReportedError } from "./errors.ts";
import type { KubeObjects, KubeResource, QuantityTexts } from "./kube.ts";

/**
 * What was read, or why it was not. Unknown is neither zero nor empty: whoever reads a `Reading` must say what an unknown
 * one means for its own figure. `observedAt` is RFC 3339 UTC, by the clock of whoever read it.
 */
export type Reading<T> =
  | { readonly known: true; readonly value: T; readonly observedAt: string }
  | { readonly known: false; readonly error: ReportedError };

/** Usage of one node or pod: cpu and memory working set as quantity texts ("119999922n", "100Mi"). */
export interface NodeUsage {
  readonly node: string;
  readonly usage: QuantityTexts;
}
export interface PodUsage {
  readonly namespace: string;
  readonly pod: string;
  readonly usage: QuantityTexts;
}
export interface Usage {
  readonly source: "metrics.k8s.io" | "kubelet" | "prometheus";
  readonly nodes: readonly NodeUsage[];
  readonly pods: readonly PodUsage[];
}

/** Everything one collection learned of one cluster: the input of `core`, made by `collect` from an API or a dump. */
export interface ClusterFacts {
  /** What the reader called it: kubeconfig context, or the dump's folder or file name. */
  readonly name: string;
  readonly source: {
    readonly kind: "api" | "dump";
    readonly location: string;
    /** Dumps: what `asOf` rests on: the dump's manifest, the newest time in its objects, or its newest file's time. */
    readonly asOfFrom?: "manifest" | "objects" | "file";
  };
  /** End of the collection, RFC 3339 UTC. */
  readonly asOf: string;
  /** Every gitVersion that `/version` answered during the collection (several while API servers are upgraded). */
  readonly serverVersions: Reading<readonly string[]>;
  readonly objects: { readonly [R in KubeResource]: Reading<readonly KubeObjects[R][]> };
  readonly usage: Reading<Usage>;
  /** Objects and files that were met and not used, with the reason. */
  readonly unused: readonly UnusedInput[];
}

export interface UnusedInput {
  /** File, and line or index where known. */
  readonly where: string;
  readonly code: string;
  readonly reason: string;
  /** An object that figures need, of this resource: they lack it, so that it is an error of the report. */
  readonly resource?: KubeResource;
}
