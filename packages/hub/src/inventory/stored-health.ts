import type { HealthStatus } from "@plimsoll/contracts";

const STATUSES: readonly HealthStatus[] = ["healthy", "degraded", "unhealthy", "unknown"];

/** The health of a stored word; one that is none is `unknown`. */
export function toHealthStatus(word: string): HealthStatus {
  return STATUSES.find((status) => status === word) ?? "unknown";
}
