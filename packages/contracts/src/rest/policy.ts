import { z } from "zod";

const Milliseconds = (least: number, most: number) => z.number().int().min(least).max(most);

/** What agents are told to do, by default. Lengths in milliseconds. */
export const AgentPolicy = z.object({
  /** How often usage is read. */
  sampleIntervalMs: Milliseconds(10_000, 300_000),
  /** How often opened and closed intervals are sent; running ones are sent again after `usageResendMs`. */
  usageFlushMs: Milliseconds(10_000, 300_000),
  usageResendMs: Milliseconds(60_000, 600_000),
  /** Longest time between two reports of what the cluster is; a change is reported at once. */
  reportIntervalMs: Milliseconds(10_000, 300_000),
});
export type AgentPolicy = z.infer<typeof AgentPolicy>;

/** `PUT /api/v1/policy`: what is not named stays as it is. */
export const AgentPolicyChange = AgentPolicy.partial();

/** `GET /api/v1/policy`. */
export const AgentPolicyAnswer = AgentPolicy.extend({
  /** Grows with every change; agents say which one they run. */
  revision: z.number().int(),
});
