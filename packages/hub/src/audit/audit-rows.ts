import { PlimsollError } from "@plimsoll/contracts";
import type { AuditQuery } from "@plimsoll/contracts/rest";
import type { SelectQueryBuilder } from "kysely";
import type { z } from "zod";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import type { Row, Tables } from "../store/tables.ts";

type Query = z.output<typeof AuditQuery>;
/** A page of the audit log. */
export interface AuditPage {
  readonly rows: readonly Row<"audit">[];
  /** Cursor of the next page; null on the last. */
  readonly next: string | null;
  /** Rows of all pages. */
  readonly total: number;
}

/**
 * Rows of the log that a filter lets through, the newest first unless asked otherwise. Within a scope only what was done to
 * its clusters: a row that names no cluster may tell of any. Throws `cursor_invalid`.
 */
export async function auditPage(store: Store, query: Query, scope: ClusterScope): Promise<AuditPage> {
  const { limit, cursor, order } = query;
  const visible = store.db.selectFrom("audit");
  const scoped = scope === "all" ? visible : visible.where("cluster_id", "in", [...scope, ""]);
  const matching = filtered(scoped, query);
  const counted = await matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirst();
  const from = cursor === undefined ? null : readCursor(cursor);
  const after = from === null ? matching : matching.where("id", order === "oldest" ? ">" : "<", from);
  const rows = await after
    .selectAll()
    .orderBy("id", order === "oldest" ? "asc" : "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    next: rows.length > limit && last ? `a${last.id}` : null,
    total: Number(counted?.total ?? 0),
  };
}

function filtered(
  rows: SelectQueryBuilder<Tables, "audit", Record<never, never>>,
  { actor, verb, thing, thingId, cluster, outcome, requestId, from, to }: Query,
): typeof rows {
  let found = rows;
  if (actor !== undefined) found = found.where("actor", "=", actor);
  if (verb !== undefined) found = found.where("verb", "=", verb);
  if (thing !== undefined) found = found.where("thing", "=", thing);
  if (thingId !== undefined) found = found.where("thing_id", "=", thingId);
  if (cluster !== undefined) found = found.where("cluster_id", "=", cluster);
  if (outcome !== undefined) found = found.where("outcome", "=", outcome);
  if (requestId !== undefined) found = found.where("request_id", "=", requestId);
  if (from !== undefined) found = found.where("at_ms", ">=", Date.parse(from));
  if (to !== undefined) found = found.where("at_ms", "<", Date.parse(to));
  return found;
}

function readCursor(text: string): number {
  const id = /^a(\d{1,15})$/.exec(text)?.[1];
  if (id === undefined) throw new PlimsollError("cursor_invalid", { field: "cursor", value: text.slice(0, 80) });
  return Number(id);
}

/** Rows that a check reads at a time. */
const READ_ROWS = 1000;

/** Every row, oldest first, read a part at a time. */
export async function* allAuditRows({ db }: Store): AsyncGenerator<Row<"audit">> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom("audit")
      .selectAll()
      .where("id", ">", after)
      .orderBy("id")
      .limit(READ_ROWS)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
