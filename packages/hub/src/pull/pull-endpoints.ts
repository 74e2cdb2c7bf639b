import { AddClusterRequest, ClusterView } from "@plimsoll/contracts/rest";
import { type Endpoint, endpoint } from "../api/endpoint.ts";
import type { Sessions } from "../channel/sessions.ts";
import { presentCluster } from "../inventory/cluster-view.ts";
import { type FleetSources, knownCluster } from "../inventory/known-clusters.ts";
import { type AddDeps, addCluster } from "./add-cluster.ts";
import type { PullLoop } from "./pull-loop.ts";

/** What adding clusters by REST works with. */
export interface PullEndpointDeps extends AddDeps {
  readonly fleet: FleetSources;
  readonly sessions: Sessions;
  /** Where the reading is another process's, it finds the cluster by itself. */
  readonly loop: Pick<PullLoop, "add"> | null;
}

/** Adding a cluster that the hub reads itself. */
export function pullEndpoints(deps: PullEndpointDeps): readonly Endpoint[] {
  const { fleet, sessions, loop } = deps;
  return [
    endpoint({
      method: "POST",
      path: "/api/v1/clusters",
      access: { verb: "create", noun: "cluster" },
      summary: "Adds a cluster that the hub reads itself, by a kubeconfig; credential plug-ins are refused",
      params: null,
      query: null,
      body: AddClusterRequest,
      answer: ClusterView,
      status: 201,
      handle: async ({ body }, { by, scope, nowMs }) => {
        const { id, reattached } = await addCluster(deps, body, by, nowMs);
        await fleet.registry.reload(id);
        fleet.liveness.watch({ id, mode: "pull" });
        // It has one credential: an agent of it is out.
        if (reattached) sessions.dismiss(id, "certificate_revoked");
        loop?.add(id, 0);
        return presentCluster(knownCluster(fleet, id, scope, nowMs));
      },
    }),
  ];
}
