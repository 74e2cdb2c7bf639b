import { StreamMoveAnswer, StreamMoveRequest } from "@plimsoll/contracts/rest";
import { type Endpoint, endpoint } from "../api/endpoint.ts";
import { writeAudit } from "../audit/audit.ts";
import type { Registry } from "../inventory/registry.ts";
import type { Store } from "../store/store.ts";
import type { Sessions } from "./sessions.ts";

/** What moving streams works with. */
export interface StreamEndpointDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly sessions: Sessions;
}

/** Moving the streams of agents by command. */
export function streamEndpoints({ store, registry, sessions }: StreamEndpointDeps): readonly Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/api/v1/streams/moves",
      access: { verb: "update", noun: "stream" },
      summary: "Asks agents to connect anew; what was on its way is sent again and counts once",
      params: null,
      query: null,
      body: StreamMoveRequest,
      answer: StreamMoveAnswer,
      handle: async ({ body: { cluster, withinSeconds } }, { by, scope, nowMs }) => {
        const clusterId = cluster === undefined ? null : registry.get(cluster, scope).id;
        const change = { verb: "update", noun: "stream", id: clusterId, clusterId, after: { withinSeconds } } as const;
        await store.write((trx) => writeAudit(trx, by, change, nowMs));
        return sessions.move(clusterId === null ? scope : new Set([clusterId]), withinSeconds * 1000);
      },
    }),
  ];
}
