import type { FastifyInstance } from "fastify";
import { costEndpoints } from "../api/cost-endpoints.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { openApi } from "../api/openapi.ts";
import { addPage } from "../api/page-files.ts";
import { createServer, type ServerDeps } from "../api/server.ts";
import { policyEndpoints } from "../channel/policy-endpoints.ts";
import { streamEndpoints } from "../channel/stream-endpoints.ts";
import type { HubConfig } from "../config/hub-config.ts";
import { coverageEndpoints } from "../coverage/coverage-endpoints.ts";
import { addHealth, type HealthDeps } from "../health/health-endpoints.ts";
import { fleetEndpoints } from "../inventory/fleet-endpoints.ts";
import { addMetrics, type HubMetrics } from "../metrics/hub-metrics.ts";
import { quarantineEndpoints } from "../quarantine/quarantine-endpoints.ts";
import { registrationEndpoints } from "../registration/registration-endpoints.ts";
import type { HubParts } from "./hub-parts.ts";
import type { Pull } from "./pull.ts";

/** What the REST port serves, besides the parts of the hub. */
export interface RestNeeds {
  readonly server: ServerDeps;
  readonly pull: Pull;
  readonly metrics: HubMetrics;
  readonly health: Omit<HealthDeps, "clock">;
  /** Where people and agents reach this hub: known once it listens. */
  readonly addresses: () => { readonly url: string; readonly control: string };
}

/** The REST application with every route of the hub; it does not listen yet. */
export async function buildRestApp(config: HubConfig, parts: HubParts, needs: RestNeeds): Promise<FastifyInstance> {
  const endpoints = endpointsOf(config, parts, needs);
  const app = createServer(needs.server, endpoints);
  addHealth(app, { clock: needs.server.clock, ...needs.health });
  addMetrics(app, needs.metrics);
  const description = openApi(endpoints, config.version);
  app.get("/openapi.json", { config: { access: { verb: "read", noun: "schema" } } }, async () => description);
  await addPage(app, config.pageDir);
  return app;
}

function endpointsOf(
  config: HubConfig,
  { store, keys, fleet, facts }: HubParts,
  needs: RestNeeds,
): readonly Endpoint[] {
  const { pull, addresses } = needs;
  const { version: hubVersion, simulated, agentImage } = config;
  const sources = { ...fleet, store, costs: facts.costs, pullFaultOf: (id: string) => pull.loop.faultOf(id) };
  const registration = { store, authority: keys.authority, hubVersion, simulated, agentImage, addresses, ...fleet };
  return [
    ...fleetEndpoints(sources),
    ...pull.endpoints(sources),
    ...costEndpoints(facts.costs),
    ...coverageEndpoints(facts.coverage),
    ...registrationEndpoints(registration),
    ...policyEndpoints(fleet.policies),
    ...streamEndpoints({ store, ...fleet }),
    ...quarantineEndpoints({ store, ...fleet, ...facts }),
  ];
}
