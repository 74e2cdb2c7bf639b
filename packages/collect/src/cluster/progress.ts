import type { KubeResource } from "@plimsoll/contracts";

/** One step of a collection: `objects` of `resource` were read so far; `done` when its list is complete. */
export interface CollectProgress {
  readonly resource: KubeResource | "usage" | "version";
  readonly objects: number;
  readonly done: boolean;
}

/** Hears of a collection's progress, synchronously; must not throw. */
export type ProgressListener = (progress: CollectProgress) => void;
