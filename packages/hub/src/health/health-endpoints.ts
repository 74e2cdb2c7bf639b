import type { Clock } from "@plimsoll/collect";
import type { FastifyInstance } from "fastify";
import { type Check, runChecks } from "./health-checks.ts";

/** What each question checks. Alive: would a restart help? Ready: can it serve? */
export interface HealthDeps {
  readonly clock: Clock;
  readonly live: Readonly<Record<string, Check>>;
  readonly ready: Readonly<Record<string, Check>>;
}

const ACCESS = { verb: "read", noun: "health" } as const;

/** Adds `/livez` and `/readyz`: 200 or 503, with every check by name. */
export function addHealth(app: FastifyInstance, { clock, live, ready }: HealthDeps): void {
  for (const [path, checks] of [
    ["/livez", live],
    ["/readyz", ready],
  ] as const) {
    app.get(path, { config: { access: ACCESS } }, async (_, reply) => {
      const answer = await runChecks(checks, clock);
      return reply.status(answer.status === "ok" ? 200 : 503).send(answer);
    });
  }
}
