import type { OwnerRecord, PodRecord } from "../records/records.ts";
import type { PodTruth } from "../truth/pod-truth.ts";

/** A controller: hears what becomes of its pods. Each is called once per pod, and in this order. */
export interface PodOwner {
  readonly reference: OwnerRecord;
  /** Outermost controller, for the truth. */
  readonly workload: PodTruth["workload"];
  /** Its containers run. */
  podStarted(pod: PodRecord): void;
  /** It ended, or is being deleted: counts no longer. */
  podLeft(pod: PodRecord): void;
  /** The object is gone; its name is free. */
  podGone(pod: PodRecord): void;
}
