import type { ClusterQuery } from "@plimsoll/contracts/rest";
import type { z } from "zod";

/** What a list of clusters is asked with. Facets are values joined by commas: any of them. */
export type ClusterFilter = { readonly [Name in keyof z.infer<typeof ClusterQuery>]: string | number | undefined };

/** `GET` path of a filtered list; what is not set is not sent. */
export function clustersPath(filter: ClusterFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return `/api/v1/clusters?${query}`;
}
