import type { KubeVersion } from "./parse-version.ts";

/** Why a component's version is outside the Kubernetes version-skew policy. */
export type SkewReason =
  | "newer-than-api-server"
  | "too-old-for-api-server"
  | "too-far-from-kubelet"
  | "api-servers-too-far-apart"
  | "major-differs";

/** Verdict of one component against the version-skew policy. Source: kubernetes.io/releases/version-skew-policy. */
export interface ComponentSkew {
  readonly supported: boolean;
  /** Null when supported. */
  readonly reason: SkewReason | null;
  /** Minors behind the newest API server (negative = ahead); null when majors differ. */
  readonly minorsBehind: number | null;
  /** One more minor on the API server would put the component outside the policy. */
  readonly blocksNextUpgrade: boolean;
}

/** The API servers of a cluster: several while they are upgraded, at least one. */
export type ApiServers = readonly [KubeVersion, ...KubeVersion[]];

/** Minors that kubelet and kube-proxy may be older than the newest API server: 3, but 2 before 1.25. */
function nodeAllowance(version: KubeVersion): number {
  return version.minor < 25 ? 2 : 3;
}

/** kubelet: not newer than the oldest API server, at most 3 minors (2 before 1.25) older than the newest. */
export function checkKubelet(kubelet: KubeVersion, apiServers: ApiServers): ComponentSkew {
  return checkOlder(kubelet, apiServers, nodeAllowance(kubelet));
}

/** kube-proxy: as the kubelet, and within the same distance of its node's kubelet where that is known. */
export function checkKubeProxy(
  kubeProxy: KubeVersion,
  apiServers: ApiServers,
  kubelet: KubeVersion | undefined,
): ComponentSkew {
  const skew = checkOlder(kubeProxy, apiServers, nodeAllowance(kubeProxy));
  if (!skew.supported || !kubelet || kubelet.major !== kubeProxy.major) return skew;
  const apart = Math.abs(kubelet.minor - kubeProxy.minor);
  return apart <= nodeAllowance(kubeProxy) ? skew : { ...skew, supported: false, reason: "too-far-from-kubelet" };
}

/** controller-manager and scheduler: not newer than the oldest API server, at most 1 minor older than the newest. */
export function checkControlPlane(component: KubeVersion, apiServers: ApiServers): ComponentSkew {
  return checkOlder(component, apiServers, 1);
}

/** kubectl: within 1 minor of every API server. */
export function checkKubectl(kubectl: KubeVersion, apiServers: ApiServers): ComponentSkew {
  const { newest, oldest } = minorsOf(apiServers);
  if (apiServers.some((server) => server.major !== kubectl.major)) return MAJOR_DIFFERS;
  const minorsBehind = newest - kubectl.minor;
  const reason =
    minorsBehind > 1 ? "too-old-for-api-server" : kubectl.minor - oldest > 1 ? "newer-than-api-server" : null;
  // kubectl is on nobody's upgrade path: it is replaced at will.
  return { supported: reason === null, reason, minorsBehind, blocksNextUpgrade: false };
}

/** API servers of one cluster: within 1 minor of each other. `minorsBehind` is the distance of the oldest. */
export function checkApiServers(apiServers: ApiServers): ComponentSkew {
  const { newest, oldest } = minorsOf(apiServers);
  if (apiServers.some((server) => server.major !== apiServers[0].major)) return MAJOR_DIFFERS;
  const apart = newest - oldest;
  const reason = apart > 1 ? "api-servers-too-far-apart" : null;
  return { supported: reason === null, reason, minorsBehind: apart, blocksNextUpgrade: apart >= 1 };
}

const MAJOR_DIFFERS: ComponentSkew = {
  supported: false,
  reason: "major-differs",
  minorsBehind: null,
  blocksNextUpgrade: true,
};

function checkOlder(component: KubeVersion, apiServers: ApiServers, allowance: number): ComponentSkew {
  if (apiServers.some((server) => server.major !== component.major)) return MAJOR_DIFFERS;
  const { newest, oldest } = minorsOf(apiServers);
  const minorsBehind = newest - component.minor;
  const reason =
    component.minor > oldest ? "newer-than-api-server" : minorsBehind > allowance ? "too-old-for-api-server" : null;
  return { supported: reason === null, reason, minorsBehind, blocksNextUpgrade: minorsBehind >= allowance };
}

function minorsOf(apiServers: ApiServers): { newest: number; oldest: number } {
  const minors = apiServers.map((server) => server.minor);
  return { newest: Math.max(...minors), oldest: Math.min(...minors) };
}
