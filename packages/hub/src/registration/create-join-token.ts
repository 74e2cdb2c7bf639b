import { randomUUIDv7 } from "node:crypto";
import { PlimsollError } from "@plimsoll/contracts";
import { type ChangeBy, writeAudit } from "../audit/audit.ts";
import { actorName } from "../identity/actor.ts";
import type { Store } from "../store/store.ts";
import { makeJoinToken } from "./join-token.ts";
import { checkLabels } from "./labels.ts";

/** Longest life of a join token, seconds: a day. */
const MAX_TOKEN_SECONDS = 86_400;

/** What a token is to permit. */
export interface JoinTokenOrder {
  readonly clusterName: string;
  readonly ttlSeconds: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** A token that was made; its text is nowhere else. */
export interface NewJoinToken {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** Makes a token for one cluster name, good for one agent. Throws `parameter_invalid` for labels that are none. */
export async function createJoinToken(
  store: Store,
  order: JoinTokenOrder,
  caSha256: string,
  by: ChangeBy,
  nowMs: number,
): Promise<NewJoinToken> {
  checkLabels(order.labels);
  if (order.ttlSeconds > MAX_TOKEN_SECONDS) {
    throw new PlimsollError("parameter_invalid", {
      field: "ttlSeconds",
      value: order.ttlSeconds,
      expected: `at most ${MAX_TOKEN_SECONDS}`,
    });
  }
  const token = makeJoinToken(caSha256);
  const id = randomUUIDv7();
  const expiresAtMs = nowMs + order.ttlSeconds * 1000;
  await store.write(async (trx) => {
    const after = { clusterName: order.clusterName, labels: order.labels, expiresAtMs };
    await writeAudit(trx, by, { verb: "create", noun: "join-token", id, after }, nowMs);
    await trx
      .insertInto("join_tokens")
      .values({
        id,
        token_hash: token.hash,
        cluster_name: order.clusterName,
        labels: JSON.stringify(order.labels),
        created_by: actorName(by.actor),
        created_at_ms: nowMs,
        expires_at_ms: expiresAtMs,
        used_at_ms: null,
        used_by_cluster_id: null,
      })
      .execute();
  });
  return { text: token.text, expiresAtMs };
}
