import type { ClusterFacts } from "@plimsoll/contracts";
import { compareVersions } from "../versions/compare-versions.ts";
import { parseVersion } from "../versions/parse-version.ts";

/** Versions that the API servers answered, blanks left out, oldest first; what is no version comes last. Empty = unknown. */
export function serverVersions(facts: ClusterFacts): readonly string[] {
  if (!facts.serverVersions.known) return [];
  const texts = [...new Set(facts.serverVersions.value.filter((text) => text.trim() !== ""))];
  return texts.sort((a, b) => {
    const [left, right] = [parseVersion(a), parseVersion(b)];
    if (left && right) return compareVersions(left, right) || (a < b ? -1 : 1);
    if (!left && !right) return a < b ? -1 : 1;
    return left ? -1 : 1;
  });
}
