import { z } from "zod";
import { POLICY_RANGES } from "../policy-ranges.ts";

const within = ([least, most]: readonly [number, number]) => z.number().int().min(least).max(most);

/** What agents are told to do, by default. Lengths in milliseconds. */
export const AgentPolicy = z.object({
  /** How often usage is read. */
  sampleIntervalMs: within(POLICY_RANGES.sampleIntervalMs),
  /** How often opened and closed intervals are sent; running ones are sent again after `usageResendMs`. */
  usageFlushMs: within(POLICY_RANGES.usageFlushMs),
  usageResendMs: within(POLICY_RANGES.usageResendMs),
  /** Longest time between two reports of what the cluster is; a change is reported at once. */
  reportIntervalMs: within(POLICY_RANGES.reportIntervalMs),
  /** Bytes of an agent's spool; null = as it is set itself. */
  spoolMaxBytes: within(POLICY_RANGES.spoolMaxBytes).nullable(),
  /** Samples that wait longer are dropped; null = as the agent is set itself. */
  spoolMaxAgeSeconds: within(POLICY_RANGES.spoolMaxAgeSeconds).nullable(),
});
export type AgentPolicy = z.infer<typeof AgentPolicy>;

/** `PUT /api/v1/policy`: what is not named stays as it is. */
export const AgentPolicyChange = AgentPolicy.partial();

/** `GET /api/v1/policy`. */
export const AgentPolicyAnswer = AgentPolicy.extend({
  /** Grows with every change; agents say which one they run. */
  revision: z.number().int(),
});
