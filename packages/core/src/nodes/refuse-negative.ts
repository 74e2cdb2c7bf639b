import { PlimsollError, type ResourceNanos } from "@plimsoll/contracts";
import { formatQuantity } from "../quantity/format-quantity.ts";

/** Throws `quantity_negative` naming `field.<resource>` when one of the quantities is below zero; no API server lets one in. */
export function refuseNegative(resources: ResourceNanos, field: string): void {
  for (const [resource, nanos] of resources) {
    if (nanos < 0n) {
      throw new PlimsollError("quantity_negative", { field: `${field}.${resource}`, value: formatQuantity(nanos) });
    }
  }
}
