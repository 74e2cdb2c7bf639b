import { parseMoney } from "@plimsoll/contracts";

/**
 * Shares of a cost in whole percents, `"28%"`, in the order of `parts` (exact decimals). They are rounded by largest
 * remainder, so that the shares of parts that make up `whole` add up to 100, with each `"<1%"` (more than nothing, less than
 * one) as 0 or 1. Empty texts where there is no whole.
 */
export function costShares(parts: readonly string[], whole: string): readonly string[] {
  const total = parseMoney(whole) ?? 0n;
  if (total <= 0n) return parts.map(() => "");
  const exact = parts.map((text) => (parseMoney(text) ?? 0n) * 100n);
  const percents = exact.map((hundredfold) => hundredfold / total);
  const sum = exact.reduce((one, other) => one + other, 0n);
  const missing = (sum + total / 2n) / total - percents.reduce((one, other) => one + other, 0n);
  const remainder = (index: number) => (exact[index] ?? 0n) % total;
  const byRemainder = [...parts.keys()].sort((a, b) => Number(remainder(b) - remainder(a)));
  for (const index of byRemainder.slice(0, Number(missing))) percents[index] = (percents[index] ?? 0n) + 1n;
  return percents.map((percent, index) => (isBelowOne(exact[index] ?? 0n, total) ? "<1%" : `${percent}%`));
}

/** The shares of workloads, idle and system in the total of nodes. */
export function hourlyShares(hourly: Readonly<Record<"workloads" | "idle" | "system" | "total", string>>) {
  const { workloads, idle, system, total } = hourly;
  const [ofWorkloads = "", ofIdle = "", ofSystem = ""] = costShares([workloads, idle, system], total);
  return { workloads: ofWorkloads, idle: ofIdle, system: ofSystem };
}

function isBelowOne(hundredfold: bigint, total: bigint): boolean {
  return hundredfold > 0n && hundredfold < total;
}
