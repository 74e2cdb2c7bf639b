import { randomUUIDv7 } from "node:crypto";
import { PlimsollError } from "@plimsoll/contracts";
import type { Transaction } from "kysely";
import { z } from "zod";
import type { Sealing } from "../sealing/sealing.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";

const Secret = z.object({ kubeconfig: z.string(), context: z.string() });

/** The kubeconfig of a cluster, with the context to use. */
export type KeptKubeconfig = z.infer<typeof Secret>;

const KIND = "kubeconfig";

/** Seals a cluster's kubeconfig in the caller's transaction; it takes the place of whatever credential the cluster had. */
export async function keepKubeconfig(
  trx: Transaction<Tables>,
  sealing: Sealing,
  clusterId: string,
  secret: KeptKubeconfig,
  nowMs: number,
): Promise<void> {
  await trx.deleteFrom("credentials").where("cluster_id", "=", clusterId).execute();
  await trx
    .updateTable("certificates")
    .set({ revoked_at_ms: nowMs })
    .where("cluster_id", "=", clusterId)
    .where("revoked_at_ms", "is", null)
    .execute();
  await trx
    .insertInto("credentials")
    .values({
      id: randomUUIDv7(),
      cluster_id: clusterId,
      kind: KIND,
      sealed: sealing.seal(Buffer.from(JSON.stringify(secret)), purposeOf(clusterId)),
      key_id: sealing.keyId,
      created_at_ms: nowMs,
      expires_at_ms: null,
    })
    .execute();
}

/** Opens a cluster's kubeconfig. Throws `sealing_key_wrong`, or `cluster_unknown` when the cluster has none. */
export async function openKubeconfig(store: Store, sealing: Sealing, clusterId: string): Promise<KeptKubeconfig> {
  const row = await store.db
    .selectFrom("credentials")
    .select("sealed")
    .where("cluster_id", "=", clusterId)
    .where("kind", "=", KIND)
    .executeTakeFirst();
  if (!row) throw new PlimsollError("cluster_unknown", { cluster: clusterId });
  const opened = Buffer.from(sealing.open(row.sealed, purposeOf(clusterId)));
  return Secret.parse(JSON.parse(opened.toString("utf8")));
}

function purposeOf(clusterId: string): string {
  return `kubeconfig of ${clusterId}`;
}
