import type { Policy } from "../access.ts";

/** Clusters: every role sees those of its grant; operators of the whole fleet add some. */
export const clusterPolicy: Policy = {
  about: "clusters, their nodes, namespaces, watermarks and coverage",
  roles: {
    list: ["viewer", "operator", "finops", "auditor"],
    read: ["viewer", "operator", "finops", "auditor"],
    create: ["operator"],
    update: ["operator"],
    delete: [],
  },
  wholeFleet: ["create"],
  hub: ["list", "read", "create", "update"],
};
