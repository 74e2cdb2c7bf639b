import type { Fleet } from "./mixed-fleet.ts";

/**
 * The mixed fleet that all test files of one run share: started by the first file that asks, stopped at the end of the run;
 * `stop` on it does nothing. Tests read from it or work in namespaces of their own, which they delete.
 */
export async function sharedFleet(): Promise<Fleet> {
  throw new Error("not built yet");
}
