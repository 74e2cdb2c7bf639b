import { PlimsollError } from "@plimsoll/contracts";
import type { Kysely } from "kysely";
import type { Noun, Verb } from "../identity/access.ts";
import { type Actor, actorName } from "../identity/actor.ts";
import type { Tables } from "../store/tables.ts";

/** Who changes something, and by which request. */
export interface ChangeBy {
  readonly actor: Actor;
  /** Null outside of a request. */
  readonly requestId: string | null;
  /** Where it came from: `10.0.0.7`, or null. */
  readonly address: string | null;
}

/** What is done to which thing. */
export interface AuditedChange {
  readonly verb: Verb;
  readonly noun: Noun;
  readonly id: string | null;
  readonly clusterId?: string | null;
  /** What it was and what it becomes, without secrets. */
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
}

/**
 * Adds a row of a change to the audit log. Pass the transaction that makes the change: then nobody sees the one without the
 * other.
 */
export async function writeAudit(
  trx: Kysely<Tables>,
  by: ChangeBy,
  change: AuditedChange,
  nowMs: number,
): Promise<void> {
  await insert(trx, by, change, { outcome: "allowed", reason: null }, nowMs);
}

/** Adds a row of an attempt that came to nothing: `refused` for want of rights, else `failed`, with the error's code. */
export async function writeRefusal(
  db: Kysely<Tables>,
  by: ChangeBy,
  change: AuditedChange,
  error: unknown,
  nowMs: number,
): Promise<void> {
  const code = error instanceof PlimsollError ? error.code : "internal";
  const denied = code === "forbidden" || code === "unauthenticated";
  await insert(db, by, change, { outcome: denied ? "refused" : "failed", reason: code }, nowMs);
}

async function insert(
  db: Kysely<Tables>,
  by: ChangeBy,
  change: AuditedChange,
  result: Pick<Tables["audit"], "outcome" | "reason">,
  nowMs: number,
): Promise<void> {
  const { before = null, after = null } = change;
  await db
    .insertInto("audit")
    .values({
      at_ms: nowMs,
      actor: actorName(by.actor),
      verb: change.verb,
      thing: change.noun,
      thing_id: change.id,
      cluster_id: change.clusterId ?? null,
      ...result,
      detail: JSON.stringify({ address: by.address, before, after }),
      request_id: by.requestId,
    })
    .execute();
}
