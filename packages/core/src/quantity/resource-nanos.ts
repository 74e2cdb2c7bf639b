import type { QuantityNanos, QuantityTexts, ResourceNanos } from "@plimsoll/contracts";
import { invalidQuantity, tryParseQuantity } from "./parse-quantity.ts";

/** No resources at all. */
export const NO_RESOURCES: ResourceNanos = new Map();

/**
 * The quantities of an object's resource list in nano-units. Reads values as the Kubernetes API does: blanks around a
 * text are dropped, a number is its text, null is 0. Throws `quantity_invalid` naming `field.<resource>`.
 */
export function parseResources(texts: QuantityTexts | undefined, field: string): ResourceNanos {
  if (!texts) return NO_RESOURCES;
  const resources = new Map<string, QuantityNanos>();
  for (const [name, value] of Object.entries<unknown>(texts)) {
    const nanos = readValue(value);
    if (nanos === undefined) throw invalidQuantity(`${field}.${name}`, value);
    resources.set(name, nanos);
  }
  return resources;
}

/** Per resource the sum over all lists; a resource that a list does not name adds nothing. */
export function sumResources(lists: Iterable<ResourceNanos>): ResourceNanos {
  const total = new Map<string, QuantityNanos>();
  for (const list of lists) addResources(total, list);
  return total;
}

/** Adds `more` to `total` in place: for sums over many pods without a new map for each. */
export function addResources(total: Map<string, QuantityNanos>, more: ResourceNanos): void {
  for (const [name, nanos] of more) total.set(name, (total.get(name) ?? 0n) + nanos);
}

/** Per resource the largest value of any list; a resource that only one list names keeps that value, even below 0. */
export function maxResources(...lists: readonly ResourceNanos[]): ResourceNanos {
  const largest = new Map<string, QuantityNanos>();
  for (const list of lists) {
    for (const [name, nanos] of list) {
      const held = largest.get(name);
      if (held === undefined || nanos > held) largest.set(name, nanos);
    }
  }
  return largest;
}

/** `from − taken` per resource of either list; may be negative (over-commit is shown as such). */
export function subtractResources(from: ResourceNanos, taken: ResourceNanos): ResourceNanos {
  const rest = new Map(from);
  for (const [name, nanos] of taken) rest.set(name, (rest.get(name) ?? 0n) - nanos);
  return rest;
}

function readValue(value: unknown): QuantityNanos | undefined {
  if (value === null) return 0n;
  if (typeof value === "string") return tryParseQuantity(value.trim());
  return typeof value === "number" ? tryParseQuantity(value) : undefined;
}
