import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Ordering, pageOf, type SortValue } from "./page.ts";

interface Item {
  readonly id: string;
  readonly value: SortValue;
}
const ordering = (descending: boolean): Ordering<Item> => ({
  valueOf: ({ value }) => value,
  idOf: ({ id }) => id,
  descending,
});

function walk(items: readonly Item[], limit: number, descending: boolean): string[] {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = pageOf(items, ordering(descending), { limit, cursor, filters: {} });
    expect(page.total).toBe(items.length);
    ids.push(...page.items.map(({ id }) => id));
    if (page.next === null) return ids;
    cursor = page.next;
  }
}

const items = fc.uniqueArray(
  fc.record({ id: fc.stringMatching(/^[a-z]{1,4}$/), value: fc.option(fc.integer({ min: -3, max: 3 })) }),
  { selector: ({ id }) => id, maxLength: 40 },
);

test("pages of any size, joined, are the whole list in order, in either direction", () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 50 }), fc.boolean(), (all, limit, descending) => {
      const ids = walk(all, limit, descending);
      expect(ids).toEqual(pageOf(all, ordering(descending), { limit: 1_000, filters: {} }).items.map(({ id }) => id));
      expect(new Set(ids).size).toBe(all.length);
    }),
  );
});

test("a list that changes between pages repeats nothing and leaves out nothing that stayed", () => {
  fc.assert(
    fc.property(items, items, fc.integer({ min: 1, max: 5 }), (before, added, limit) => {
      const first = pageOf(before, ordering(false), { limit, filters: {} });
      const seen = new Set(first.items.map(({ id }) => id));
      const known = new Set(before.map(({ id }) => id));
      const later = [...before.filter(({ id }) => !seen.has(id)), ...added.filter(({ id }) => !known.has(id))];
      const rest: string[] = [];
      for (let cursor = first.next; cursor !== null; ) {
        const page = pageOf(later, ordering(false), { limit, cursor, filters: {} });
        rest.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      }
      for (const id of rest) expect(seen.has(id)).toBe(false);
      if (first.next !== null) for (const { id } of before) expect(seen.has(id) || rest.includes(id)).toBe(true);
    }),
  );
});

const LIST: readonly Item[] = [
  { id: "a", value: 2 },
  { id: "b", value: null },
  { id: "c", value: 1 },
  { id: "d", value: 2 },
];

test.each([
  [false, ["c", "a", "d", "b"]],
  [true, ["a", "d", "c", "b"]],
])("what is unknown comes last (descending: %s)", (descending, expected) => {
  expect(walk(LIST, 1, descending)).toEqual(expected);
});

describe("a cursor", () => {
  const cursor = pageOf(LIST, ordering(false), { limit: 1, filters: { selector: "a" } }).next ?? "";
  test.each([
    ["of other filters", cursor, { selector: "b" }],
    ["that is no base64", "%%%", { selector: "a" }],
    ["that is empty", "", { selector: "a" }],
    ["of something else", Buffer.from("[1,2,3]").toString("base64url"), { selector: "a" }],
    ["cut", cursor.slice(0, -6), { selector: "a" }],
  ])("%s is refused", (_, text, filters) => {
    expect(() => pageOf(LIST, ordering(false), { limit: 1, cursor: text, filters })).toThrow(
      expect.objectContaining({ code: "cursor_invalid" }),
    );
  });

  test("behind the last item gives an empty page", () => {
    const last = Buffer.from(cursor, "base64url")
      .toString()
      .replace(/,1,"c"\]/, ',9,"z"]');
    const behind = Buffer.from(last).toString("base64url");
    const page = pageOf(LIST.slice(0, 1), ordering(false), { limit: 1, cursor: behind, filters: { selector: "a" } });
    expect(page).toEqual({ items: [], next: null, total: 1 });
  });
});
