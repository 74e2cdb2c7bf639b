import { createHash, randomBytes, randomUUIDv7 } from "node:crypto";
import { PlimsollError } from "@plimsoll/contracts";
import { type ChangeBy, writeAudit } from "../audit/audit.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import { type Actor, actorName } from "./actor.ts";
import type { Grant } from "./roles.ts";
import { checkGrants, readGrants } from "./stored-grants.ts";

/** Every text of a service token begins so: a leaked one can be searched for. */
const PREFIX = "pls1.";
/** A minute's exactness is enough to see whether a token is still in use, and a query in a minute enough to know it. */
const USED_STEP_MS = 60_000;

/** A token that is to be made. */
interface ServiceTokenOrder {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly ttlSeconds: number;
}

/** A token as it may be shown: without its text. */
export interface ServiceToken {
  readonly id: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** Tokens of programs: dashboards, pipelines, scripts. */
export interface ServiceTokens {
  /** Makes one; its text is in this answer and nowhere else. Throws `name_taken`, `selector_invalid`, `parameter_invalid`. */
  create(order: ServiceTokenOrder, by: ChangeBy, nowMs: number): Promise<ServiceToken & { readonly text: string }>;
  list(): Promise<readonly ServiceToken[]>;
  /** From the next request on it is nobody's. Throws `service_token_unknown`. */
  withdraw(name: string, by: ChangeBy, nowMs: number): Promise<void>;
  /** Whose text it is; undefined = no token, a withdrawn one, or one that has run out. */
  actorOf(text: string, nowMs: number): Promise<Actor | undefined>;
}

/** The service tokens of a store. `onError` hears of uses that could not be noted. */
export function openServiceTokens(store: Store, onError: (error: unknown) => void): ServiceTokens {
  return {
    create: (order, by, nowMs) => create(store, order, by, nowMs),
    list: async () => (await store.db.selectFrom("service_tokens").selectAll().orderBy("name").execute()).map(present),
    withdraw: (name, by, nowMs) => withdraw(store, name, by, nowMs),
    actorOf: (text, nowMs) => actorOf(store, text, nowMs, onError),
  };
}

async function create(
  store: Store,
  { name, grants, ttlSeconds }: ServiceTokenOrder,
  by: ChangeBy,
  nowMs: number,
): Promise<ServiceToken & { readonly text: string }> {
  checkGrants(grants);
  const text = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  const row: Row<"service_tokens"> = {
    id: randomUUIDv7(),
    name,
    hash: hashOf(text),
    grants: JSON.stringify(grants),
    created_by: actorName(by.actor),
    created_at_ms: nowMs,
    expires_at_ms: nowMs + ttlSeconds * 1_000,
    last_used_at_ms: null,
  };
  await store.write(async (trx) => {
    const taken = trx.selectFrom("service_tokens").select("id").where("name", "=", name);
    if (await taken.executeTakeFirst()) throw new PlimsollError("name_taken", { thing: "service token", name });
    const after = { grants, expiresAtMs: row.expires_at_ms };
    await writeAudit(trx, by, { verb: "create", noun: "service-token", id: name, after }, nowMs);
    await trx.insertInto("service_tokens").values(row).execute();
  });
  return { ...present(row), text };
}

async function withdraw(store: Store, name: string, by: ChangeBy, nowMs: number): Promise<void> {
  await store.write(async (trx) => {
    const found = await trx.selectFrom("service_tokens").selectAll().where("name", "=", name).executeTakeFirst();
    if (!found) throw new PlimsollError("service_token_unknown", { name });
    const before = { grants: readGrants(found.grants), expiresAtMs: found.expires_at_ms };
    await writeAudit(trx, by, { verb: "delete", noun: "service-token", id: name, before }, nowMs);
    await trx.deleteFrom("service_tokens").where("id", "=", found.id).execute();
  });
}

async function actorOf(
  store: Store,
  text: string,
  nowMs: number,
  onError: (error: unknown) => void,
): Promise<Actor | undefined> {
  if (!text.startsWith(PREFIX)) return undefined;
  // Looked up by its hash: how long that takes says nothing of the text.
  const query = store.db.selectFrom("service_tokens").selectAll().where("hash", "=", hashOf(text));
  const row = await query.executeTakeFirst();
  if (!row || nowMs >= row.expires_at_ms) return undefined;
  // Who may come in must not hang on a disk that takes no more.
  if (row.last_used_at_ms === null || nowMs - row.last_used_at_ms >= USED_STEP_MS) {
    await noteUse(store, row.id, nowMs).catch(onError);
  }
  return { kind: "token", name: row.name, grants: readGrants(row.grants) };
}

async function noteUse(store: Store, id: string, nowMs: number): Promise<void> {
  await store.write((trx) =>
    trx.updateTable("service_tokens").set({ last_used_at_ms: nowMs }).where("id", "=", id).execute(),
  );
}

function present(row: Row<"service_tokens">): ServiceToken {
  return {
    id: row.id,
    name: row.name,
    grants: readGrants(row.grants),
    createdBy: row.created_by,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  };
}

/** A token has 256 random bits, so a plain hash is as good as a slow one. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
