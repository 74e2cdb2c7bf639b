import { PlimsollError } from "@plimsoll/contracts";
import { compareCores } from "./compare-versions.ts";
import { type KubeVersion, parseVersion } from "./parse-version.ts";

/** One end of a range. */
export interface Core {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** What a baseline expects: one core, any patch of one minor, or a range of cores from `lower` to before `upper`. */
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
  const parts = text.replace(/([<>=])\s+/g, "$1").split(/[\s,]+/);
  const bounds = parts.filter((part) => part !== "").map((part) => parseBound(part));
  const lower = tightest(bounds, "lower");
  const upper = tightest(bounds, "upper");
  const empty = lower !== null && upper !== null && compareCores(lower, upper) >= 0;
  if (bounds.includes(undefined) || empty)
    throw new PlimsollError("baseline_invalid", { field: "baseline", value: text });
  return { kind: "range", lower, upper };
}

interface Bounds {
  readonly lower?: Core;
  readonly upper?: Core;
}

/** The highest of all lower bounds, or the lowest of all upper ones; null where there is none. */
function tightest(bounds: readonly (Bounds | undefined)[], end: "lower" | "upper"): Core | null {
  const cores = bounds.flatMap((bound) => bound?.[end] ?? []).sort(compareCores);
  return (end === "lower" ? cores.at(-1) : cores[0]) ?? null;
}

function parseBound(part: string): Bounds | undefined {
  const [, operator = "", operand = ""] = COMPARATOR.exec(part) ?? [];
  const version = parseVersion(operand);
  return version?.suffix.kind === "none" ? boundsOf(operator, version) : undefined;
}

/** "<=1.30" allows every patch of 1.30, ">1.30" none of them: a minor alone stands for all its patches. */
function boundsOf(operator: string, version: KubeVersion): Bounds {
  const { major, minor, patch } = version;
  const first = { major, minor, patch: patch ?? 0 };
  const after = patch === null ? { major, minor: minor + 1, patch: 0 } : { major, minor, patch: patch + 1 };
  if (operator === ">=") return { lower: first };
  if (operator === ">") return { lower: after };
  if (operator === "<") return { upper: first };
  if (operator === "<=") return { upper: after };
  return { lower: first, upper: after };
}
