/** Who asks. A token of a join is no actor: it authorises its one request by itself. */
export type Actor =
  | { readonly kind: "admin" }
  | { readonly kind: "anonymous" }
  | { readonly kind: "agent"; readonly clusterId: string }
  /** The hub's own loops. */
  | { readonly kind: "hub" };

export const ANONYMOUS: Actor = { kind: "anonymous" };

/** The actor as the audit log and error texts name it. */
export function actorName(actor: Actor): string {
  return actor.kind === "agent" ? `agent:${actor.clusterId}` : actor.kind;
}
