import type { Coverage as CoverageView } from "@plimsoll/contracts/rest";
import { type Coverage, coverageFraction, lostFractions } from "@plimsoll/core";

/** A coverage as the API shows it. */
export function presentCoverage(coverage: Coverage): CoverageView {
  const { coveredMs, expectedMs } = coverage;
  return {
    fraction: coverageFraction(coverage),
    coveredMs,
    expectedMs,
    reasons: lostFractions(coverage).map(({ reason, lostMs, fraction }) => ({ reason, lostMs, fraction })),
  };
}
