import type { KubeConnection } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import { type AddClusterRequest, JoinTokenRequest } from "@plimsoll/contracts/rest";
import { z } from "zod";
import type { ChangeBy } from "../audit/audit.ts";
import { checkLabels } from "../registration/labels.ts";
import { type Registered, registerCluster } from "../registration/register-cluster.ts";
import type { Sealing } from "../sealing/sealing.ts";
import type { Store } from "../store/store.ts";
import { readKubeconfigText, type UsableKubeconfig } from "./kubeconfig-text.ts";
import { keepKubeconfig } from "./kubeconfig-vault.ts";

/** What adding works with. */
export interface AddDeps {
  readonly store: Store;
  readonly sealing: Sealing;
  readonly simulated: boolean;
  readonly connect: (usable: UsableKubeconfig) => Promise<KubeConnection>;
}

/** The whole of it is waited for by a person, milliseconds. */
const DEADLINE_MS = 15_000;

const Namespace = z.object({ metadata: z.object({ uid: z.string().min(1).max(128) }) });

/**
 * Registers a cluster that the hub reads itself. It is read once before: what cannot be reached is not registered. The
 * credentials are sealed in the transaction that registers the cluster. Throws what reading the kubeconfig and the cluster
 * throw, `fingerprint_missing`, `cluster_name_invalid`, and what `registerCluster` throws.
 */
export async function addCluster(
  deps: AddDeps,
  request: AddClusterRequest,
  by: ChangeBy,
  nowMs: number,
): Promise<Registered> {
  checkLabels(request.labels);
  const usable = await readKubeconfigText(request.kubeconfig, request.context);
  const name = checkName(request.name ?? usable.context);
  const fingerprint = await readFingerprint(deps, usable, name);
  const { labels } = request;
  return deps.store.write(async (trx) => {
    const candidate = { name, fingerprint, mode: "pull", labels, simulated: deps.simulated } as const;
    const registered = await registerCluster(trx, candidate, by, nowMs);
    const secret = { kubeconfig: request.kubeconfig, context: usable.context };
    await keepKubeconfig(trx, deps.sealing, registered.id, secret, nowMs);
    return registered;
  });
}

function checkName(name: string): string {
  if (JoinTokenRequest.shape.clusterName.safeParse(name).success) return name;
  throw new PlimsollError("cluster_name_invalid", { field: "name", name: name.slice(0, 128) });
}

async function readFingerprint({ connect }: AddDeps, usable: UsableKubeconfig, name: string): Promise<string> {
  const connection = await connect(usable);
  try {
    const path = "/api/v1/namespaces/kube-system";
    const what = "namespace kube-system";
    const answer = await connection.getJson(path, { deadlineMs: DEADLINE_MS, what, repeats: 1 });
    const namespace = Namespace.safeParse(answer);
    if (namespace.success) return namespace.data.metadata.uid;
    throw new PlimsollError("fingerprint_missing", { cluster: name, reason: "the answer has no UID" });
  } catch (error) {
    if (!(error instanceof PlimsollError) || error.code !== "cluster_forbidden") throw error;
    throw new PlimsollError("fingerprint_missing", { cluster: name, reason: error.message }, { cause: error });
  } finally {
    connection.close();
  }
}
