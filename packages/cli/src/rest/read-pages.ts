import type { AnswerSchema, HubAnswer, HubClient, Query } from "./hub-client.ts";

/** What every list has; `asOf` is RFC 3339. */
export interface ListedPage {
  readonly items: readonly unknown[];
  readonly errors: readonly unknown[];
  readonly next: string | null;
  readonly asOf: string;
}

/** The most items of one page, and of all pages. */
const PAGE = 1000;

/**
 * A list, page by page until `limit` items are read. One page is given to the letter; several as one answer: all items,
 * as old as the oldest page.
 */
export async function readPages<T extends ListedPage>(
  hub: HubClient,
  path: string,
  query: Query,
  schema: AnswerSchema<T>,
  limit = Number.POSITIVE_INFINITY,
): Promise<HubAnswer<T>> {
  const first = await hub.get(path, { ...query, limit: Math.min(PAGE, limit) }, schema);
  const pages = [first.value];
  let { next } = first.value;
  let count = first.value.items.length;
  while (next !== null && count < limit) {
    const page = await hub.get(path, { ...query, limit: Math.min(PAGE, limit - count), cursor: next }, schema);
    pages.push(page.value);
    next = page.value.next;
    count += page.value.items.length;
  }
  return pages.length === 1 ? first : joinPages(first.value, pages, next);
}

function joinPages<T extends ListedPage>(first: T, pages: readonly T[], next: string | null): HubAnswer<T> {
  const ages = pages.map(({ asOf }) => asOf).sort();
  const value = { ...first, items: pages.flatMap(({ items }) => items), next, asOf: ages[0] ?? first.asOf };
  return { text: JSON.stringify(value), value };
}
