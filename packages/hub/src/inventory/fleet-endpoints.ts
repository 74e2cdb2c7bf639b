import { PlimsollError } from "@plimsoll/contracts";
import {
  ClusterDetail,
  ClusterList,
  ClusterQuery,
  InventoryList,
  NamespaceList,
  NodeList,
  Overview,
  PartQuery,
} from "@plimsoll/contracts/rest";
import { z } from "zod";
import { type Endpoint, endpoint, type RequestContext } from "../api/endpoint.ts";
import { type Page, pageOf, type SortValue } from "../api/page.ts";
import type { CostAnswers } from "../cost/costs.ts";
import type { Store } from "../store/store.ts";
import { clusterHistory } from "./cluster-history.ts";
import { type KnownCluster, presentCluster } from "./cluster-view.ts";
import { fieldOrigins } from "./field-origins.ts";
import { filterClusters } from "./filter-clusters.ts";
import { flatRecord } from "./flat-record.ts";
import { fleetErrors } from "./fleet-errors.ts";
import { type FleetSources, knownCluster, knownClusters } from "./known-clusters.ts";
import { overviewOf } from "./overview.ts";
import { clusterOrdering } from "./sort-clusters.ts";

/** What the questions about the fleet are answered from. */
export interface FleetDeps extends FleetSources {
  readonly store: Store;
  readonly costs: CostAnswers;
}

const LIST = { verb: "list", noun: "cluster" } as const;
const READ = { verb: "read", noun: "cluster" } as const;
const ClusterPath = z.object({ cluster: z.string().min(1) });

/** Questions about clusters, nodes and namespaces. */
export function fleetEndpoints(deps: FleetDeps): readonly Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/overview",
      access: LIST,
      summary: "Figures of the whole fleet",
      params: null,
      query: null,
      body: null,
      answer: Overview,
      handle: (_, { scope, nowMs }) => overviewOf(knownClusters(deps, scope, nowMs), nowMs),
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/clusters",
      access: LIST,
      summary: "Clusters, filtered, sorted, page by page",
      params: null,
      query: ClusterQuery,
      body: null,
      answer: ClusterList,
      handle: ({ query }, context) => listClusters(deps, query, context, presentCluster),
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/clusters/:cluster",
      access: READ,
      summary: "One cluster by id or name, with the origin of each field and what became of it",
      params: ClusterPath,
      query: null,
      body: null,
      answer: ClusterDetail,
      handle: async ({ params }, { scope, nowMs }) => {
        const known = knownCluster(deps, params.cluster, scope, nowMs);
        const history = await clusterHistory(deps.store, known, nowMs);
        return { ...presentCluster(known), fields: fieldOrigins(known, nowMs), history };
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/inventory",
      access: LIST,
      summary: "Flat inventory records of clusters, for CMDBs, spreadsheets and BI",
      params: null,
      query: ClusterQuery,
      body: null,
      answer: InventoryList,
      handle: ({ query }, context) =>
        listClusters(deps, query, context, ({ entry, heard }) => ({ ...flatRecord(entry, heard) })),
    }),
    nodesEndpoint(deps),
    namespacesEndpoint(deps),
  ];
}

function listClusters<T>(
  deps: FleetDeps,
  query: z.output<typeof ClusterQuery>,
  { scope, nowMs }: RequestContext,
  present: (cluster: KnownCluster) => T,
) {
  const { limit, cursor, sort, ...filter } = query;
  const clusters = filterClusters(knownClusters(deps, scope, nowMs), filter);
  const page = pageOf(clusters, clusterOrdering(sort), { limit, cursor, filters: { sort, ...filter } });
  return answerOf({ ...page, items: page.items.map(present) }, clusters, nowMs);
}

function nodesEndpoint(deps: FleetDeps): Endpoint {
  return endpoint({
    method: "GET",
    path: "/api/v1/nodes",
    access: LIST,
    summary: "Nodes as last sampled, of one cluster or of all",
    params: null,
    query: PartQuery,
    body: null,
    answer: NodeList,
    handle: async ({ query }, context) => {
      const { clusters, scope } = clustersOf(deps, query, context);
      const nodes = await deps.costs.nodes(scope, context.nowMs);
      const found = nodes.filter(
        searching(query.search, ({ name, pool, zone, instanceType }) => [name, pool, zone, instanceType]),
      );
      const page = pageParts(found, query, NODE_SORTS, ({ cluster, name }) => `${cluster}/${name}`);
      return answerOf(page, clusters, context.nowMs);
    },
  });
}

