/** An object of unknown shape, as parsed from a dump. */
export type RawObject = Readonly<Record<string, unknown>>;

export function isRawObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object in `field` of `object`, if it is one. */
export function objectIn(object: RawObject | undefined, field: string): RawObject | undefined {
  const value = object?.[field];
  return isRawObject(value) ? value : undefined;
}

/** The text in `field` of `object`, if it is one and not empty. */
export function textIn(object: RawObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The list in `field` of `object`, if it is one. */
export function listIn(object: RawObject | undefined, field: string): readonly unknown[] | undefined {
  const value = object?.[field];
  return Array.isArray(value) ? value : undefined;
}
