import { CLUSTER_SORTS } from "@plimsoll/contracts/rest";
import type { ClusterFilter } from "../api/cluster-filter.ts";

/** Columns of the table of clusters, in their order. */
export const CLUSTER_COLUMNS = [
  "name",
  "state",
  "type",
  "region",
  "provider",
  "environment",
  "version",
  "nodes",
  "cpu",
  "memory",
  "cost",
  "idle",
  "mode",
] as const satisfies readonly (typeof CLUSTER_SORTS)[number][];
export type ClusterColumn = (typeof CLUSTER_COLUMNS)[number];

/** Rows of a page that a person can choose. */
export const PAGE_SIZES = [25, 50, 100, 200] as const;
const DEFAULT_PAGE_SIZE = 50;

/** The clusters view as its URL says it. A key that is absent has its default. */
export interface ClusterSearch {
  /** Free text. */
  readonly q?: string | undefined;
  /** Label selector. */
  readonly scope?: string | undefined;
  readonly conn?: string | undefined;
  readonly health?: string | undefined;
  readonly type?: string | undefined;
  /** Kubernetes minors. */
  readonly ver?: string | undefined;
  /** Column, `-` in front for descending. */
  readonly sort?: string | undefined;
  /** Columns shown, when not all of them. */
  readonly cols?: string | undefined;
  /** Rows of a page. */
  readonly rows?: number | undefined;
  /** Number of the page, for reading; `at` is the hub's cursor that opens it. */
  readonly page?: number | undefined;
  readonly at?: string | undefined;
}

/** The view that a URL asks for; what is not understood has its default. */
export function parseClusterSearch(raw: Readonly<Record<string, unknown>>): ClusterSearch {
  const text = (key: string) => (raw[key] === undefined || raw[key] === "" ? undefined : String(raw[key]));
  const rows = PAGE_SIZES.find((size) => String(size) === text("rows"));
  const page = /^[1-9]\d{0,5}$/.test(text("page") ?? "") ? Number(text("page")) : undefined;
  const at = page === undefined ? undefined : text("at");
  return dropAbsent({
    q: text("q"),
    scope: text("scope"),
    conn: text("conn"),
    health: text("health"),
    type: text("type"),
    ver: text("ver"),
    sort: knownSort(text("sort")),
    cols: knownColumns(text("cols")),
    rows: rows === DEFAULT_PAGE_SIZE ? undefined : rows,
    page: at === undefined ? undefined : page,
    at,
  });
}

/** Rows of a page in this view. */
export function pageSizeOf(search: ClusterSearch): number {
  return search.rows ?? DEFAULT_PAGE_SIZE;
}

/** What the hub is asked for this view. */
export function filterOf(search: ClusterSearch): ClusterFilter {
  return {
    search: search.q,
    selector: search.scope,
    connectivity: search.conn,
    health: search.health,
    type: search.type,
    version: search.ver,
    sort: search.sort,
    limit: pageSizeOf(search),
    cursor: search.at,
  };
}

/** Whether anything narrows the list. */
export function isNarrowed(search: ClusterSearch): boolean {
  return [search.q, search.scope, search.conn, search.health, search.type, search.ver].some(
    (value) => value !== undefined,
  );
}

/** Changes of the filter or the order begin at the first page. */
export function withChange(search: ClusterSearch, change: Partial<ClusterSearch>): ClusterSearch {
  return dropAbsent({ ...search, page: undefined, at: undefined, ...change });
}

/** The next order when a column's head is chosen: its first direction, the other, then none. */
export function nextSort(current: string | undefined, column: ClusterColumn): string | undefined {
  const [first, second] = DESCENDING_FIRST.has(column) ? [`-${column}`, column] : [column, `-${column}`];
  if (current === first) return second;
  return current === second ? undefined : first;
}

/** Figures are asked from the largest, names from A. */
const DESCENDING_FIRST: ReadonlySet<ClusterColumn> = new Set<ClusterColumn>([
  "nodes",
  "cpu",
  "memory",
  "cost",
  "idle",
  "version",
]);

/** Columns that this view shows, in their order; the name always. */
export function shownColumns(search: ClusterSearch): ReadonlySet<ClusterColumn> {
  if (search.cols === undefined) return new Set(CLUSTER_COLUMNS);
  const wanted = search.cols.split(",");
  return new Set(CLUSTER_COLUMNS.filter((column) => column === "name" || wanted.includes(column)));
}

/** The URL's form of a choice of columns; all of them is the default and absent. */
export function columnsText(shown: ReadonlySet<ClusterColumn>): string | undefined {
  return CLUSTER_COLUMNS.every((column) => shown.has(column))
    ? undefined
    : CLUSTER_COLUMNS.filter((column) => shown.has(column)).join(",");
}

function knownSort(sort: string | undefined): string | undefined {
  const column = sort?.replace(/^-/, "");
  return CLUSTER_SORTS.some((known) => known === column) ? sort : undefined;
}

function knownColumns(cols: string | undefined): string | undefined {
  if (cols === undefined) return undefined;
  const known = cols.split(",").filter((name) => CLUSTER_COLUMNS.some((column) => column === name));
  return known.length === 0
    ? undefined
    : columnsText(new Set(CLUSTER_COLUMNS.filter((column) => known.includes(column))));
}

function dropAbsent(search: ClusterSearch): ClusterSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
