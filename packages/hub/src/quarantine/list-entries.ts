import { createHash } from "node:crypto";
import { PlimsollError } from "@plimsoll/contracts";
import type { QuarantineList, QuarantineQuery } from "@plimsoll/contracts/rest";
import { z } from "zod";
import type { RequestContext } from "../api/endpoint.ts";
import { presentEntry } from "./present-entry.ts";
import type { QuarantineDeps } from "./quarantine-deps.ts";

type Query = z.output<typeof QuarantineQuery>;

/** A page of the quarantine. Throws `cluster_unknown` and `cursor_invalid`. */
export async function listEntries(
  { quarantine, registry }: QuarantineDeps,
  { limit, cursor, cluster, code }: Query,
  { scope, nowMs }: RequestContext,
): Promise<QuarantineList> {
  const clusterId = cluster === undefined ? undefined : registry.get(cluster, scope).id;
  const list = listName({ clusterId, code });
  const before = cursor === undefined ? undefined : readCursor(cursor, list);
  const page = await quarantine.page({ scope, clusterId, code, before, limit });
  const last = page.entries.at(-1);
  return {
    items: page.entries.map((entry) => presentEntry(registry, entry)),
    errors: [],
    asOf: new Date(nowMs).toISOString(),
    next: page.hasMore && last ? writeCursor(last.id, list) : null,
    total: page.total,
  };
}

/** A cursor is good for the list that it was given with. */
function listName(filters: Readonly<Record<string, string | undefined>>): string {
  return createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 12);
}

const Cursor = z.tuple([z.string(), z.number().int()]);

function writeCursor(id: number, list: string): string {
  return Buffer.from(JSON.stringify([list, id])).toString("base64url");
}

function readCursor(text: string, list: string): number {
  const refused = new PlimsollError("cursor_invalid", { field: "cursor", value: text.slice(0, 80) });
  try {
    const [of, id] = Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    if (of === list) return id;
  } catch {
    throw refused;
  }
  throw refused;
}
