import type { ClusterType } from "@plimsoll/contracts";
import { typeOfNode, typeOfVersion } from "./cluster-type-signs.ts";
import { countValues, mostCommon } from "./count-values.ts";
import type { NodeFacts } from "./node-facts.ts";

/** What kind of cluster it is and where it stands. */
export interface ClusterIdentity {
  readonly type: ClusterType;
  readonly provider: string | null;
  readonly region: string | null;
  /** Distinct zones, sorted. */
  readonly zones: readonly string[];
}

const PROVIDER_OF_TYPE: Readonly<Partial<Record<ClusterType, string>>> = {
  EKS: "aws",
  GKE: "gcp",
  AKS: "azure",
  ACK: "alibaba",
  TKE: "tencent",
  CCE: "huawei",
};

/** Schemes of provider ids that name a distribution, not who runs the machines. */
const NO_PROVIDERS: ReadonlySet<string> = new Set(["k3s", "kind"]);

/**
 * Type, provider, region and zones. The API server's version decides the type where its suffix names one; else the nodes
 * vote, one vote each (no sign = SelfBuilt, and a sign wins a tie). Virtual nodes vote only when there are no others: one
 * virtual-kubelet flips nothing. Without nodes and without a suffix the type is Other.
 */
export function detectCluster(nodes: readonly NodeFacts[], serverVersions: readonly string[]): ClusterIdentity {
  const machines = nodes.filter((node) => !node.virtual);
  const voters = machines.length > 0 ? machines : nodes;
  const type = detectType(voters, serverVersions);
  const providers = voters.map(({ providerId: { provider } }) => (NO_PROVIDERS.has(provider ?? "") ? null : provider));
  const zones = new Set(voters.map((node) => node.zone).filter((zone) => zone !== null));
  return {
    type,
    provider: PROVIDER_OF_TYPE[type] ?? mostCommon(countValues(providers)),
    region: mostCommon(countValues(voters.map((node) => node.region))),
    zones: [...zones].sort(),
  };
}

function detectType(voters: readonly NodeFacts[], serverVersions: readonly string[]): ClusterType {
  const byVersion = mostCommon(countValues(serverVersions.map(typeOfVersion)));
  if (byVersion !== null) return byVersion;
  if (voters.length === 0) return "Other";
  const signs = countValues(voters.map(({ node }) => typeOfNode(node)));
  const winner = mostCommon(signs);
  if (winner === null) return "SelfBuilt";
  const votes = signs.get(winner) ?? 0;
  const silent = voters.length - [...signs.values()].reduce((sum, count) => sum + count, 0);
  return votes >= silent ? winner : "SelfBuilt";
}
