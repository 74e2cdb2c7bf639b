import type { Store } from "../store/store.ts";

/** A process that reports about a cluster from now on. */
export interface SessionStart {
  readonly clusterId: string;
  readonly incarnation: number;
  /** Pod name, host name, or `hub` for a cluster that the hub reads itself. */
  readonly instance: string;
  readonly agentVersion: string;
  readonly capabilities: readonly string[];
  readonly policyRevision: number;
  readonly atMs: number;
}

/**
 * Gives a session its epoch, greater than every earlier one of the cluster: from this moment on reports of older sessions
 * are not applied any more.
 */
export async function openSession(store: Store, start: SessionStart): Promise<number> {
  return store.write(async (trx) => {
    const cluster = await trx
      .selectFrom("clusters")
      .select("session_epoch")
      .where("id", "=", start.clusterId)
      .executeTakeFirstOrThrow();
    const last = await trx
      .selectFrom("agents")
      .select(({ fn }) => fn.max("session_epoch").as("epoch"))
      .where("cluster_id", "=", start.clusterId)
      .executeTakeFirst();
    const epoch = Math.max(cluster.session_epoch, Number(last?.epoch ?? 0)) + 1;
    await trx
      .updateTable("clusters")
      .set({ session_epoch: epoch, report_sequence: 0 })
      .where("id", "=", start.clusterId)
      .execute();
    await trx
      .insertInto("agents")
      .values({
        cluster_id: start.clusterId,
        session_epoch: epoch,
        incarnation: start.incarnation,
        instance: start.instance,
        agent_version: start.agentVersion,
        capabilities: JSON.stringify(start.capabilities),
        policy_revision: start.policyRevision,
        connected_at_ms: start.atMs,
        disconnected_at_ms: null,
        reason: null,
      })
      .execute();
    await trx
      .deleteFrom("agents")
      .where("cluster_id", "=", start.clusterId)
      .where("session_epoch", "<=", epoch - SESSIONS_KEPT)
      .execute();
    return epoch;
  });
}

/** Sessions of a cluster that are remembered: enough to see a restart loop. */
const SESSIONS_KEPT = 100;

/** Notes the end of a session. */
export async function closeSession(
  store: Store,
  session: { readonly clusterId: string; readonly epoch: number },
  reason: string,
  atMs: number,
): Promise<void> {
  await store.db
    .updateTable("agents")
    .set({ disconnected_at_ms: atMs, reason: reason.slice(0, 200) })
    .where("cluster_id", "=", session.clusterId)
    .where("session_epoch", "=", session.epoch)
    .execute();
}

/** Notes the policy that a session runs. */
export async function notePolicy(
  store: Store,
  session: { readonly clusterId: string; readonly epoch: number },
  revision: number,
): Promise<void> {
  await store.db
    .updateTable("agents")
    .set({ policy_revision: revision })
    .where("cluster_id", "=", session.clusterId)
    .where("session_epoch", "=", session.epoch)
    .execute();
}
