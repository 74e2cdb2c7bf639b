import { describe, expect, test } from "vitest";
import { compareVersions } from "./compare-versions.ts";
import type { VersionSuffix } from "./parse-suffix.ts";
import { formatCore, type KubeVersion, parseVersion, readVersion } from "./parse-version.ts";

function version(text: string): KubeVersion {
  const parsed = parseVersion(text);
  if (!parsed) throw new Error(`no version: ${text}`);
  return parsed;
}

describe("the suffix of a version is classed", () => {
  test.each<[string, Partial<VersionSuffix>]>([
    ["v1.28.3", { kind: "none" }],
    ["28.1+", { kind: "none" }],
    ["v1.30.0-rc.1", { kind: "pre-release", stage: "rc", numbers: [1] }],
    ["v1.30.0-rc1+rke2r1", { kind: "pre-release", stage: "rc", numbers: [1] }],
    ["v1.31.0-alpha.2.15+abc123def", { kind: "pre-release", stage: "alpha", numbers: [2, 15] }],
    ["v1.31.0-beta", { kind: "pre-release", stage: "beta", numbers: [] }],
    ["v1.27.3-gke.1700", { kind: "vendor-build", vendor: "gke", numbers: [1700] }],
    ["v1.26.3-aliyun.1", { kind: "vendor-build", vendor: "aliyun", numbers: [1] }],
    ["v1.22.5-tke.24", { kind: "vendor-build", vendor: "tke", numbers: [24] }],
    ["v1.28.3+k3s2", { kind: "vendor-build", vendor: "k3s", numbers: [2] }],
    ["v1.28.3+rke2r1", { kind: "vendor-build", vendor: "rke2", numbers: [1] }],
    ["v1.20.15-rancher1-4", { kind: "vendor-build", vendor: "rancher", numbers: [1, 4] }],
    ["v1.23.8+vmware.2", { kind: "vendor-build", vendor: "vmware", numbers: [2] }],
    ["v1.27.5+vmware.1-fips.1", { kind: "vendor-build", vendor: "vmware", form: "#-fips.#", numbers: [1, 1] }],
    ["v1.25.3-r0-25.2.19", { kind: "vendor-build", vendor: "cce", numbers: [0, 25, 2, 19] }],
    ["v1.11.7-r2", { kind: "vendor-build", vendor: "cce", numbers: [2] }],
    ["v1.28.3-eks-4f4795d", { kind: "hash", vendor: "eks", hash: "4f4795d" }],
    ["v1.27.6+b49f9d1", { kind: "hash", hash: "b49f9d1" }],
    ["v1.20.1-34+e7db93d188d0d1", { kind: "hash", hash: "e7db93d188d0d1" }],
    ["v1.31.100-akslts", { kind: "lts", vendor: "aks" }],
    ["v1.27.5+IKS", { kind: "unknown", text: "+IKS" }],
    ["v1.31.0-dirty", { kind: "unknown", text: "-dirty" }],
    ["v1.31.0-rcx", { kind: "unknown", text: "-rcx" }],
  ])("%s → %j", (text, suffix) => {
    expect(version(text).suffix).toMatchObject(suffix);
  });
});

describe("a reported text", () => {
  test.each([null, undefined, "", " \t "])("%j is no data", (text) => {
    expect(readVersion(text).status).toBe("no-data");
  });

  test.each(["unknown", "v1", "1.x", "v0.0.0-master+$Format:%H$", "0.0", "v99999999999999999999.1", "latest"])(
    "%j is unparseable and kept",
    (text) => {
      expect(readVersion(text)).toEqual({ status: "unparseable", raw: text });
    },
  );

  test("keeps its raw form, trimmed, beside its core", () => {
    const parsed = version("  v1.28.3-eks-4f4795d\n");
    expect([parsed.raw, formatCore(parsed)]).toEqual(["v1.28.3-eks-4f4795d", "1.28.3"]);
    expect(formatCore(version("1.28+"))).toBe("1.28");
  });
});

test("versions sort by number, a pre-release before its release", () => {
  const sorted = [
    "v1.9.0",
    "v1.27.9",
    "v1.27.10",
    "v1.30.0-alpha.9",
    "v1.30.0-rc.2",
    "v1.30.0-rc.10",
    "v1.30.0",
    "v2.0.0",
  ];
  expect([...sorted].reverse().sort((a, b) => compareVersions(version(a), version(b)))).toEqual(sorted);
});

test("vendor builds of one core are equal in order", () => {
  expect(compareVersions(version("v1.28.3-eks-aaaaaaa"), version("v1.28.3+k3s1"))).toBe(0);
});
