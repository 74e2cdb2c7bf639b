import { type ScanReport, SEVERITIES, type Severity } from "@plimsoll/contracts";
import { EXIT } from "../exit-code.ts";

/** Exit code of a scan: nothing read → 1; something not read, or not fully → 4; a finding of `failOn` or worse → 3. */
export function scanExitCode(report: ScanReport, failOn: Severity | undefined): number {
  if (report.clusters.length > 0 && report.fleet.clustersRead === 0) return EXIT.failed;
  if (report.errors.length > 0) return EXIT.partial;
  return failOn !== undefined && hasFinding(report, failOn) ? EXIT.findings : EXIT.ok;
}

function hasFinding(report: ScanReport, failOn: Severity): boolean {
  const least = SEVERITIES.indexOf(failOn);
  return SEVERITIES.some((severity, index) => index >= least && report.fleet.findings[severity] > 0);
}
