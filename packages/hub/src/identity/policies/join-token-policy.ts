import type { Policy } from "../access.ts";

/** Join tokens: operators of the whole fleet make them; whoever holds one may use it, and sees no cluster by that. */
export const joinTokenPolicy: Policy = {
  about: "tokens by which agents let clusters in",
  roles: { create: ["operator"] },
  wholeFleet: ["create"],
  anyone: ["join"],
};
