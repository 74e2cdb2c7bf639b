/** A stretch of a pod's life in which its requests did not change; RFC 3339 UTC, half-open. */
export interface RequestStretch {
  readonly from: string;
  readonly to: string;
  readonly cpuNanocores: bigint;
  readonly memoryBytes: bigint;
  readonly gpus: bigint;
}

/** Sums over time: amount × seconds. */
export interface Integral {
  readonly cpuNanocoreSeconds: bigint;
  readonly memoryByteSeconds: bigint;
}

/** What really happened to one pod inside a window [from, to). */
export interface PodTruth {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  /** Outermost controller: Deployment, StatefulSet, DaemonSet, CronJob, Job, Node (static pods). */
  readonly workload: { readonly kind: string; readonly name: string };
  /** When it was bound to its node; may lie before the window. */
  readonly start: string;
  /** When it freed its node; null while it holds it. May lie after the window. */
  readonly end: string | null;
  /** Seconds inside the window. */
  readonly seconds: number;
  /** Cut to the window. */
  readonly requests: readonly RequestStretch[];
  readonly requested: Integral & { readonly gpuSeconds: bigint };
  readonly used: Integral;
  /** ∫max(request, usage) dt, per resource. */
  readonly charged: Integral;
}

/** What really happened to one node inside a window [from, to). */
export interface NodeTruth {
  readonly uid: string;
  readonly name: string;
  readonly instanceType: string;
  readonly pool: string;
  readonly spot: boolean;
  readonly virtual: boolean;
  /** When it joined; may lie before the window. */
  readonly start: string;
  /** When it left; null while it is there. */
  readonly end: string | null;
  readonly seconds: number;
}
