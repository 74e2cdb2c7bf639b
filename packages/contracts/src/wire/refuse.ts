import { PlimsollError } from "../errors.ts";

/** Throws `batch_invalid`: `field` is the path inside the batch (`usage.pod_uid`), `reason` says what is wrong with it. */
export function refuse(field: string, reason: string): never {
  throw new PlimsollError("batch_invalid", { field, reason });
}

/** Throws `batch_too_large` when `value` is above `limit`. */
export function refuseAbove(field: string, value: number, limit: number): void {
  if (value > limit) throw new PlimsollError("batch_too_large", { field, value, limit });
}
