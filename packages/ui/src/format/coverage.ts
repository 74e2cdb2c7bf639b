import type { Coverage } from "@plimsoll/contracts/rest";

/** Covered share in percent with one decimal, rounded down: only what is whole is `100`. Null = nothing was expected. */
export function coveredPercent({ fraction }: Pick<Coverage, "fraction">): string | null {
  if (fraction === null) return null;
  return fraction === 1 ? "100%" : `${(Math.floor(Math.round(fraction * 1e6) / 1e3) / 10).toFixed(1)}%`;
}

/** A lost share in percent; never rounded to nothing. */
export function lostPercent(fraction: number): string {
  return fraction < 0.001 ? "<0.1%" : `${(fraction * 100).toFixed(1)}%`;
}
