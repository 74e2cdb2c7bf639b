/** Where the attribution labels were found; `mapping` and `default` are rules, `none` = nowhere. */
export const LABEL_SOURCES = ["none", "pod", "workload", "namespace", "cluster", "mapping", "default"] as const;
export type LabelSource = (typeof LABEL_SOURCES)[number];

/** How usage was learned. */
export const METERING_MODES = ["push", "pull", "event", "import"] as const;
export type MeteringMode = (typeof METERING_MODES)[number];

/** Whom usage belongs to. Rows of one workload may share the object. */
export interface Attribution {
  readonly namespace: string;
  /** Kind of the top of the owner chain (Deployment, CronJob …); `Pod` for a bare pod. */
  readonly workloadType: string;
  readonly workloadName: string;
  /** Labels `cost-center`, `env`, `owner-team`; null = not set. */
  readonly costCenter: string | null;
  readonly env: string | null;
  readonly ownerTeam: string | null;
  readonly labelSource: LabelSource;
  /** The whole label set, raw, as it was at `asOfMs`. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Integrals of one resource within the hour up to `asOfMs`, from 0 to 2^63 - 1: nanocore-seconds, byte-seconds or
 * nanocount-seconds (`wireUnitOf`).
 */
export interface UsageIntegrals {
  readonly request: bigint;
  readonly usage: bigint;
  /** ∫ max(request, usage) dt, by time. */
  readonly charged: bigint;
  /** How much of the billed time usage was measured; 0 = usage is unknown. */
  readonly usageCoveredMs: number;
}

/**
 * What a pod held on its node during one UTC hour. Key: (podUid, intervalStartMs, hourStartMs). Values are cumulative
 * within the hour and sent again under the same key; the greatest `asOfMs` wins, then the greatest sequence.
 * Points of time are milliseconds since 1970 UTC by hub time.
 */
export interface UsageRow {
  readonly podUid: string;
  /** PodScheduled, or the moment of an in-place resize. */
  readonly intervalStartMs: number;
  /** A multiple of 3,600,000. */
  readonly hourStartMs: number;
  /** The integrals run up to here; within the hour, its end included. */
  readonly asOfMs: number;
  /** Null while the interval is open. */
  readonly intervalEndMs: number | null;
  /** The end was given up to 5 s before the start and was moved to it. */
  readonly clamped: boolean;
  /** Time of this hour that is billed, at most 3,600,000. */
  readonly billedMs: number;
  /** Time of this hour in which it may have run unseen. Coverage of the row = billed ÷ (billed + unseen). */
  readonly unseenMs: number;
  readonly mode: MeteringMode;
  readonly podName: string;
  readonly nodeName: string;
  /** Null when only the name is known. */
  readonly nodeUid: string | null;
  readonly attribution: Attribution;
  /** By resource name (`cpu`, `memory`, `nvidia.com/gpu` …); a resource the pod has nothing of is left out. */
  readonly resources: ReadonlyMap<string, UsageIntegrals>;
}
