import type { InventoryRecord, VersionCounts } from "@plimsoll/contracts";
import { formatCount } from "../../format/quantity.ts";
import { formatVersion } from "../../format/version.ts";
import { html, type Markup } from "./markup.ts";

/** What the cluster is, as far as known: a list of names and values. Unknown ones are left out and counted. */
export function clusterFacts(record: InventoryRecord): Markup {
  const facts: readonly (readonly [string, string | null])[] = [
    ["Kubernetes", known(formatVersion(record), record.k8s_version)],
    ["kubelet", versions(record.kubelet_versions, record.kubelet_version)],
    ["Provider", [record.provider, record.region].filter((part) => part !== null).join(" · ") || null],
    ["Zones", record.zones.join(", ") || null],
    ["Node OS", versions(record.node_os_versions, record.node_os_version)],
    ["Runtime", versions(record.container_runtime_versions, record.container_runtime_version)],
    ["Network", pair(record.cni, record.cni_version)],
    ["kube-proxy", record.kube_proxy_version],
    ["CoreDNS", record.coredns_version],
    ["Ingress", pair(record.ingress, record.ingress_version)],
    ["CSI", record.csi_drivers?.join(", ") || null],
    ["Pod CIDR", record.pod_cidr?.join(", ") || null],
    ["Service CIDR", record.service_cidr?.join(", ") || null],
    ["Environment", record.environment],
    ["Owner team", record.owner_team],
    ["Cost center", record.cost_center],
    ["Address", record.api_server_endpoint],
    ["Fingerprint", record.fingerprint],
  ];
  const unknown = facts.filter(([, value]) => value === null).map(([name]) => name);
  return html`<dl class="facts">${facts.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${unknown.length > 0 && html`<p class="muted">Unknown: ${unknown.join(", ")}.</p>`}`;
}

function known(text: string, value: string | null): string | null {
  return value === null ? null : text;
}

function pair(name: string | null, version: string | null): string | null {
  return name === null ? null : [name, version].filter((part) => part !== null).join(" ");
}

/** One value alone, or each with its count of nodes. */
function versions(counts: VersionCounts, common: string | null): string | null {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (entries.length < 2) return common;
  return entries.map(([version, nodes]) => `${version} × ${formatCount(nodes)}`).join(", ");
}
