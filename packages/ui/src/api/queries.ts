import "./schemas-without-eval.ts";
import { ClusterList, ClusterView, NodeList, Overview } from "@plimsoll/contracts/rest";
import { keepPreviousData, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { currentToken, signOut } from "../session/token.ts";
import { ApiProblem, isRetryable } from "./api-problem.ts";
import { type ClusterFilter, clustersPath } from "./cluster-filter.ts";
import { getJson } from "./get-json.ts";

/** How often the page asks again, in milliseconds. */
const POLL_MS = 5_000;

/** The page's cache of answers: polls while the tab is seen, keeps what it has, signs out when the token is refused. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (thrown) => {
        if (thrown instanceof ApiProblem && thrown.status === 401) signOut(true);
      },
    }),
    defaultOptions: {
      queries: {
        refetchInterval: POLL_MS,
        staleTime: POLL_MS / 2,
        placeholderData: keepPreviousData,
        // A poll comes soon enough; one quick second try hides a blink of the network.
        retry: (count, thrown) => count < 1 && isRetryable(thrown),
        retryDelay: 500,
        networkMode: "always",
      },
    },
  });
}

function getter<T>(schema: z.ZodType<T>, path: string) {
  return ({ signal }: { signal: AbortSignal }) => getJson(schema, path, { token: currentToken(), signal });
}

/** Figures of the whole fleet. */
export function overviewQuery() {
  return queryOptions({ queryKey: ["overview"], queryFn: getter(Overview, "/api/v1/overview") });
}

/** One page of the filtered list of clusters. */
export function clustersQuery(filter: ClusterFilter) {
  const path = clustersPath(filter);
  return queryOptions({ queryKey: ["clusters", path], queryFn: getter(ClusterList, path) });
}

/** One cluster by its id. */
export function clusterQuery(id: string) {
  return queryOptions({
    queryKey: ["cluster", id],
    queryFn: getter(ClusterView, `/api/v1/clusters/${encodeURIComponent(id)}`),
    placeholderData: undefined,
  });
}

/** Nodes of one cluster, the first `limit` of them by name. */
export function nodesQuery(cluster: string, limit: number) {
  const path = `/api/v1/nodes?${new URLSearchParams({ cluster, limit: String(limit) })}`;
  return queryOptions({ queryKey: ["nodes", path], queryFn: getter(NodeList, path) });
}
