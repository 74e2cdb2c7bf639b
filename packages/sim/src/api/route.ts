import type { RequestVerb } from "../faults/fault-box.ts";
import { RESOURCE_KINDS, type ResourceKind } from "../records/resource-kinds.ts";

/** What a path is about. */
export type Route =
  | { readonly to: "version" }
  | { readonly to: "health"; readonly check: string }
  | { readonly to: "discovery"; readonly path: string }
  | { readonly to: "objects"; readonly kind: ResourceKind; readonly namespace: string; readonly name: string }
  | {
      readonly to: "metrics";
      readonly resource: "nodes" | "pods";
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly to: "nothing"; readonly inKnownGroup: boolean };

const UNKNOWN_PATH: Route = { to: "nothing", inKnownGroup: false };
const UNKNOWN_RESOURCE: Route = { to: "nothing", inKnownGroup: true };
const GROUPS = new Set(RESOURCE_KINDS.map(({ group }) => group));

/** Reads a path (without the cluster's prefix and the query). */
export function parseRoute(path: string): Route {
  const parts = path.split("/").slice(1).map(decodePart);
  if (parts.at(-1) === "") parts.pop();
  if (path === "/version" || path === "/version/") return { to: "version" };
  const [first = "", ...rest] = parts;
  if (["readyz", "livez", "healthz"].includes(first)) return { to: "health", check: parts.join("/") };
  if (first === "api") return rest.length <= 1 ? discovery(parts) : groupRoute("", rest);
  if (first === "apis") return rest.length <= 2 ? discovery(parts) : groupRoute(rest[0] ?? "", rest.slice(1));
  return UNKNOWN_PATH;
}

/** The verb a request is: watch is decided by its query. */
export function verbOf(route: Route, watch: boolean): RequestVerb {
  const hasName = (route.to === "objects" || route.to === "metrics") && route.name !== "";
  if (hasName || (route.to !== "objects" && route.to !== "metrics")) return "get";
  return watch ? "watch" : "list";
}

function groupRoute(group: string, [version, ...rest]: readonly string[]): Route {
  if (group === "metrics.k8s.io") return version === "v1beta1" ? metricsRoute(rest) : UNKNOWN_PATH;
  if (!GROUPS.has(group)) return UNKNOWN_PATH;
  if (version !== "v1") return UNKNOWN_RESOURCE;
  const [first, namespace = "", resource, name = "", more] = rest;
  if (more !== undefined) return UNKNOWN_RESOURCE;
  if (first === "namespaces" && resource !== undefined) return objectRoute(group, resource, namespace, name, true);
  return resource === undefined ? objectRoute(group, first ?? "", "", namespace, false) : UNKNOWN_RESOURCE;
}

function objectRoute(group: string, resource: string, namespace: string, name: string, scoped: boolean): Route {
  const kind = RESOURCE_KINDS.find((candidate) => candidate.group === group && candidate.resource === resource);
  if (kind === undefined || (scoped && !kind.namespaced) || (!scoped && kind.namespaced && name !== "")) {
    return UNKNOWN_RESOURCE;
  }
  return { to: "objects", kind, namespace, name };
}

function metricsRoute(rest: readonly string[]): Route {
  const [first, second = "", third, fourth = ""] = rest;
  if (first === "nodes" && third === undefined)
    return { to: "metrics", resource: "nodes", namespace: "", name: second };
  if (first === "pods" && second === "") return { to: "metrics", resource: "pods", namespace: "", name: "" };
  if (first === "namespaces" && third === "pods") {
    return { to: "metrics", resource: "pods", namespace: second, name: fourth };
  }
  return UNKNOWN_PATH;
}

function discovery(parts: readonly string[]): Route {
  return { to: "discovery", path: `/${parts.join("/")}` };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
