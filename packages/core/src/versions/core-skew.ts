import { compareCores } from "./compare-versions.ts";
import type { Baseline, Core } from "./parse-baseline.ts";
import type { KubeVersion } from "./parse-version.ts";

/** Where a reported core lies against what a baseline allows, and how far. */
export interface CoreSkew {
  /** `unknown`: the patch decides and none was reported. */
  readonly direction: "inside" | "ahead" | "behind" | "unknown";
  /** Signed minors to the nearest allowed one; null when majors differ. */
  readonly minors: number | null;
  /** Signed patches; null when minors or majors differ, or the patches count in different channels. */
  readonly patches: number | null;
  /** The version counts patches in an LTS channel and was compared by its minor. */
  readonly ltsChannel: boolean;
}

/** First patch of the LTS channels: 1.31.100-akslts follows the last community patch of 1.31. */
const LTS_FIRST_PATCH = 100;

/** The signed distance of a reported core to the nearest core that the baseline allows. */
export function coreSkew(version: KubeVersion, baseline: Baseline): CoreSkew {
  const lts = isLtsPatch(version);
  if (baseline.kind === "range") return { ...rangeSkew(version, baseline, lts), ltsChannel: lts };
  const expected = baseline.version;
  const far = minorSkew(version, expected);
  if (far) return { ...far, ltsChannel: lts };
  const anyPatch = expected.patch === null || (lts && !isLtsPatch(expected));
  return { ...(anyPatch ? INSIDE : patchSkew(version, expected)), ltsChannel: lts };
}

type Skew = Omit<CoreSkew, "ltsChannel">;

const INSIDE: Skew = { direction: "inside", minors: 0, patches: 0 };

/** The skew when major or minor differ; undefined when only patches can. */
function minorSkew(version: KubeVersion, expected: Pick<Core, "major" | "minor">): Skew | undefined {
  if (version.major !== expected.major) {
    return { direction: version.major > expected.major ? "ahead" : "behind", minors: null, patches: null };
  }
  const minors = version.minor - expected.minor;
  return minors === 0 ? undefined : { direction: minors > 0 ? "ahead" : "behind", minors, patches: null };
}

function patchSkew(version: KubeVersion, expected: Pick<KubeVersion, "patch" | "suffix">): Skew {
  if (version.patch === null || expected.patch === null) return { direction: "unknown", minors: 0, patches: null };
  // A community patch against an LTS baseline: the channel is missing, the numbers say nothing.
  if (isLtsPatch(expected) && !isLtsPatch(version)) return { direction: "behind", minors: 0, patches: null };
  const patches = version.patch - expected.patch;
  return patches === 0 ? INSIDE : { direction: patches > 0 ? "ahead" : "behind", minors: 0, patches };
}

function rangeSkew(version: KubeVersion, range: Extract<Baseline, { kind: "range" }>, lts: boolean): Skew {
  const { lower, upper } = range;
  const patchDecides = (bound: Core | null): boolean => bound !== null && bound.patch > 0 && sameMinor(version, bound);
  // A bound inside the version's own minor compares patches: unknown ones cannot be judged, LTS ones count apart.
  const byPatch = patchDecides(lower) || patchDecides(upper);
  if (byPatch && version.patch === null) return { direction: "unknown", minors: 0, patches: null };
  if (byPatch && lts) return INSIDE;
  if (upper && compareCores(version, upper) >= 0) return aboveSkew(version, upper);
  if (!lower || compareCores(version, lower) >= 0) return INSIDE;
  const patches = (version.patch ?? 0) - lower.patch;
  return minorSkew(version, lower) ?? { direction: "behind", minors: 0, patches };
}

/** Distance to the highest allowed core below `upper`: one patch less, or any patch of the minor before. */
function aboveSkew(version: KubeVersion, upper: Core): Skew {
  if (upper.patch === 0) {
    if (upper.minor === 0 || version.major !== upper.major) return { direction: "ahead", minors: null, patches: null };
    return { direction: "ahead", minors: version.minor - (upper.minor - 1), patches: null };
  }
  return (
    minorSkew(version, upper) ?? { direction: "ahead", minors: 0, patches: (version.patch ?? 0) - (upper.patch - 1) }
  );
}

function sameMinor(a: Pick<Core, "major" | "minor">, b: Pick<Core, "major" | "minor">): boolean {
  return a.major === b.major && a.minor === b.minor;
}

function isLtsPatch(version: Pick<KubeVersion, "patch" | "suffix">): boolean {
  return version.suffix.kind === "lts" && (version.patch ?? 0) >= LTS_FIRST_PATCH;
}
