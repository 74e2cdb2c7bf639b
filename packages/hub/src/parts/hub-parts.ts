import type { Store } from "../store/store.ts";
import type { Facts } from "./facts.ts";
import type { Fleet } from "./fleet.ts";
import type { HubKeys } from "./keys.ts";

/** The parts of a hub behind its ports. */
export interface HubParts {
  readonly store: Store;
  readonly keys: HubKeys;
  readonly fleet: Fleet;
  readonly facts: Facts;
}
