import { comparePreReleases } from "./parse-suffix.ts";
import type { KubeVersion } from "./parse-version.ts";

/**
 * Order of two versions by core, then pre-release before release: negative, 0 or positive. Vendor builds of one core are
 * equal here; a missing patch counts as 0. For sorting and for the newest and oldest of a set.
 */
export function compareVersions(a: KubeVersion, b: KubeVersion): number {
  return compareCores(a, b) || comparePreRelease(a, b);
}

/** Order of two cores, numbers as numbers: majors, minors, patches (none = 0). */
export function compareCores(
  a: Pick<KubeVersion, "major" | "minor" | "patch">,
  b: Pick<KubeVersion, "major" | "minor" | "patch">,
): number {
  return Math.sign(a.major - b.major || a.minor - b.minor || (a.patch ?? 0) - (b.patch ?? 0));
}

/** Order of the pre-release parts of two versions of one core: no pre-release is newest. */
export function comparePreRelease(a: KubeVersion, b: KubeVersion): number {
  const [left, right] = [a.suffix, b.suffix];
  if (left.kind === "pre-release" && right.kind === "pre-release") return comparePreReleases(left, right);
  if (left.kind === "pre-release") return -1;
  return right.kind === "pre-release" ? 1 : 0;
}
