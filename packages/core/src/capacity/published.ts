import { type ResourceNanos, toPublishedUnit } from "@plimsoll/contracts";

/** Quantities in their published units, each rounded up once; sorted by resource. */
export function published(resources: ResourceNanos): Readonly<Record<string, bigint>> {
  const names = [...resources.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, toPublishedUnit(name, resources.get(name) ?? 0n)]));
}
