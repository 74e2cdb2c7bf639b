import { createHash } from "node:crypto";
import { PlimsollError } from "@plimsoll/contracts";
import { z } from "zod";

/** What a list is sorted by; null = unknown, which comes last in either direction. */
export type SortValue = string | number | null;

/** How to order items: by a value, then by what tells them apart. */
export interface Ordering<T> {
  readonly valueOf: (item: T) => SortValue;
  readonly idOf: (item: T) => string;
  readonly descending: boolean;
}

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next part; null on the last. */
  readonly next: string | null;
  readonly total: number;
}

const Cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.string()]);

/**
 * The part of a list after a cursor. The cursor holds the place itself, not a number of items, so a list that changes
 * meanwhile repeats nothing and leaves nothing out that was there. `filters` says what the list is of: a cursor of other
 * filters throws `cursor_invalid`.
 */
export function pageOf<T>(
  items: readonly T[],
  ordering: Ordering<T>,
  query: { readonly limit: number; readonly cursor?: string | undefined; readonly filters: unknown },
): Page<T> {
  const list = createHash("sha256").update(JSON.stringify(query.filters)).digest("base64url").slice(0, 12);
  const keyed = items
    .map((item) => ({ item, value: ordering.valueOf(item), id: ordering.idOf(item) }))
    .sort((a, b) => compare(a, b, ordering.descending));
  const after = query.cursor === undefined ? null : readCursor(query.cursor, list);
  const start = after === null ? 0 : keyed.findIndex((place) => compare(place, after, ordering.descending) > 0);
  const part = start < 0 ? [] : keyed.slice(start, start + query.limit);
  const last = part.at(-1);
  const more = last !== undefined && last !== keyed.at(-1);
  return {
    items: part.map(({ item }) => item),
    next: more ? writeCursor([list, last.value, last.id]) : null,
    total: keyed.length,
  };
}

interface Place {
  readonly value: SortValue;
  readonly id: string;
}

function compare(a: Place, b: Place, descending: boolean): number {
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1;
    return compareValues(a.id, b.id);
  }
  const order = compareValues(a.value, b.value);
  return order === 0 ? compareValues(a.id, b.id) : descending ? -order : order;
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

function writeCursor(cursor: z.infer<typeof Cursor>): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function readCursor(text: string, list: string): Place {
  const refused = new PlimsollError("cursor_invalid", { field: "cursor", value: text.slice(0, 80) });
  try {
    const [of, value, id] = Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    if (of === list) return { value, id };
  } catch {
    throw refused;
  }
  throw refused;
}
