import { PlimsollError } from "@plimsoll/contracts";
import type { JoinRequest } from "@plimsoll/contracts/rest";
import { negotiateVersion } from "@plimsoll/contracts/wire";
import type { Transaction } from "kysely";
import type { ChangeBy } from "../audit/audit.ts";
import { STORED } from "../inventory/stored-documents.ts";
import type { Store } from "../store/store.ts";
import type { Row, Tables } from "../store/tables.ts";
import { type RequestedKey, readCertificateRequest } from "./certificate-request.ts";
import type { AgentCertificate, HubAuthority } from "./hub-authority.ts";
import { joinTokenHash } from "./join-token.ts";
import { type Registered, registerCluster } from "./register-cluster.ts";

/** What joining works with. */
export interface JoinDeps {
  readonly store: Store;
  readonly authority: HubAuthority;
  readonly hubVersion: string;
  readonly simulated: boolean;
}

/** An agent that has joined. */
export interface Joined extends Registered {
  readonly name: string;
  /** PEM. */
  readonly certificate: string;
}

/**
 * Lets an agent join: its token decides the name, its key gets a certificate. One transaction holds token, name, fingerprint
 * and credential. The same key may ask again with its token, for answers get lost; another key may not. Throws
 * `join_token_invalid`, `join_token_expired`, `join_token_used`, `csr_invalid`, what `negotiateVersion` and
 * `registerCluster` throw.
 */
export async function joinCluster(deps: JoinDeps, request: JoinRequest, by: ChangeBy, nowMs: number): Promise<Joined> {
  const hash = joinTokenHash(request.token);
  if (hash === undefined) throw new PlimsollError("join_token_invalid");
  negotiateVersion(deps.hubVersion, request.agentVersion);
  const key = await readCertificateRequest(request.csr);
  return deps.store.write(async (trx) => {
    const token = await readToken(trx, hash, nowMs);
    const registered = await registerWith(trx, deps, { token, key, fingerprint: request.fingerprint, by, nowMs });
    const certificate = await deps.authority.issueAgent(key.publicKey, registered.id, nowMs);
    await keepCertificate(trx, registered, certificate, nowMs);
    return { ...registered, name: token.cluster_name, certificate: certificate.certificate };
  });
}

async function readToken(trx: Transaction<Tables>, hash: string, nowMs: number): Promise<Row<"join_tokens">> {
  const token = await trx.selectFrom("join_tokens").selectAll().where("token_hash", "=", hash).executeTakeFirst();
  if (!token) throw new PlimsollError("join_token_invalid");
  if (nowMs < token.expires_at_ms) return token;
  const at = new Date(token.expires_at_ms).toISOString();
  throw new PlimsollError("join_token_expired", { at, cluster: token.cluster_name });
}

interface Joining {
  readonly token: Row<"join_tokens">;
  readonly key: RequestedKey;
  readonly fingerprint: string;
  readonly by: ChangeBy;
  readonly nowMs: number;
}

async function registerWith(trx: Transaction<Tables>, deps: JoinDeps, joining: Joining): Promise<Registered> {
  const { token, key, fingerprint, by, nowMs } = joining;
  const usedBy = token.used_at_ms === null ? null : await keyOf(trx, token.id);
  if (token.used_at_ms !== null && usedBy !== key.sha256) {
    throw new PlimsollError("join_token_used", { cluster: token.cluster_name });
  }
  const labels = STORED.labels(token.labels);
  const candidate = { name: token.cluster_name, fingerprint, mode: "push", labels, simulated: deps.simulated } as const;
  const registered = await registerCluster(trx, candidate, by, nowMs);
  if (usedBy !== null) return registered;
  await trx
    .updateTable("join_tokens")
    .set({ used_at_ms: nowMs, used_by_cluster_id: registered.id })
    .where("id", "=", token.id)
    .execute();
  await trx.insertInto("join_keys").values({ token_id: token.id, public_key_sha256: key.sha256 }).execute();
  return registered;
}

async function keyOf(trx: Transaction<Tables>, tokenId: string): Promise<string | null> {
  const query = trx.selectFrom("join_keys").select("public_key_sha256").where("token_id", "=", tokenId);
  return (await query.executeTakeFirst())?.public_key_sha256 ?? null;
}

/** The new certificate takes the place of older ones, and of a kubeconfig: the cluster has one credential. */
async function keepCertificate(
  trx: Transaction<Tables>,
  cluster: Registered,
  certificate: AgentCertificate,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable("certificates")
    .set({ revoked_at_ms: nowMs })
    .where("cluster_id", "=", cluster.id)
    .where("revoked_at_ms", "is", null)
    .execute();
  await trx.deleteFrom("credentials").where("cluster_id", "=", cluster.id).execute();
  await trx
    .insertInto("certificates")
    .values({
      serial: certificate.serial,
      cluster_id: cluster.id,
      incarnation: cluster.incarnation,
      not_before_ms: certificate.notBeforeMs,
      not_after_ms: certificate.notAfterMs,
      revoked_at_ms: null,
    })
    .execute();
}
