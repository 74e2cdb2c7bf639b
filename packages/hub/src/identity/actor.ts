import type { Grant } from "./roles.ts";

/** Who asks. A token of a join is no actor: it authorises its one request by itself. */
export type Actor =
  /** Whoever holds the hub's own token: every right, the way in when nobody else has one. */
  | { readonly kind: "admin" }
  | { readonly kind: "anonymous" }
  | { readonly kind: "user"; readonly name: string; readonly grants: readonly Grant[] }
  /** A service token: for a program. */
  | { readonly kind: "token"; readonly name: string; readonly grants: readonly Grant[] }
  | { readonly kind: "agent"; readonly clusterId: string }
  /** The hub's own loops. */
  | { readonly kind: "hub" };

export const ANONYMOUS: Actor = { kind: "anonymous" };

/** The actor as the audit log and error texts name it: `admin`, `user:ada`, `token:grafana`, `agent:0198…`. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "agent":
      return `agent:${actor.clusterId}`;
    case "user":
    case "token":
      return `${actor.kind}:${actor.name}`;
    default:
      return actor.kind;
  }
}
