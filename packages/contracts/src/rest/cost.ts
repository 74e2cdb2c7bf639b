import { z } from "zod";
import { fleetAnswer, Instant, Money } from "./common.ts";
import { Coverage } from "./coverage.ts";

/** `GET /api/v1/cost`: half-open UTC window, aggregated by one or more keys joined by commas. */
export const CostQuery = z.object({
  /** `24h`, `7d`, `today`, `yesterday`, or two RFC 3339 instants joined by a comma. */
  window: z.string().default("24h"),
  /** cluster, namespace, workload, node, cost-center, env, owner-team, label:KEY; several joined by commas. */
  aggregate: z.string().default("cluster"),
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
});
export type CostQuery = z.infer<typeof CostQuery>;

/** One group of a cost answer. Missing keys are `__unallocated__`; idle and system stand under `__idle__`, `__system__`. */
export const CostRow = z.object({
  key: z.record(z.string(), z.string()),
  cpu: Money,
  memory: Money,
  gpu: Money,
  total: Money,
  currency: z.string(),
  /** Of the clusters that it is of, in the window. */
  coverage: Coverage,
});
export type CostRow = z.infer<typeof CostRow>;

export const CostAnswer = fleetAnswer(CostRow).extend({
  window: z.object({ start: Instant, end: Instant }),
  currency: z.string(),
  /** Sum of all groups, also of those beyond `limit`. */
  sum: Money,
  /** Of all clusters that were asked for, in the window. */
  coverage: Coverage,
  priceSource: z.string(),
  /** Hours that are still running are part of the answer up to this instant. */
  upTo: Instant,
});
export type CostAnswer = z.infer<typeof CostAnswer>;
