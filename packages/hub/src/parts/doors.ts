import type { AddressInfo } from "node:net";
import { costEndpoints } from "../api/cost-endpoints.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { openApi } from "../api/openapi.ts";
import { addPage } from "../api/page-files.ts";
import { createServer } from "../api/server.ts";
import { AuditBudget } from "../audit/audit-budget.ts";
import { type Channel, openChannel } from "../channel/channel.ts";
import { policyEndpoints } from "../channel/policy-endpoints.ts";
import type { Closers } from "../config/closers.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { listenFault } from "../config/listen-fault.ts";
import { addHealth } from "../health/health-endpoints.ts";
import { watchLoop } from "../health/loop-watch.ts";
import { fleetEndpoints } from "../inventory/fleet-endpoints.ts";
import { addMetrics, createMetrics, type HubMetrics } from "../metrics/hub-metrics.ts";
import { CONTROL_SERVER_NAME, registrationEndpoints } from "../registration/registration-endpoints.ts";
import type { Store } from "../store/store.ts";
import { controlAddress, restUrl, serverNames } from "./addresses.ts";
import type { Facts } from "./facts.ts";
import type { Fleet } from "./fleet.ts";
import type { HubKeys } from "./keys.ts";
import { openPull, type Pull } from "./pull.ts";
import { openRestTls } from "./rest-tls.ts";

/** The parts behind the doors. */
export interface HubParts {
  readonly store: Store;
  readonly keys: HubKeys;
  readonly fleet: Fleet;
  readonly facts: Facts;
}

/** The two ports of a hub: one for people, one for agents. */
export interface Doors {
  readonly url: string;
  readonly controlAddress: string;
  /** File of the CA that signs the REST port's certificate; null = plain HTTP, or another's certificate. */
  readonly caFile: string | null;
}

/** Opens both ports; agents' first, for whoever joins is told its address. */
export async function openDoors(config: HubConfig, deps: HubDeps, parts: HubParts, closers: Closers): Promise<Doors> {
  const audit = new AuditBudget(parts.store, deps.clock, deps.log);
  const metrics = metricsOf(parts, audit);
  const channel = await openAgentsPort(config, deps, parts, metrics);
  closers.add("agents' port", () => channel.stop());
  const control = controlAddress(config, channel.port);
  let url = "";
  const pull = openPull(config, deps, parts, metrics, closers);
  const endpoints = endpointsOf(config, parts, pull, () => ({ url, control }));
  const tls = await openRestTls(config, parts.keys.authority, deps.clock.now());
  const { actorOf } = parts.keys.admin;
  const app = createServer(
    { ...deps, actorOf, refusals: audit, onAnswer: metrics.answered, tls: tls?.pair ?? null },
    endpoints,
  );
  closers.add("REST port", () => app.close());
  const loop = watchLoop();
  closers.add("loop watch", () => loop.stop());
  addHealth(app, { clock: deps.clock, live: { process: loop.check }, ready: readyChecks(parts, channel) });
  addMetrics(app, metrics);
  const description = openApi(endpoints, config.version);
  app.get("/openapi.json", { config: { access: { verb: "read", noun: "schema" } } }, async () => description);
  await addPage(app, endpoints, config.pageDir);
  const port = await listen(app, config);
  url = restUrl(config, port, tls !== null);
  return { url, controlAddress: control, caFile: tls?.caFile ?? null };
}

function endpointsOf(
  config: HubConfig,
  { store, keys, fleet, facts }: HubParts,
  pull: Pull,
  addresses: () => { readonly url: string; readonly control: string },
): readonly Endpoint[] {
  const { version: hubVersion, simulated, agentImage } = config;
  const registration = { store, authority: keys.authority, hubVersion, simulated, agentImage, addresses, ...fleet };
  const sources = { ...fleet, costs: facts.costs, pullFaultOf: (id: string) => pull.loop.faultOf(id) };
  return [
    ...fleetEndpoints(sources),
    ...pull.endpoints(sources),
    ...costEndpoints(facts.costs),
    ...registrationEndpoints(registration),
    ...policyEndpoints(fleet.policies),
  ];
}

async function openAgentsPort(
  config: HubConfig,
  { clock, log }: HubDeps,
  { store, keys, fleet, facts }: HubParts,
  metrics: HubMetrics,
): Promise<Channel> {
  const { authority } = keys;
  const names = [CONTROL_SERVER_NAME, ...serverNames(config)];
  const { certificate, key } = await authority.issueServer(names, clock.now());
  const { ingest } = facts;
  const streams = { store, ...fleet, ingest, clock, log, onRefused: metrics.refused };
  return openChannel(
    { ...streams, hubVersion: config.version, beatMs: config.beatMs },
    { host: config.controlHost ?? config.host, port: config.controlPort },
    { certificate, key, clientAuthority: authority.certificate },
  );
}

function metricsOf({ fleet, facts }: HubParts, audit: AuditBudget): HubMetrics {
  const { registry, liveness, sessions } = fleet;
  return createMetrics({
    connectivity: () => {
      const states = Map.groupBy(registry.list("all"), ({ id }) => liveness.of(id).state);
      return Object.fromEntries([...states].map(([state, members]) => [state, members.length]));
    },
    streams: () => ({ control: sessions.controlCount, ingest: sessions.dataCount }),
    batches: () => facts.ingest.figures().batches,
    rows: () => facts.ingest.figures().rows,
    waitingBytes: () => facts.ingest.figures().waitingBytes,
    refusalsLeftOut: () => audit.leftOut,
  });
}

function readyChecks({ store, fleet, facts }: HubParts, channel: Channel) {
  return {
    store: async () => {
      await store.db.selectFrom("settings").select("key").limit(1).execute();
      return store.dialect;
    },
    registry: () => `${fleet.registry.list("all").length} clusters`,
    agents: channel.check,
    ingest: () => {
      const { commits, waitingBytes } = facts.ingest.figures();
      return `${commits} commits, ${waitingBytes} bytes wait`;
    },
  };
}

async function listen(app: ReturnType<typeof createServer>, { host, port }: HubConfig): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenFault(`${host}:${port}`, error);
  }
  return addressOf(app.server.address());
}

function addressOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
