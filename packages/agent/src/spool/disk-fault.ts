/** How the disk takes what is written: `full` = it has no room (or no quota left), `failing` = read-only, or broken. */
export type DiskState = "ok" | "full" | "failing";

const FULL_CODES = ["ENOSPC", "EDQUOT"];

/** Did a write fail for want of room? */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && FULL_CODES.includes(String(error.code))) return true;
  return error.cause !== undefined && isDiskFull(error.cause);
}
