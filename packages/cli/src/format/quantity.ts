import type { ResourceUnit } from "@plimsoll/contracts";
import { UNKNOWN } from "./unknown.ts";

const WHOLE = new Intl.NumberFormat("en-US");
const TENTHS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const BINARY = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;

/** A quantity for reading, unit named: `"62.5 cores"`, `"71.4 GiB"`, `"8"`. One decimal at most; unknown → `"–"`. */
export function formatQuantity(unit: ResourceUnit, value: bigint | null): string {
  if (value === null) return UNKNOWN;
  if (unit === "millicores") return formatCores(value);
  return unit === "bytes" ? formatBytes(value) : WHOLE.format(value);
}

/** The same quantity digit for digit in its published unit: `"76,772,540,416 bytes"`. For hovers and footnotes. */
export function formatExactQuantity(unit: ResourceUnit, value: bigint | null): string {
  if (value === null) return "unknown";
  return unit === "count" ? WHOLE.format(value) : `${WHOLE.format(value)} ${unit}`;
}

/** A count with thousands separators; unknown → `"–"`. */
export function formatCount(value: number | bigint | null): string {
  return value === null ? UNKNOWN : WHOLE.format(value);
}

function formatCores(millicores: bigint): string {
  if (millicores !== 0n && millicores > -100n && millicores < 100n) return `${millicores} millicores`;
  const text = TENTHS.format(Number(millicores) / 1000);
  return `${text} ${text === "1" ? "core" : "cores"}`;
}

function formatBytes(bytes: bigint): string {
  let power = 0;
  let scaled = Number(bytes);
  while (Math.abs(scaled) >= 1024 && power < BINARY.length - 1) {
    scaled /= 1024;
    power += 1;
  }
  return `${TENTHS.format(scaled)} ${BINARY[power]}`;
}
