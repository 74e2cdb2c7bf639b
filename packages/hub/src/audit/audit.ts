import { PlimsollError } from "@plimsoll/contracts";
import type { Kysely } from "kysely";
import type { Noun, Verb } from "../identity/access.ts";
import { type Actor, actorName } from "../identity/actor.ts";
import type { Tables } from "../store/tables.ts";
import { type ChainedFields, GENESIS, rowHash } from "./chain.ts";

/** Who changes something, and by which request. */
export interface ChangeBy {
  readonly actor: Actor;
  /** Null outside of a request. */
  readonly requestId: string | null;
  /** Where it came from: `10.0.0.7`, or null. */
  readonly address: string | null;
  /** What it came by; default `rest` with a request id, else `hub`. */
  readonly channel?: "rest" | "stream" | "hub";
  /** Whom the actor acts for, where it is another. */
  readonly onBehalfOf?: string | null;
}

/** What is done to which thing. */
export interface AuditedChange {
  readonly verb: Verb;
  readonly noun: Noun;
  readonly id: string | null;
  readonly clusterId?: string | null;
  /** Why, in the words of whoever does it. */
  readonly reason?: string | null;
  /** What it was and what it becomes, without secrets. */
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
}

/**
 * Adds a row of a change to the audit log. Pass the transaction that makes the change: then nobody sees the one without the
 * other, and no two rows stand on the same one before.
 */
export async function writeAudit(
  trx: Kysely<Tables>,
  by: ChangeBy,
  change: AuditedChange,
  nowMs: number,
): Promise<void> {
  await append(trx, by, change, { outcome: "allowed", code: null }, nowMs);
}

/** Adds a row of an attempt that came to nothing: `refused` for want of rights, else `failed`, with the error's code. */
export async function writeRefusal(
  trx: Kysely<Tables>,
  by: ChangeBy,
  change: AuditedChange,
  error: unknown,
  nowMs: number,
): Promise<void> {
  const code = error instanceof PlimsollError ? error.code : "internal";
  const denied = code === "forbidden" || code === "unauthenticated";
  await append(trx, by, change, { outcome: denied ? "refused" : "failed", code }, nowMs);
}

async function append(
  trx: Kysely<Tables>,
  by: ChangeBy,
  change: AuditedChange,
  result: Pick<Tables["audit"], "outcome" | "code">,
  nowMs: number,
): Promise<void> {
  const last = await lastRow(trx);
  const { before = null, after = null } = change;
  const fields: ChainedFields = {
    id: (last?.id ?? 0) + 1,
    at_ms: nowMs,
    actor: actorName(by.actor),
    on_behalf_of: by.onBehalfOf ?? null,
    channel: by.channel ?? (by.requestId === null ? "hub" : "rest"),
    address: by.address,
    verb: change.verb,
    thing: change.noun,
    thing_id: change.id,
    cluster_id: change.clusterId ?? null,
    ...result,
    reason: change.reason ?? null,
    detail: JSON.stringify({ before, after }),
    request_id: by.requestId,
  };
  const previousHash = last?.hash ?? GENESIS;
  const chained = { ...fields, previous_hash: previousHash, hash: rowHash(previousHash, fields) };
  await trx.insertInto("audit").values(chained).execute();
}

/** The newest row's place in the chain; undefined = the log is empty. */
export function lastRow(db: Kysely<Tables>): Promise<{ readonly id: number; readonly hash: string } | undefined> {
  return db.selectFrom("audit").select(["id", "hash"]).orderBy("id", "desc").limit(1).executeTakeFirst();
}
