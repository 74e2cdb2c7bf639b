import type { KubeJson } from "../objects/kube-json.ts";
import { RESOURCE_KINDS } from "../records/resource-kinds.ts";

const VERBS = ["get", "list", "watch"];
const METRICS_GROUP = "metrics.k8s.io";

/** What the API says of itself under /api and /apis; undefined for a group or version it does not have. */
export function discoveryDocument(path: string, withMetrics: boolean): KubeJson | undefined {
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
  if (path === "/api/v1") return resourceList("", "v1");
  const groups = ["apps", "batch", ...(withMetrics ? [METRICS_GROUP] : [])];
  if (path === "/apis") return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupDocument) };
  const [, , group = "", version] = path.split("/");
  if (!groups.includes(group)) return undefined;
  if (version === undefined) return { kind: "APIGroup", apiVersion: "v1", ...groupDocument(group) };
  if (version !== versionOf(group)) return undefined;
  return group === METRICS_GROUP ? metricsResources() : resourceList(group, `${group}/v1`);
}

function resourceList(group: string, groupVersion: string): KubeJson {
  const resources = RESOURCE_KINDS.filter((kind) => kind.group === group).map(
    ({ resource, kind, namespaced, shortNames }) => ({
      name: resource,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs: VERBS,
      ...(shortNames.length === 0 ? {} : { shortNames }),
    }),
  );
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources };
}

function metricsResources(): KubeJson {
  const verbs = ["get", "list"];
  const resources = [
    { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs },
    { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs },
  ];
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion: `${METRICS_GROUP}/v1beta1`, resources };
}

function groupDocument(name: string): KubeJson {
  const version = versionOf(name);
  const preferred = { groupVersion: `${name}/${version}`, version };
  return { name, versions: [preferred], preferredVersion: preferred };
}

function versionOf(group: string): string {
  return group === METRICS_GROUP ? "v1beta1" : "v1";
}
