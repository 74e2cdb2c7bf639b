import { PlimsollError } from "@plimsoll/contracts";
import type { FastifyInstance } from "fastify";
import { costEndpoints } from "../api/cost-endpoints.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { openApi } from "../api/openapi.ts";
import { addPage } from "../api/page-files.ts";
import { createServer, type ServerDeps } from "../api/server.ts";
import { auditEndpoints } from "../audit/audit-endpoints.ts";
import type { Checkpoints } from "../audit/checkpoints.ts";
import type { Policies } from "../channel/policies.ts";
import { policyEndpoints } from "../channel/policy-endpoints.ts";
import { streamEndpoints } from "../channel/stream-endpoints.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { coverageEndpoints } from "../coverage/coverage-endpoints.ts";
import { addHealth, type HealthDeps } from "../health/health-endpoints.ts";
import { identityEndpoints } from "../identity/identity-endpoints.ts";
import { fleetEndpoints } from "../inventory/fleet-endpoints.ts";
import { selectClusters } from "../inventory/select-clusters.ts";
import { openQuarantine } from "../ledger/quarantine.ts";
import { addMetrics, type HubMetrics } from "../metrics/hub-metrics.ts";
import type { PullLoop } from "../pull/pull-loop.ts";
import { quarantineEndpoints } from "../quarantine/quarantine-endpoints.ts";
import { type RegistrationDeps, registrationEndpoints } from "../registration/registration-endpoints.ts";
import type { ControlParts, HubBase, HubParts } from "./hub-parts.ts";
import { openPullEndpoints } from "./pull.ts";

/** What the REST port serves, besides the parts of the hub. */
export interface RestNeeds {
  readonly server: ServerDeps;
  /** Null where another process reads clusters. */
  readonly pull: PullLoop | null;
  readonly metrics: HubMetrics;
  readonly checkpoints: Checkpoints;
  readonly health: Omit<HealthDeps, "clock">;
  /** Where people and agents reach this hub: known once it listens. */
  readonly addresses: RegistrationDeps["addresses"];
}

/** The REST application with every route of this process; it does not listen yet. The page is where people are served. */
export async function buildRestApp(
  config: HubConfig,
  deps: HubDeps,
  parts: HubParts,
  needs: RestNeeds,
): Promise<FastifyInstance> {
  const { store, fleet, control } = parts;
  const endpoints = [
    ...(control ? controlEndpoints(config, deps, parts, control, needs) : []),
    ...streamEndpoints({ store, ...fleet }),
    ...quarantineOf(parts),
  ];
  const app = createServer(needs.server, endpoints);
  addHealth(app, { clock: needs.server.clock, ...needs.health });
  addMetrics(app, needs.metrics);
  const description = openApi(endpoints, config.version);
  app.get("/openapi.json", { config: { access: { verb: "read", noun: "schema" } } }, async () => description);
  if (control) await addPage(app, config.pageDir);
  return app;
}

/** Everybody may look; what goes through ingest is refused where that is another process. */
function quarantineOf({ store, fleet, control, ingest }: HubParts): readonly Endpoint[] {
  if (ingest) return quarantineEndpoints({ store, ...fleet, ...ingest });
  const refuse = async (): Promise<never> => {
    throw new PlimsollError("ingest_elsewhere", { url: control?.news?.url() ?? "an address that it has not told yet" });
  };
  const looking = { ingestEnvelope: refuse, replay: refuse };
  const endpoints = quarantineEndpoints({ store, ...fleet, quarantine: openQuarantine(store), ingest: looking });
  return endpoints.map((each) => (each.method === "GET" ? each : { ...each, run: refuse }));
}

/** Running intervals are told again after `usageResendMs`; on the way there they may wait for two flushes. */
function factsLateAfterMs({ pullIntervalMs }: HubConfig, policies: Policies): number {
  const { usageResendMs, usageFlushMs } = policies.current();
  return Math.max(usageResendMs, 3 * pullIntervalMs) + 2 * usageFlushMs + FACTS_LATE_MS;
}

/** And for as long be priced, milliseconds. */
const FACTS_LATE_MS = 60_000;

function controlEndpoints(
  config: HubConfig,
  deps: HubDeps,
  base: HubBase,
  { policies, costs, coverage, news }: ControlParts,
  { pull, addresses, checkpoints }: RestNeeds,
): readonly Endpoint[] {
  const { store, keys, fleet } = base;
  const { version: hubVersion, simulated, agentImage } = config;
  const pullFaultOf = (id: string) => (news ?? pull)?.faultOf(id) ?? null;
  const sources = { ...fleet, store, costs, pullFaultOf, factsLateAfterMs: () => factsLateAfterMs(config, policies) };
  const registration = { store, authority: keys.authority, hubVersion, simulated, agentImage, addresses, ...fleet };
  return [
    ...fleetEndpoints(sources),
    ...openPullEndpoints(config, deps, base, sources, pull),
    ...costEndpoints(costs),
    ...coverageEndpoints(coverage),
    ...registrationEndpoints(registration),
    ...policyEndpoints(policies),
    ...identityEndpoints({ tokens: keys.tokens, registry: fleet.registry, select: selectClusters(fleet.registry) }),
    ...auditEndpoints({ store, registry: fleet.registry, checkpointKey: keys.checkpointKey, checkpoints }),
  ];
}
