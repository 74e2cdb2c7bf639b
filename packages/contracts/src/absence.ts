import type { ErrorCode } from "./error-table.ts";

const ABSENCES: ReadonlySet<string> = new Set<ErrorCode>([
  "usage_not_served",
  "dump_usage_missing",
  "dump_version_missing",
]);

/**
 * Does the code say that something was not there to be read (no metrics-server), as against that it could not be read? Then
 * its figures are unknown and a finding tells it, but the answer is whole: no error, no exit code 4.
 */
export function tellsAbsence(code: string): boolean {
  return ABSENCES.has(code);
}
