import type { Policy } from "../access.ts";

/** Streams of agents: operators of the whole fleet ask them to connect anew. */
export const streamPolicy: Policy = {
  about: "open streams of agents",
  roles: { update: ["operator"] },
  wholeFleet: ["update"],
};
