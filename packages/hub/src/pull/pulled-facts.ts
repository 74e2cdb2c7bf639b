import type { ClusterFacts, Reading } from "@plimsoll/contracts";
import type { DynamicFacts, ResourceReadState } from "@plimsoll/contracts/wire";
import type { ClusterLook } from "@plimsoll/core";

/** What a collection found, in the form of an agent's report; `unready` = why the API server calls itself not ready. */
export function pulledFacts(facts: ClusterFacts, look: ClusterLook, unready: string | null): DynamicFacts {
  const readings: readonly (readonly [string, Reading<unknown>])[] = [
    ["version", facts.serverVersions],
    ...Object.entries(facts.objects),
    ["usage", facts.usage],
  ];
  return {
    observedAtMs: Date.parse(facts.asOf),
    layer: unready === null ? look.layer : notReady(look, unready),
    capacity: look.capacity,
    resourceStates: readings.map(([resource, reading]) => readState(resource, reading)),
    detected: look.detected,
  };
}

function notReady({ layer }: ClusterLook, reason: string): DynamicFacts["layer"] {
  return { ...layer, health_status: "unhealthy", health_reasons: [reason, ...layer.health_reasons] };
}

function readState(resource: string, reading: Reading<unknown>): ResourceReadState {
  return reading.known
    ? { resource, state: "current", observedAtMs: Date.parse(reading.observedAt), errorCode: null }
    : { resource, state: "unreadable", observedAtMs: null, errorCode: reading.error.code };
}
