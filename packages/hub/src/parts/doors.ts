import type { FastifyInstance } from "fastify";
import { AuditBudget } from "../audit/audit-budget.ts";
import { type Channel, openChannel } from "../channel/channel.ts";
import { HelloBudget } from "../channel/hello-budget.ts";
import type { Closers } from "../config/closers.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { listenFault } from "../config/listen-fault.ts";
import { watchLoop } from "../health/loop-watch.ts";
import { authorize } from "../identity/authorize.ts";
import { createMetrics, type HubMetrics } from "../metrics/hub-metrics.ts";
import { CONTROL_SERVER_NAME } from "../registration/registration-endpoints.ts";
import { controlAddress, restUrl, serverNames } from "./addresses.ts";
import type { HubParts } from "./hub-parts.ts";
import { openPull } from "./pull.ts";
import { buildRestApp } from "./rest-app.ts";
import { openRestTls } from "./rest-tls.ts";

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
  const pull = openPull(config, deps, parts, metrics, closers);
  const tls = await openRestTls(config, parts.keys.authority, deps.clock.now());
  const loop = watchLoop();
  closers.add("loop watch", () => loop.stop());
  const control = controlAddress(config, channel.port);
  let url = "";
  const { actorOf } = parts.keys.admin;
  const { clock, log } = deps;
  const app = await buildRestApp(config, parts, {
    server: { clock, log, actorOf, authorize, refusals: audit, onAnswer: metrics.answered, tls: tls?.pair ?? null },
    pull,
    metrics,
    health: { live: { process: loop.check }, ready: readyChecks(parts, channel) },
    addresses: () => ({ url, control }),
  });
  closers.add("REST port", () => app.close());
  url = restUrl(config, await listen(app, config), tls !== null);
  return { url, controlAddress: control, caFile: tls?.caFile ?? null };
}

async function openAgentsPort(
  config: HubConfig,
  { clock, random, log }: HubDeps,
  { store, keys, fleet, facts }: HubParts,
  metrics: HubMetrics,
): Promise<Channel> {
  const { authority } = keys;
  const names = [CONTROL_SERVER_NAME, ...serverNames(config)];
  const { certificate, key } = await authority.issueServer(names, clock.now());
  const { ingest } = facts;
  const hellos = { control: new HelloBudget(clock), ingest: new HelloBudget(clock) };
  const streams = { store, ...fleet, ingest, clock, random, log, hellos, onRefused: metrics.refused };
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

async function listen(app: FastifyInstance, { host, port }: HubConfig): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenFault(`${host}:${port}`, error);
  }
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
