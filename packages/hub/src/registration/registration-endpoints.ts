import { PlimsollError } from "@plimsoll/contracts";
import { JoinAnswer, JoinRequest, JoinTokenAnswer, JoinTokenRequest } from "@plimsoll/contracts/rest";
import { type Endpoint, endpoint } from "../api/endpoint.ts";
import type { Sessions } from "../channel/sessions.ts";
import type { Liveness } from "../inventory/liveness.ts";
import type { Registry } from "../inventory/registry.ts";
import { agentManifest } from "./agent-manifest.ts";
import { createJoinToken } from "./create-join-token.ts";
import { type JoinDeps, joinCluster } from "./join-cluster.ts";

/** The name in the certificate of the agents' port, whatever address they reach it by. */
export const CONTROL_SERVER_NAME = "plimsoll-hub";

/** What joining by REST works with. */
export interface RegistrationDeps extends JoinDeps {
  readonly registry: Registry;
  readonly liveness: Liveness;
  readonly sessions: Sessions;
  /** Where agents reach this hub: known once it listens. `ingest` null = there has been no ingest process yet. */
  readonly addresses: () => { readonly url: string; readonly control: string; readonly ingest: string | null };
  readonly agentImage: string;
}

/** Making join tokens, and joining with one. */
export function registrationEndpoints(deps: RegistrationDeps): readonly Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/api/v1/join-tokens",
      access: { verb: "create", noun: "join-token" },
      summary: "A token by which one agent registers a cluster under this name, with command and manifest",
      params: null,
      query: null,
      body: JoinTokenRequest,
      answer: JoinTokenAnswer,
      status: 201,
      handle: async ({ body }, { by, nowMs }) => {
        const token = await createJoinToken(deps.store, body, deps.authority.sha256, by, nowMs);
        const { url } = deps.addresses();
        const facts = { hubUrl: url, token: token.text, clusterName: body.clusterName, image: deps.agentImage };
        return {
          token: token.text,
          expiresAt: new Date(token.expiresAtMs).toISOString(),
          command: `npx plimsoll agent --hub ${url} --token ${token.text}`,
          manifest: agentManifest(facts),
        };
      },
    }),
    endpoint({
      method: "POST",
      path: "/api/v1/join",
      access: { verb: "join", noun: "join-token" },
      summary: "Registers a cluster by its join token, or lets it come back: a certificate for the agent's key",
      params: null,
      query: null,
      body: JoinRequest,
      answer: JoinAnswer,
      handle: async ({ body }, { by, nowMs }) => {
        const { control, ingest } = deps.addresses();
        if (ingest === null) throw new PlimsollError("ingest_unknown");
        const joined = await joinCluster(deps, body, by, nowMs);
        await deps.registry.reload(joined.id);
        deps.liveness.watch({ id: joined.id, mode: "push" });
        // Whoever held the certificate before is out.
        if (joined.reattached) deps.sessions.dismiss(joined.id, "certificate_revoked");
        return {
          clusterId: joined.id,
          clusterName: joined.name,
          incarnation: joined.incarnation,
          certificate: joined.certificate,
          caBundle: deps.authority.certificate,
          controlAddress: control,
          ingestAddress: ingest,
          serverName: CONTROL_SERVER_NAME,
        };
      },
    }),
  ];
}
