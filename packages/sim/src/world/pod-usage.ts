import { hashUnit } from "../random/hash.ts";
import type { UsageProfile } from "../records/pod-template.ts";
import type { Seconds } from "../time/seconds.ts";
import { loadAt } from "./load-curve.ts";

/** Usage holds still for one step, so that its integral over time is a whole number and no rounding is hidden in it. */
export const USAGE_STEP_SECONDS = 60;

/** What a pod uses at one moment. */
export interface PodUsageAmount {
  readonly cpuNanocores: number;
  readonly memoryKib: number;
}

/** How usage moves: with the day and with noise, or not at all (a test that compares sums exactly wants `flat`). */
export interface UsageModel {
  readonly load: "daily" | "flat";
  readonly utcOffsetHours: number;
}

/**
 * Usage in the step that `at` lies in. A function of profile, the pod's own number `salt` and the step only: metrics and
 * truth call it at any time, in any order.
 */
export function usageOf(profile: UsageProfile, salt: number, at: Seconds, model: UsageModel): PodUsageAmount {
  if (model.load === "flat") return { cpuNanocores: profile.cpuNanocores, memoryKib: profile.memoryKib };
  const step = Math.floor(at / USAGE_STEP_SECONDS);
  const noise = hashUnit(salt, step);
  const load = profile.shape === "daily" ? loadAt(step * USAGE_STEP_SECONDS, model.utcOffsetHours) : 0.85;
  // Memory breathes less than cpu and follows load by a third.
  return {
    cpuNanocores: Math.floor(profile.cpuNanocores * load * (0.8 + 0.4 * noise)),
    memoryKib: Math.floor(profile.memoryKib * (0.65 + load * 0.3 + 0.05 * noise)),
  };
}
