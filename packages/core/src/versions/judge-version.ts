import { comparePreRelease } from "./compare-versions.ts";
import { type CoreSkew, coreSkew } from "./core-skew.ts";
import type { Baseline } from "./parse-baseline.ts";
import { compareBuilds } from "./parse-suffix.ts";
import { type KubeVersion, readVersion } from "./parse-version.ts";

/** `ahead`, `behind`, `pre-release` and `vendor-build` are the reasons of non-compliance; the last four are counted apart. */
export type VersionVerdictName =
  | "compliant"
  | "ahead"
  | "behind"
  | "pre-release"
  | "vendor-build"
  | "unparseable"
  | "no-data"
  | "no-baseline";

/** What else is worth saying beside a verdict. */
export type VersionNote =
  | "vendor-build"
  | "vendor-build-differs"
  | "vendor-build-newer"
  | "vendor-build-older"
  | "unknown-vendor"
  | "lts-channel"
  | "patch-not-reported";

/** Verdict of one reported version against one baseline; signed skew, null = not defined. */
export interface VersionVerdict {
  readonly verdict: VersionVerdictName;
  readonly skewMinor: number | null;
  readonly skewPatch: number | null;
  readonly notes: readonly VersionNote[];
}

/** What a baseline may raise or relax. */
export interface BaselineOptions {
  /** A pre-release whose core is allowed is compliant. */
  readonly allowPreReleases?: boolean;
  /** The vendor build of an exact baseline is required, not only noted. */
  readonly requireVendorBuild?: boolean;
}

/** Judges a reported version against a baseline (undefined = none matches). Missing is never compliant. */
export function judgeVersion(
  reported: string | null | undefined,
  baseline: Baseline | undefined,
  options: BaselineOptions = {},
): VersionVerdict {
  if (!baseline) return { ...UNDEFINED_SKEW, verdict: "no-baseline" };
  const reading = readVersion(reported);
  if (reading.status !== "parsed") return { ...UNDEFINED_SKEW, verdict: reading.status };
  const { version } = reading;
  const skew = coreSkew(version, baseline);
  const notes = notesOf(version, baseline, skew);
  if (skew.direction === "unknown") {
    return { verdict: "no-data", skewMinor: skew.minors, skewPatch: skew.patches, notes };
  }
  const verdict = skew.direction === "inside" ? insideVerdict(version, baseline, options) : skew.direction;
  return { verdict, skewMinor: skew.minors, skewPatch: skew.patches, notes };
}

const UNDEFINED_SKEW = { skewMinor: null, skewPatch: null, notes: [] } as const;

/** The core is what the baseline allows: what remains are pre-releases and, where required, vendor builds. */
function insideVerdict(version: KubeVersion, baseline: Baseline, options: BaselineOptions): VersionVerdictName {
  const expected = baseline.kind === "exact" ? baseline.version : undefined;
  if (expected?.suffix.kind === "pre-release") {
    const order = comparePreRelease(version, expected);
    if (order !== 0) return order > 0 ? "ahead" : "behind";
  } else if (version.suffix.kind === "pre-release" && !options.allowPreReleases) {
    return "pre-release";
  }
  if (options.requireVendorBuild && expected) return requiredBuildVerdict(version, expected);
  return "compliant";
}

function requiredBuildVerdict(version: KubeVersion, expected: KubeVersion): VersionVerdictName {
  if (sameSuffix(version, expected)) return "compliant";
  const order = compareBuilds(version.suffix, expected.suffix);
  if (order === null) return "vendor-build";
  return order > 0 ? "ahead" : "behind";
}

function notesOf(version: KubeVersion, baseline: Baseline, skew: CoreSkew): readonly VersionNote[] {
  const notes: VersionNote[] = [];
  if (skew.ltsChannel) notes.push("lts-channel");
  if (version.patch === null) notes.push("patch-not-reported");
  const build = buildNote(version, baseline.kind === "range" ? undefined : baseline.version);
  if (build) notes.push(build);
  return notes;
}

function buildNote(version: KubeVersion, expected: KubeVersion | undefined): VersionNote | undefined {
  const { kind } = version.suffix;
  const order = expected ? compareBuilds(version.suffix, expected.suffix) : null;
  if (order !== null) return order === 0 ? undefined : order > 0 ? "vendor-build-newer" : "vendor-build-older";
  if (expected && hasBuild(expected)) return sameSuffix(version, expected) ? undefined : "vendor-build-differs";
  if (kind === "unknown") return "unknown-vendor";
  return hasBuild(version) ? "vendor-build" : undefined;
}

function hasBuild(version: KubeVersion): boolean {
  return version.suffix.kind === "vendor-build" || version.suffix.kind === "hash";
}

function sameSuffix(a: KubeVersion, b: KubeVersion): boolean {
  return JSON.stringify(a.suffix) === JSON.stringify(b.suffix);
}
