import { PlimsollError } from "@plimsoll/contracts";
import { compareCores } from "./compare-versions.ts";
import { type KubeVersion, parseVersion } from "./parse-version.ts";

/** One end of a range, as a core: `lower` is the lowest allowed core, `upper` the lowest core that is too high. */
export interface Core {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** What a baseline expects: one core, any patch of one minor, or a half-open range of cores. */
export type Baseline =
  | { readonly kind: "exact"; readonly version: KubeVersion }
  | { readonly kind: "minor"; readonly version: KubeVersion }
  | { readonly kind: "range"; readonly lower: Core | null; readonly upper: Core | null };

const COMPARATOR = /^(>=|<=|>|<|=)(.+)$/;

/**
 * Parses a baseline: "1.28.3", "1.28", ">=1.29 <1.31" (also with commas). Blank = undefined: no baseline. Throws
 * `baseline_invalid` for anything else and for ranges that allow nothing.
 */
export function parseBaseline(text: string): Baseline | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (/^[<>=]/.test(trimmed)) return parseRange(trimmed);
  const version = parseVersion(trimmed);
  if (!version) throw new PlimsollError("baseline_invalid", { field: "baseline", value: text });
  return { kind: version.patch === null ? "minor" : "exact", version };
}

function parseRange(text: string): Baseline {
  const invalid = (): PlimsollError => new PlimsollError("baseline_invalid", { field: "baseline", value: text });
  let lower: Core | null = null;
  let upper: Core | null = null;
  for (const part of text.replace(/([<>=])\s+/g, "$1").split(/[\s,]+/)) {
    const [, operator, operand] = COMPARATOR.exec(part) ?? [];
    const version = operand === undefined ? undefined : parseVersion(operand);
    if (operator === undefined || !version || version.suffix.kind !== "none") throw invalid();
    const bounds = boundsOf(operator, version);
    if (bounds.lower && (!lower || compareCores(bounds.lower, lower) > 0)) lower = bounds.lower;
    if (bounds.upper && (!upper || compareCores(bounds.upper, upper) < 0)) upper = bounds.upper;
  }
  if (lower && upper && compareCores(lower, upper) >= 0) throw invalid();
  return { kind: "range", lower, upper };
}

/** "<=1.30" allows every patch of 1.30, ">1.30" none of them: a minor alone stands for all its patches. */
function boundsOf(operator: string, version: KubeVersion): { lower?: Core; upper?: Core } {
  const { major, minor, patch } = version;
  const first = { major, minor, patch: patch ?? 0 };
  const after = patch === null ? { major, minor: minor + 1, patch: 0 } : { major, minor, patch: patch + 1 };
  if (operator === ">=") return { lower: first };
  if (operator === ">") return { lower: after };
  if (operator === "<") return { upper: first };
  if (operator === "<=") return { upper: after };
  return { lower: first, upper: after };
}
