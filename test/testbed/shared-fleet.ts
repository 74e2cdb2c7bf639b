import { readFileSync } from "node:fs";
import { fetchFleet, parseFleetInfo } from "./fleet-server.ts";
import type {} from "./global-setup.ts"; // declares what is injected
import { attachFleet, type Fleet } from "./mixed-fleet.ts";

let shared: Promise<Fleet> | undefined;

/**
 * The mixed fleet that all test files of one run share: started by the first file that asks, stopped at the end of the run;
 * `stop` on it ends nothing. Tests read from it or work in namespaces of their own, which they delete.
 *
 * With PLIMSOLL_TESTBED=FILE (printed by `npm run testbed -- up 3`) it is that running fleet, which makes single tests quick.
 */
export function sharedFleet(): Promise<Fleet> {
  shared ??= findFleet();
  return shared;
}

async function findFleet(): Promise<Fleet> {
  const file = process.env.PLIMSOLL_TESTBED;
  if (file) return attachFleet(parseFleetInfo(readFileSync(file, "utf8")));
  const { inject } = await import("vitest"); // only here: the rest of the testbed runs without a test runner
  return attachFleet(await fetchFleet(inject("testbedSocket")));
}
