import { describe, expect, test } from "vitest";
import {
  type ApiServers,
  type ComponentSkew,
  checkApiServers,
  checkControlPlane,
  checkKubectl,
  checkKubelet,
  checkKubeProxy,
} from "./component-skew.ts";
import { type KubeVersion, parseVersion } from "./parse-version.ts";

function version(text: string): KubeVersion {
  const parsed = parseVersion(text);
  if (!parsed) throw new Error(`no version: ${text}`);
  return parsed;
}
const servers = (first: string, ...more: string[]): ApiServers => [version(first), ...more.map(version)];
/** "ok", "ok, blocks", or the reason. */
const said = ({ supported, reason, blocksNextUpgrade }: ComponentSkew): string =>
  reason ?? (supported && blocksNextUpgrade ? "ok, blocks" : "ok");

describe("a kubelet", () => {
  test.each([
    ["1.30.0", ["1.30.1"], "ok"],
    ["1.28.0", ["1.30.1"], "ok"],
    ["1.27.9", ["1.30.1"], "ok, blocks"],
    ["1.26.9", ["1.30.1"], "too-old-for-api-server"],
    ["1.31.0", ["1.30.1"], "newer-than-api-server"],
    // An upgrade of the API servers: not newer than the oldest, not too old for the newest.
    ["1.30.0", ["1.29.0", "1.30.0"], "newer-than-api-server"],
    ["1.26.0", ["1.29.0", "1.30.0"], "too-old-for-api-server"],
    ["1.24.0", ["1.26.0"], "ok, blocks"],
    ["1.24.0", ["1.27.0"], "too-old-for-api-server"],
    ["1.25.0", ["1.28.0"], "ok, blocks"],
    ["v1.27.3-gke.1700", ["v1.30.1-eks-4f4795d"], "ok, blocks"],
    ["2.0.0", ["1.30.1"], "major-differs"],
  ] as const)("%s beside API servers %j: %s", (kubelet, [first, ...more], expected) => {
    expect(said(checkKubelet(version(kubelet), servers(first, ...more)))).toBe(expected);
  });

  test("says how many minors it is behind", () => {
    expect(checkKubelet(version("1.27.1"), servers("1.30.0")).minorsBehind).toBe(3);
    expect(checkKubelet(version("1.31.1"), servers("1.30.0")).minorsBehind).toBe(-1);
  });
});

describe("a kube-proxy", () => {
  test.each([
    ["1.30.0", "1.30.0", "1.30.0", "ok"],
    ["1.27.0", "1.30.0", "1.30.0", "ok, blocks"],
    ["1.30.0", "1.27.0", "1.30.0", "ok"],
    ["1.30.0", "1.26.0", "1.30.0", "too-far-from-kubelet"],
    ["1.24.0", "1.26.0", "1.26.0", "ok, blocks"],
    ["1.31.0", "1.30.0", "1.30.0", "newer-than-api-server"],
    ["1.30.0", undefined, "1.30.0", "ok"],
  ] as const)("%s beside kubelet %s and API server %s: %s", (proxy, kubelet, server, expected) => {
    const skew = checkKubeProxy(version(proxy), servers(server), kubelet && version(kubelet));
    expect(said(skew)).toBe(expected);
  });
});

describe("the control plane", () => {
  test.each([
    ["1.30.0", ["1.30.0"], "ok"],
    ["1.29.0", ["1.30.0"], "ok, blocks"],
    ["1.28.0", ["1.30.0"], "too-old-for-api-server"],
    ["1.31.0", ["1.30.0"], "newer-than-api-server"],
    ["1.30.0", ["1.29.0", "1.30.0"], "newer-than-api-server"],
  ] as const)("controller-manager or scheduler %s beside %j: %s", (component, [first, ...more], expected) => {
    expect(said(checkControlPlane(version(component), servers(first, ...more)))).toBe(expected);
  });

  test.each([
    [["1.30.0"], "ok"],
    [["1.29.0", "1.30.0"], "ok, blocks"],
    [["1.28.0", "1.30.0"], "api-servers-too-far-apart"],
    [["1.30.0", "2.0.0"], "major-differs"],
  ] as const)("API servers %j: %s", ([first, ...more], expected) => {
    expect(said(checkApiServers(servers(first, ...more)))).toBe(expected);
  });
});

test.each([
  ["1.31.0", ["1.30.0"], "ok"],
  ["1.29.0", ["1.30.0"], "ok"],
  ["1.32.0", ["1.30.0"], "newer-than-api-server"],
  ["1.28.0", ["1.30.0"], "too-old-for-api-server"],
  ["1.29.0", ["1.30.0", "1.31.0"], "too-old-for-api-server"],
  ["1.32.0", ["1.30.0", "1.31.0"], "newer-than-api-server"],
] as const)("kubectl %s with API servers %j: %s", (kubectl, [first, ...more], expected) => {
  expect(said(checkKubectl(version(kubectl), servers(first, ...more)))).toBe(expected);
});
