import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { parseClusterSearch } from "../clusters/cluster-search.ts";
import { NotFound } from "./not-found.tsx";
import { RouteProblem } from "./route-problem.tsx";
import { parseSearch, stringifySearch } from "./search-text.ts";
import { Shell } from "./shell.tsx";

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  component: lazyRouteComponent(() => import("../overview/overview-page.tsx"), "OverviewPage"),
});

const clustersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters",
  validateSearch: parseClusterSearch,
  component: lazyRouteComponent(() => import("../clusters/clusters-page.tsx"), "ClustersPage"),
});

const clusterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters/$id",
  component: lazyRouteComponent(() => import("../cluster/cluster-page.tsx"), "ClusterPage"),
});

/** Every view by its address. The URL is the state: search values are text by short, readable keys. */
export function createPageRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([overviewRoute, clustersRoute, clusterRoute]),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultErrorComponent: RouteProblem,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}

declare module "@tanstack/history" {
  interface HistoryState {
    /** The view opens with the cursor in its search field. */
    focusSearch?: boolean;
  }
}
