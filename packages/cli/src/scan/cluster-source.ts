import type { ClusterFacts } from "@plimsoll/contracts";

/** How far one cluster's reading is, in words for a person ("3,000 pods"). Must not throw. */
type StepListener = (step: string) => void;

/** Something a scan reads one cluster from: a context of a kubeconfig, or a dump. */
export interface ClusterSource {
  /** What the person calls it: the context's name, or the dump's path. */
  readonly name: string;
  /** Address of the API server; null for a dump or where the kubeconfig names none. */
  readonly endpoint: string | null;
  /** Milliseconds that the reading may take from its own start; undefined = no limit (files). */
  readonly deadlineMs: number | undefined;
  /** Reads it once. Rejects with a `PlimsollError` when nothing can be known of the cluster; called at most once. */
  read(signal: AbortSignal, step: StepListener): Promise<ClusterFacts>;
}
