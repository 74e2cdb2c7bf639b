import type { Finding } from "@plimsoll/contracts";
import { findAddOns } from "../inventory/add-ons.ts";
import { serverVersions } from "../inventory/server-version.ts";
import {
  type ApiServers,
  type ComponentSkew,
  checkApiServers,
  checkKubelet,
  checkKubeProxy,
} from "../versions/component-skew.ts";
import { formatCore, type KubeVersion, parseVersion, readVersion } from "../versions/parse-version.ts";
import type { FindingInput } from "./finding-input.ts";
import { clusterObject, makeFinding } from "./make-finding.ts";

/** A version that some component runs, and where. */
interface Running {
  readonly component: string;
  readonly version: string;
  /** `Node/name` when it is one node, else the cluster. */
  readonly object: string;
  /** "3 nodes", "node a", "DaemonSet". */
  readonly where: string;
}

/** Versions that name no release, that the skew policy forbids, or that block the next upgrade. */
export function versionFindings(input: FindingInput): readonly Finding[] {
  const object = clusterObject(input.facts.name);
  const versions = serverVersions(input.facts);
  const servers = versions.flatMap((text) => parseVersion(text) ?? []);
  const apiServers = versions.map(
    (version): Running => ({ component: "API server", version, object, where: "/version" }),
  );
  const components = [...kubelets(input), ...kubeProxies(input)];
  return [
    ...missing(input, object),
    ...[...apiServers, ...components.filter((c) => c.component === "kubelet")].flatMap(unparseable),
    ...(versions.length > 1 ? [serversDiffer(object, versions, servers)] : []),
    ...components.flatMap((running) => skewFindings(running, servers)),
  ];
}

function missing({ facts: { serverVersions: reading } }: FindingInput, object: string): readonly Finding[] {
  return reading.known ? [] : [makeFinding("version_missing", { object, fields: { reason: reading.error.message } })];
}

function kubelets({ facts, nodes }: FindingInput): readonly Running[] {
  const byVersion = Map.groupBy(nodes ?? [], ({ node }) => node.status?.nodeInfo?.kubeletVersion ?? "");
  return [...byVersion].map(([version, members]) => {
    const [first] = members;
    const single = members.length === 1 && first;
    return {
      component: "kubelet",
      version,
      object: single ? `Node/${single.name}` : clusterObject(facts.name),
      where: single ? `node ${single.name}` : `${members.length} nodes`,
    };
  });
}

function kubeProxies({ facts }: FindingInput): readonly Running[] {
  const version = findAddOns(facts.objects).kubeProxyVersion;
  return version === null
    ? []
    : [{ component: "kube-proxy", version, object: clusterObject(facts.name), where: "its DaemonSet" }];
}

function unparseable({ component, version, object, where }: Running): readonly Finding[] {
  if (readVersion(version).status !== "unparseable") return [];
  return [makeFinding("version_unparseable", { object, fields: { component, version, where } })];
}

function serversDiffer(object: string, versions: readonly string[], servers: readonly KubeVersion[]): Finding {
  const [first, ...others] = servers;
  const apart = first !== undefined && !checkApiServers([first, ...others]).supported;
  const fields = { versions: versions.join(" → ") };
  return makeFinding(apart ? "api_servers_too_far_apart" : "api_servers_differ", { object, fields });
}

function skewFindings(running: Running, [first, ...others]: readonly KubeVersion[]): readonly Finding[] {
  const version = parseVersion(running.version);
  if (!version || !first) return [];
  const servers: ApiServers = [first, ...others];
  const skew =
    running.component === "kubelet" ? checkKubelet(version, servers) : checkKubeProxy(version, servers, undefined);
  if (skew.supported && !skew.blocksNextUpgrade) return [];
  const { component, object, where } = running;
  const fields = {
    component,
    version: running.version,
    where,
    server: [...new Set(servers.map(formatCore))].join(", "),
    reason: REASONS[skew.reason ?? "too-old-for-api-server"],
  };
  return [makeFinding(skew.supported ? "skew_blocks_upgrade" : "skew_unsupported", { object, fields })];
}

const REASONS: Readonly<Record<NonNullable<ComponentSkew["reason"]>, string>> = {
  "newer-than-api-server": "it is newer",
  "too-old-for-api-server": "it is too old",
  "too-far-from-kubelet": "it is too far from its kubelet",
  "api-servers-too-far-apart": "the API servers are too far apart",
  "major-differs": "the major versions differ",
};
