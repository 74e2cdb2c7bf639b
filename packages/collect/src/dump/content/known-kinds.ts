import type { KubeResource } from "@plimsoll/contracts";
import { KUBE_RESOURCES, RESOURCE_PATHS } from "../../kube/resources.ts";

/** Groups that served a kind before its present one: their objects have the same fields that are read. */
const FORMER_GROUPS: Readonly<Record<string, readonly string[]>> = { apps: ["extensions"] };

/** kubectl's and support bundles' other names of resources, without hyphens. */
const SHORT_NAMES: Readonly<Record<string, KubeResource>> = {
  no: "nodes",
  ns: "namespaces",
  po: "pods",
  pvc: "persistentvolumeclaims",
  pvcs: "persistentvolumeclaims",
  pv: "persistentvolumes",
  pvs: "persistentvolumes",
  svc: "services",
  quota: "resourcequotas",
  quotas: "resourcequotas",
  deploy: "deployments",
  rs: "replicasets",
  sts: "statefulsets",
  ds: "daemonsets",
  cj: "cronjobs",
};

const BY_KIND = new Map(KUBE_RESOURCES.map((resource) => [RESOURCE_PATHS[resource].kind, resource]));
const BY_NAME = new Map<string, KubeResource>([
  ...Object.entries(SHORT_NAMES),
  ...KUBE_RESOURCES.flatMap((resource): [string, KubeResource][] => [
    [resource, resource],
    [resource.slice(0, -1), resource],
  ]),
]);

/** The resource of a kind that a scan reads. A kind of that name in another group ("Service" of Knative) is none. */
export function resourceOfKind(kind: string, apiVersion: string | undefined): KubeResource | undefined {
  const resource = BY_KIND.get(kind);
  if (resource === undefined || apiVersion === undefined) return resource;
  const group = groupOf(apiVersion);
  const expected = groupOf(RESOURCE_PATHS[resource].apiVersion);
  return group === expected || FORMER_GROUPS[expected]?.includes(group) ? resource : undefined;
}

/**
 * The resource that a path names: "pods.json", "deployments.apps.yaml", "cluster-resources/pvcs/shop.json". For content that
 * does not say its kind, and for nothing else.
 */
export function resourceOfPath(where: string): KubeResource | undefined {
  const [file = "", folder = ""] = where.split(/[/!\\]/).toReversed();
  return resourceOfName(file.split(".")[0] ?? "") ?? resourceOfName(folder);
}

/** The resource that a bundle's "pods-errors.json" reports errors of. */
export function resourceOfErrorFile(where: string): KubeResource | undefined {
  const match = /([^/!\\]+)-errors\.json$/.exec(where);
  return match ? resourceOfName(match[1] ?? "") : undefined;
}

function resourceOfName(name: string): KubeResource | undefined {
  return BY_NAME.get(name.toLowerCase().replace(/[-_]/g, ""));
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
