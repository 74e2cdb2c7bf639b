import { z } from "zod";
import { fleetAnswer, Instant } from "./common.ts";

/**
 * How much of what should be known of a time is known, and why the rest is not: covered + Σ lost = expected, exactly. It
 * stands beside every figure of an hour. `fraction` is 1 only when nothing is missing, and null when nothing was expected.
 */
export const Coverage = z.object({
  fraction: z.number().min(0).max(1).nullable(),
  coveredMs: z.number().int().nonnegative(),
  expectedMs: z.number().int().nonnegative(),
  /** The largest first. `pending` is on its way, and no loss so far. */
  reasons: z.array(
    z.object({
      /** `agent_down`, `spool_full`, `pending` …; a later release may know more. */
      reason: z.string(),
      lostMs: z.number().int().positive(),
      /** Of what was expected, 0–1. */
      fraction: z.number().min(0).max(1),
    }),
  ),
});
export type Coverage = z.infer<typeof Coverage>;

/** `GET /api/v1/coverage`: hours of a half-open UTC window, of one cluster (id or name) or of all. */
export const CoverageQuery = z.object({
  /** As of cost: `24h`, `7d`, `today`, `yesterday`, or two RFC 3339 instants joined by a comma. */
  window: z.string().default("24h"),
  cluster: z.string().optional(),
  /** Of which facts: those that cost and usage are made of, or the samples behind watermarks. */
  facts: z.enum(["usage", "samples"]).default("usage"),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
  cursor: z.string().optional(),
});
export type CoverageQuery = z.infer<typeof CoverageQuery>;

/** One hour of one cluster. Hours of which nothing was expected (it was not registered yet) are left out. */
export const CoverageHour = z.object({ cluster: z.string(), clusterId: z.string(), hour: Instant, coverage: Coverage });
export type CoverageHour = z.infer<typeof CoverageHour>;

export const CoverageAnswer = fleetAnswer(CoverageHour).extend({
  window: z.object({ start: Instant, end: Instant }),
  /** Of all clusters and hours together, also of those on other pages. */
  coverage: Coverage,
  clusters: z.array(z.object({ cluster: z.string(), clusterId: z.string(), coverage: Coverage })),
});
export type CoverageAnswer = z.infer<typeof CoverageAnswer>;
