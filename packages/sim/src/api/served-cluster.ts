import type { FaultBox } from "../faults/fault-box.ts";
import type { ClusterPlan } from "../fleet/fleet-plan.ts";
import type { SimulatorClock } from "../time/clock.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";

/** What the API server needs of a cluster. */
export interface ServedCluster {
  readonly plan: ClusterPlan;
  readonly token: string;
  readonly faults: FaultBox;
  readonly clock: SimulatorClock;
  readonly bookmarkSeconds: number;
  /** Its objects; made when first asked for. */
  world(): ClusterWorld;
  /** Is its API down now? */
  isOut(): boolean;
  /** Milliseconds that every answer takes longer. */
  answerDelayMs(): number;
  /** Counts a request ("list pods"). */
  count(request: string): void;
  /** Remembers how to break off a running watch; the returned function forgets it. */
  registerWatch(breakOff: () => void): () => void;
}