function namespacesEndpoint(deps: FleetDeps): Endpoint {
  return endpoint({
    method: "GET",
    path: "/api/v1/namespaces",
    access: LIST,
    summary: "Namespaces with what they request, use and cost an hour, of one cluster or of all",
    params: null,
    query: PartQuery,
    body: null,
    answer: NamespaceList,
    handle: async ({ query }, context) => {
      const { clusters, scope } = clustersOf(deps, query, context);
      const namespaces = await deps.costs.namespaces(scope, context.nowMs);
      const found = namespaces.filter(searching(query.search, ({ namespace }) => [namespace]));
      const page = pageParts(found, query, NAMESPACE_SORTS, ({ cluster, namespace }) => `${cluster}/${namespace}`);
      return answerOf(page, clusters, context.nowMs);
    },
  });
}

type PartQueryOutput = z.output<typeof PartQuery>;

/** The clusters that a question about parts is about, and the scope that they make. */
function clustersOf(deps: FleetDeps, query: PartQueryOutput, { scope, nowMs }: RequestContext) {
  const asked =
    query.cluster === undefined ? knownClusters(deps, scope, nowMs) : [knownCluster(deps, query.cluster, scope, nowMs)];
  const clusters = filterClusters(asked, { selector: query.selector });
  return { clusters, scope: new Set(clusters.map(({ entry }) => entry.id)) };
}

function searching<T>(
  search: string | undefined,
  textsOf: (part: T) => readonly (string | null)[],
): (part: T) => boolean {
  const words = (search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return (part) => {
    const text = textsOf(part).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

type NodeItem = z.output<typeof NodeList>["items"][number];
type NamespaceItem = z.output<typeof NamespaceList>["items"][number];
type Sorts<T> = Readonly<Record<string, (part: T) => SortValue>>;

const NODE_SORTS: Sorts<NodeItem> = {
  cluster: ({ cluster }) => cluster,
  name: ({ name }) => name,
  pool: ({ pool }) => pool,
  zone: ({ zone }) => zone,
  type: ({ instanceType }) => instanceType,
  cpu: ({ cpuRequested, cpuAllocatable }) => shareOf(cpuRequested, cpuAllocatable),
  memory: ({ memoryRequested, memoryAllocatable }) => shareOf(memoryRequested, memoryAllocatable),
  cpuUsed: ({ cpuUsed, cpuAllocatable }) => shareOf(cpuUsed, cpuAllocatable),
  memoryUsed: ({ memoryUsed, memoryAllocatable }) => shareOf(memoryUsed, memoryAllocatable),
};

const NAMESPACE_SORTS: Sorts<NamespaceItem> = {
  cluster: ({ cluster }) => cluster,
  name: ({ namespace }) => namespace,
  cpu: ({ cpuRequested }) => Number(cpuRequested),
  memory: ({ memoryRequested }) => Number(memoryRequested),
  cpuUsed: ({ cpuUsed }) => (cpuUsed === null ? null : Number(cpuUsed)),
  memoryUsed: ({ memoryUsed }) => (memoryUsed === null ? null : Number(memoryUsed)),
  cost: ({ hourly }) => Number(hourly),
};

function shareOf(part: string | null, whole: string | null): number | null {
  return part === null || whole === null || whole === "0" ? null : Number(part) / Number(whole);
}

function pageParts<T>(
  parts: readonly T[],
  query: PartQueryOutput,
  sorts: Sorts<T>,
  idOf: (part: T) => string,
): Page<T> {
  const { limit, cursor, sort = "cluster", ...filters } = query;
  const descending = sort.startsWith("-");
  const column = descending ? sort.slice(1) : sort;
  const value = Object.hasOwn(sorts, column) ? sorts[column] : undefined;
  if (!value) {
    const expected = `one of ${Object.keys(sorts).join(", ")}, with - in front for descending`;
    throw new PlimsollError("parameter_invalid", { field: "sort", value: sort.slice(0, 80), expected });
  }
  return pageOf(parts, { valueOf: value, idOf, descending }, { limit, cursor, filters: { sort, ...filters } });
}

function answerOf<T>(page: Page<T>, clusters: readonly KnownCluster[], nowMs: number) {
  const { items, next, total } = page;
  return { items: [...items], errors: fleetErrors(clusters, nowMs), asOf: new Date(nowMs).toISOString(), next, total };
}
