/** What a node's `spec.providerID` says. `null` = not said. */
export interface ProviderId {
  /** aws, gcp, azure, alibaba, tencent, huawei, openstack, vsphere, oci, hetzner, k3s, kind …, else the scheme itself. */
  readonly provider: string | null;
  /** The id that a bill names the machine by; null when no bill line does (Fargate). */
  readonly instanceId: string | null;
  readonly region: string | null;
  readonly zone: string | null;
}

const NOTHING: ProviderId = { provider: null, instanceId: null, region: null, zone: null };

const PROVIDERS: Readonly<Record<string, string>> = {
  gce: "gcp",
  alicloud: "alibaba",
  alibabacloud: "alibaba",
  qcloud: "tencent",
  tencentcloud: "tencent",
  huaweicloud: "huawei",
  cce: "huawei",
  hcloud: "hetzner",
  hrobot: "hetzner",
};

/**
 * Reads every known form of `spec.providerID`; never throws. An empty one is normal on bare metal: all fields null.
 * Forms: test/vectors/provider-ids.json.
 */
export function parseProviderId(text: string | undefined): ProviderId {
  const id = text?.trim() ?? "";
  if (id === "") return NOTHING;
  const [, scheme, rest = ""] = /^([a-z0-9+.-]+):\/\/(.*)$/.exec(id) ?? [];
  if (scheme === undefined) return withoutScheme(id);
  const provider = PROVIDERS[scheme] ?? scheme;
  switch (provider) {
    case "aws":
      return aws(rest);
    case "gcp":
      return gcp(rest);
    case "azure":
      // Azure spells the same id in different cases from call to call.
      return { ...NOTHING, provider, instanceId: rest.toLowerCase() };
    case "alibaba":
      return alibaba(rest) ?? { ...NOTHING, provider, instanceId: lastSegment(rest) };
    case "tencent":
      return { ...NOTHING, provider, instanceId: lastSegment(rest), zone: segments(rest).at(-2) ?? null };
    default:
      return { ...NOTHING, provider, instanceId: lastSegment(rest) };
  }
}

function aws(rest: string): ProviderId {
  const last = lastSegment(rest);
  const zone = segments(rest).find((part) => /^[a-z]{2}(-[a-z]+)+-\d+(-[a-z]+-\d+)?[a-z]$/.test(part)) ?? null;
  return {
    provider: "aws",
    instanceId: last !== null && /^i-[0-9a-f]{8,17}$/.test(last) ? last : null,
    region: zone === null ? null : (/^[a-z]{2}(?:-[a-z]+)+-\d+/.exec(zone)?.[0] ?? null),
    zone,
  };
}

/** The name alone is neither unique nor used once: project, zone and name together are the id. */
function gcp(rest: string): ProviderId {
  const parts = segments(rest);
  const zone = parts.at(1) ?? null;
  return {
    provider: "gcp",
    instanceId: parts.join("/"),
    region: zone?.replace(/-[a-z]$/, "") ?? null,
    zone,
  };
}

function alibaba(rest: string): ProviderId | undefined {
  const [, region, instanceId] = /^\/?([a-z]{2,}(?:-[a-z0-9]+)+)[./](i-[a-z0-9]+)$/.exec(rest) ?? [];
  return region && instanceId ? { provider: "alibaba", instanceId, region, zone: null } : undefined;
}

function withoutScheme(id: string): ProviderId {
  if (id.startsWith("ocid1.")) return { ...NOTHING, provider: "oci", instanceId: id };
  return alibaba(id) ?? { ...NOTHING, instanceId: id };
}

function segments(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

function lastSegment(path: string): string | null {
  return segments(path).at(-1) ?? null;
}
