/**
 * Least and most of each value of a policy, for the hub that takes it and the agent that applies it. Source: metering rules 4
 * ("settable 10 s–5 min"), inventory rules ("≤ 5 min").
 */
export const POLICY_RANGES = {
  sampleIntervalMs: [10_000, 300_000],
  usageFlushMs: [10_000, 300_000],
  usageResendMs: [60_000, 600_000],
  reportIntervalMs: [10_000, 300_000],
  spoolMaxBytes: [16 * 1024 * 1024, 1024 ** 4],
  spoolMaxAgeSeconds: [3_600, 366 * 86_400],
} as const;
