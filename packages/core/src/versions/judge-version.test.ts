import { readFileSync } from "node:fs";
import { PlimsollError } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { judgeVersion } from "./judge-version.ts";
import { parseBaseline } from "./parse-baseline.ts";

interface VersionVector {
  readonly reported: string;
  readonly baseline: string;
  readonly verdict: string;
  readonly skew_minor: number | null;
  readonly skew_patch: number | null;
}
const vectors: { cases: VersionVector[] } = JSON.parse(
  readFileSync(new URL("../../../../test/vectors/versions.json", import.meta.url), "utf8"),
);

const judge = (reported: string | null, baseline: string, options = {}): ReturnType<typeof judgeVersion> =>
  judgeVersion(reported, parseBaseline(baseline), options);

describe("a reported version against a baseline", () => {
  test.each(vectors.cases)("has the verdict of the vectors: $reported against $baseline", (vector) => {
    const { verdict, skewMinor, skewPatch } = judge(vector.reported, vector.baseline);
    expect({ verdict, skewMinor, skewPatch }).toEqual({
      verdict: vector.verdict,
      skewMinor: vector.skew_minor,
      skewPatch: vector.skew_patch,
    });
  });

  test.each([
    ["v1.29.3", ">=1.29.5 <1.31", "behind", 0, -2],
    ["v1.31.4", "<1.31.2", "ahead", 0, 3],
    ["v1.31.1", "<1.31.2", "compliant", 0, 0],
    ["v1.30.9", "<=1.30", "compliant", 0, 0],
    ["v1.31.0", "<=1.30", "ahead", 1, null],
    ["v1.29.9", ">1.29", "behind", -1, null],
    ["v1.29.5", ">1.29.5", "behind", 0, -1],
    ["v1.29.5", "=1.29", "compliant", 0, 0],
    ["v1.29.5", ">= 1.29, < 1.30", "compliant", 0, 0],
    ["v1.28.0", ">=1.30", "behind", -2, null],
    ["v2.1.0", ">=1.29 <1.31", "ahead", null, null],
    ["v2.1.0", "<2.0", "ahead", null, null],
    ["v1.1.0", ">=2.0", "behind", null, null],
    ["v1.9.0", "2.0", "behind", null, null],
  ])("%s is judged by the range %s: %s %s/%s", (reported, baseline, verdict, skewMinor, skewPatch) => {
    expect(judge(reported, baseline)).toMatchObject({ verdict, skewMinor, skewPatch });
  });

  test.each([
    ["v1.31.100-akslts", "1.31.102-akslts", "behind", 0, -2],
    ["v1.31.102-akslts", "1.31.102-akslts", "compliant", 0, 0],
    ["v1.31.14", "1.31.102-akslts", "behind", 0, null],
    ["v1.31.100-akslts", "1.32.1", "behind", -1, null],
    ["v1.31.100-akslts", ">=1.29 <1.31.5", "compliant", 0, 0],
    ["v1.31.9-akslts", "1.31.14", "behind", 0, -5],
    ["v1.31.100", "1.31.14", "ahead", 0, 86],
  ])(
    "%s against %s: LTS patches count in a channel of their own",
    (reported, baseline, verdict, skewMinor, skewPatch) => {
      expect(judge(reported, baseline)).toMatchObject({ verdict, skewMinor, skewPatch });
    },
  );

  test.each([
    ["1.28+", "1.28.3"],
    ["v1.31", "<1.31.2"],
    ["v1.29", ">=1.29.4"],
  ])("%s against %s is no-data: the patch decides and none was reported", (reported, baseline) => {
    expect(judge(reported, baseline)).toEqual({
      verdict: "no-data",
      skewMinor: 0,
      skewPatch: null,
      notes: ["patch-not-reported"],
    });
  });

  test.each([null, "", "  "])("missing (%j) is no-data, not compliant", (reported) => {
    expect(judge(reported, ">=1.0").verdict).toBe("no-data");
  });

  test.each([
    ["v1.30.0-rc.1", "1.30.0", {}, "pre-release"],
    ["v1.30.0-rc.1", "1.30.0", { allowPreReleases: true }, "compliant"],
    ["v1.30.0-alpha.2.15+abc123def", "1.30", {}, "pre-release"],
    ["v1.30.0-rc.1+rke2r1", "1.30", {}, "pre-release"],
    ["v1.30.0-rc.1", "1.30.0-rc.1", {}, "compliant"],
    ["v1.30.0-rc.2", "1.30.0-rc.1", {}, "ahead"],
    ["v1.30.0-beta.9", "1.30.0-rc.1", {}, "behind"],
    ["v1.30.0", "1.30.0-rc.1", {}, "ahead"],
    ["v1.30.0-rc.1", "1.31", {}, "behind"],
  ])("%s against %s with %j: a pre-release is older than its core (%s)", (reported, baseline, options, verdict) => {
    expect(judge(reported, baseline, options).verdict).toBe(verdict);
  });

  test.each([
    ["v1.28.3-eks-4f4795d", "1.28.3", ["vendor-build"]],
    ["v1.28.3-eks-aaaaaaa", "v1.28.3-eks-bbbbbbb", ["vendor-build-differs"]],
    ["v1.28.3-eks-aaaaaaa", "v1.28.3-eks-aaaaaaa", []],
    ["v1.28.3", "v1.28.3-eks-bbbbbbb", ["vendor-build-differs"]],
    ["v1.27.3-gke.1700", "v1.27.3-gke.900", ["vendor-build-newer"]],
    ["v1.27.3-gke.900", "v1.27.3-gke.1700", ["vendor-build-older"]],
    ["v1.27.3-gke.900", "v1.27.3-aliyun.1", ["vendor-build-differs"]],
    ["v1.27.3+IKS", "1.27.3", ["unknown-vendor"]],
    ["v1.31.100-akslts", "1.31.14", ["lts-channel"]],
    ["v1.28.3", "1.28.3", []],
  ])("%s against %s is noted: %j", (reported, baseline, notes) => {
    expect(judge(reported, baseline)).toMatchObject({ verdict: "compliant", notes });
  });

  test.each([
    ["v1.28.3-eks-bbbbbbb", "v1.28.3-eks-bbbbbbb", "compliant"],
    ["v1.28.3-eks-aaaaaaa", "v1.28.3-eks-bbbbbbb", "vendor-build"],
    ["v1.28.3", "v1.28.3-eks-bbbbbbb", "vendor-build"],
    ["v1.27.3-gke.900", "v1.27.3-gke.1700", "behind"],
    ["v1.27.3-gke.1700", "v1.27.3-gke.900", "ahead"],
  ])("%s against %s is %s where the baseline requires the vendor build", (reported, baseline, verdict) => {
    expect(judge(reported, baseline, { requireVendorBuild: true }).verdict).toBe(verdict);
  });
});

describe("a baseline", () => {
  test.each(["latest", "1", ">=", ">=1.31 <1.29", ">1.29.3 <1.29.4", "<1.29 junk", ">=1.30.0-rc.1", "0.0.0", "=>1.29"])(
    "that allows nothing or says nothing is refused: %s",
    (text) => {
      expect(() => parseBaseline(text)).toThrow(PlimsollError);
      expect(() => parseBaseline(text)).toThrow(`baseline is "${text}"`);
    },
  );
});
