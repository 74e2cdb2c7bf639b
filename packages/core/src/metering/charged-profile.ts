import type { KubePod } from "@plimsoll/contracts";
import { hasOrdinaryInit } from "../capacity/pod-demand.ts";
import { refuseNegative } from "../nodes/refuse-negative.ts";
import { podField } from "../pods/container-resources.ts";
import { isInitialized } from "../pods/pod-phase.ts";
import { podChargedRequests, podRequests } from "../pods/pod-requests.ts";
import { type InstantNanos, parseInstant } from "./instant.ts";
import { sameAmounts, toWireAmounts, type WireAmounts, withoutZeros } from "./wire-amounts.ts";

/** What a pod is charged for at least: max(R, I) until its ordinary init containers are done, R from then on. */
export interface ChargedProfile {
  /** max(R, I): what the scheduler keeps free for it. */
  readonly reserved: WireAmounts;
  /** R; null = not told before the condition Initialized is True. */
  readonly running: WireAmounts | null;
  /** When Initialized became True; null = not yet, nobody says when, or there was nothing to wait for. */
  readonly initializedAt: InstantNanos | null;
}

/** Reads a pod's profile. Throws `quantity_invalid`, `quantity_negative` or `timestamp_invalid`. */
export function chargedProfile(pod: KubePod): ChargedProfile {
  const requests = podRequests(pod);
  refuseNegative(requests, `${podField(pod)} requests`);
  const reserved = withoutZeros(toWireAmounts(requests));
  if (!hasOrdinaryInit(pod)) return { reserved, running: reserved, initializedAt: null };
  if (!isInitialized(pod)) return { reserved, running: null, initializedAt: null };
  return { reserved, running: withoutZeros(toWireAmounts(podChargedRequests(pod))), initializedAt: initializedAt(pod) };
}

/** Was the pod resized in place between two looks at it? That it became Initialized is no resize. */
export function isResized(before: ChargedProfile, after: ChargedProfile): boolean {
  if (!sameAmounts(before.reserved, after.reserved)) return true;
  return before.running !== null && after.running !== null && !sameAmounts(before.running, after.running);
}

function initializedAt(pod: KubePod): InstantNanos | null {
  const text = pod.status?.conditions?.find((c) => c.type === "Initialized")?.lastTransitionTime;
  return text === undefined ? null : parseInstant(text, `${podField(pod)} Initialized`);
}
