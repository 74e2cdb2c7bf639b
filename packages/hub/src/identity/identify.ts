import type { Clock } from "@plimsoll/collect";
import { type Actor, ANONYMOUS } from "./actor.ts";
import type { AdminToken } from "./admin-token.ts";
import type { ServiceTokens } from "./service-tokens.ts";

/** Who sends this `authorization` header. A wrong token is nobody. */
export type Identify = (authorization: string | undefined) => Promise<Actor>;

/** By the hub's own token, or a service token. */
export function createIdentify(admin: AdminToken, tokens: ServiceTokens, clock: Clock): Identify {
  return async (authorization) => {
    const text = /^Bearer ([-\w.]{1,256})$/i.exec(authorization ?? "")?.[1];
    if (text === undefined) return ANONYMOUS;
    const known = admin.actorOf(authorization);
    if (known.kind !== "anonymous") return known;
    return (await tokens.actorOf(text, clock.now())) ?? ANONYMOUS;
  };
}
