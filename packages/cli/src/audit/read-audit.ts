import { AuditList, type AuditRecord } from "@plimsoll/contracts/rest";
import type { HubClient } from "../rest/hub-client.ts";
import type { AuditFilter } from "./audit-command.ts";

/** Rows of one request. */
const PAGE = 1000;

/** Every row that a filter lets through, oldest first, as the hub gives them. */
export async function* readAudit(hub: HubClient, filter: AuditFilter): AsyncGenerator<AuditRecord> {
  let cursor: string | undefined;
  do {
    const query = { ...queryOf(filter), order: "oldest", limit: PAGE, cursor };
    const { value } = await hub.get("/api/v1/audit", query, AuditList);
    yield* value.items;
    cursor = value.next ?? undefined;
  } while (cursor !== undefined);
}

/** A filter as the API takes it. */
export function queryOf({ actor, verb, thing, cluster, outcome, from, to }: AuditFilter) {
  return { actor, verb, thing, cluster, outcome, from, to };
}
