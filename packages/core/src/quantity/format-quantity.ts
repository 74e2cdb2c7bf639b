import type { QuantityNanos } from "@plimsoll/contracts";

const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"] as const;
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;
const NANOS = 1_000_000_000n;

/**
 * A quantity as Kubernetes writes it: the largest suffix that leaves a whole number (`1500000000n` → "1500m"). With
 * "binary", whole values from 1024 up take Ki, Mi … ("1536Mi"); anything else falls back to the decimal form.
 */
export function formatQuantity(nanos: QuantityNanos, style: "decimal" | "binary" = "decimal"): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const binary = style === "binary" && magnitude % NANOS === 0n && magnitude >= 1024n * NANOS;
  const text = binary
    ? reduce(magnitude / NANOS, 1024n, BINARY_SUFFIXES)
    : magnitude === 0n
      ? "0"
      : reduce(magnitude, 1000n, DECIMAL_SUFFIXES);
  return nanos < 0n ? `-${text}` : text;
}

function reduce(value: bigint, base: bigint, suffixes: readonly string[]): string {
  let rest = value;
  let step = 0;
  while (step < suffixes.length - 1 && rest % base === 0n) {
    rest /= base;
    step += 1;
  }
  return `${rest}${suffixes[step] ?? ""}`;
}
