import { type Seconds, timestamp } from "../time/seconds.ts";
import type { KubeJson } from "./kube-json.ts";

/** One condition of a status. */
export function presentCondition(
  type: string,
  status: "True" | "False" | "Unknown",
  since: Seconds,
  more: KubeJson = {},
): KubeJson {
  return { type, status, lastTransitionTime: timestamp(since), ...more };
}
