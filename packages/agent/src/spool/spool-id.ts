import { randomBytes } from "node:crypto";

/** A new spool id (UUIDv7) that sorts after every one of `before`, whatever the clock says. */
export function newSpoolId(nowMs: number, before: readonly string[]): string {
  const latest = Math.max(0, ...before.map(timeOf));
  const time = Math.max(Math.floor(nowMs), latest + 1)
    .toString(16)
    .padStart(12, "0")
    .slice(-12);
  const bytes = randomBytes(10);
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70;
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80;
  const hex = time + bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace("-", ""), 16) || 0;
}
