import type { ClusterFacts, Reading } from "@plimsoll/contracts";
import type { DynamicFacts, ResourceReadState } from "@plimsoll/contracts/wire";
import type { ClusterLook } from "@plimsoll/core";

/** What a collection found, in the form of an agent's report. */
export function pulledFacts(facts: ClusterFacts, look: ClusterLook): DynamicFacts {
  const readings: readonly (readonly [string, Reading<unknown>])[] = [
    ["version", facts.serverVersions],
    ...Object.entries(facts.objects),
    ["usage", facts.usage],
  ];
  return {
    observedAtMs: Date.parse(facts.asOf),
    layer: look.layer,
    capacity: look.capacity,
    resourceStates: readings.map(([resource, reading]) => readState(resource, reading)),
    detected: look.detected,
  };
}

function readState(resource: string, reading: Reading<unknown>): ResourceReadState {
  return reading.known
    ? { resource, state: "current", observedAtMs: Date.parse(reading.observedAt), errorCode: null }
    : { resource, state: "unreadable", observedAtMs: null, errorCode: reading.error.code };
}
