import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "../api/server.ts";
import { AuditBudget } from "../audit/audit-budget.ts";
import { createCheckpoints } from "../audit/checkpoints.ts";
import { ReadJournal } from "../audit/read-journal.ts";
import { type Channel, openChannel, type Served } from "../channel/channel.ts";
import { HelloBudget } from "../channel/hello-budget.ts";
import type { Closers } from "../config/closers.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { listenFault } from "../config/listen-fault.ts";
import { watchLoop } from "../health/loop-watch.ts";
import { authorize } from "../identity/authorize.ts";
import { createIdentify } from "../identity/identify.ts";
import { selectClusters } from "../inventory/select-clusters.ts";
import { fleetMetrics } from "../metrics/fleet-metrics.ts";
import { createMetrics, type HubMetrics } from "../metrics/hub-metrics.ts";
import { CONTROL_SERVER_NAME } from "../registration/registration-endpoints.ts";
import { controlAddress, restUrl, serverNames } from "./addresses.ts";
import { announceIngest } from "./announce-ingest.ts";
import type { HubParts } from "./hub-parts.ts";
import { openPullLoop } from "./pull.ts";
import { buildRestApp } from "./rest-app.ts";
import { openRestTls } from "./rest-tls.ts";

/** The two ports of a hub: one for people, one for agents. */
export interface Doors {
  readonly url: string;
  /** `host:port` of the streams of agents, those that this process serves. */
  readonly controlAddress: string;
  /** File of the CA that signs the REST port's certificate; null = plain HTTP, or another's certificate. */
  readonly caFile: string | null;
}

/** Opens both ports; agents' first, for whoever joins is told its address. */
export async function openDoors(config: HubConfig, deps: HubDeps, parts: HubParts, closers: Closers): Promise<Doors> {
  const audit = new AuditBudget(parts.store, deps.clock, deps.log);
  const metrics = metricsOf(config, deps, parts, audit);
  const channel = await openAgentsPort(config, deps, parts, metrics);
  closers.add("agents' port", () => channel.stop());
  const { control, ingest } = parts;
  const pull = ingest && openPullLoop(config, deps, parts, ingest.ingest, metrics, closers);
  const agentsAddress = controlAddress(config, channel.port);
  control?.news?.onMove(() => channel.tellPolicy());
  const tls = await openRestTls(config, parts.keys.authority, deps.clock.now());
  const loop = watchLoop();
  closers.add("loop watch", () => loop.stop());
  let url = "";
  const { clock, log } = deps;
  const actorOf = createIdentify(parts.keys.admin, parts.keys.tokens, clock);
  const select = selectClusters(parts.fleet.registry);
  const allowed: ServerDeps["authorize"] = (actor, verb, thing) => authorize(actor, verb, thing, select);
  const reads = new ReadJournal(parts.store, clock, log);
  const onAnswer = metrics.answered;
  const checkpoints = createCheckpoints({ store: parts.store, key: parts.keys.checkpointKey, clock, log });
  if (control) {
    checkpoints.start();
    closers.add("audit checkpoints", () => checkpoints.stop());
  }
  const needs = {
    server: { clock, log, actorOf, authorize: allowed, refusals: audit, reads, onAnswer, tls: tls?.pair ?? null },
    checkpoints,
    pull,
    metrics,
    health: { live: { process: loop.check }, ready: readyChecks(parts, channel) },
    addresses: () => {
      const elsewhere = control?.news;
      return { url, control: agentsAddress, ingest: elsewhere ? elsewhere.address() : agentsAddress };
    },
  };
  const app = await buildRestApp(config, deps, parts, needs);
  closers.add("REST port", () => app.close());
  url = restUrl(config, await listen(app, config), tls !== null);
  if (ingest?.news && pull) await announceIngest(deps, parts, { address: agentsAddress, url, news: ingest.news, pull });
  return { url, controlAddress: agentsAddress, caFile: tls?.caFile ?? null };
}

async function openAgentsPort(
  config: HubConfig,
  deps: HubDeps,
  parts: HubParts,
  metrics: HubMetrics,
): Promise<Channel> {
  const { authority } = parts.keys;
  const names = [CONTROL_SERVER_NAME, ...serverNames(config)];
  const { certificate, key } = await authority.issueServer(names, deps.clock.now());
  return openChannel(
    servedBy(config, deps, parts, metrics),
    { host: config.controlHost ?? config.host, port: config.controlPort },
    { certificate, key, clientAuthority: authority.certificate },
  );
}

function servedBy(
  { version: hubVersion, beatMs }: HubConfig,
  { clock, random, log }: HubDeps,
  { store, fleet, control, ingest }: HubParts,
  { refused: onRefused }: HubMetrics,
): Served {
  const hellos = { control: new HelloBudget(clock), ingest: new HelloBudget(clock) };
  const streams = { store, ...fleet, clock, random, log, hellos, onRefused, hubVersion };
  return {
    control: control && {
      ...streams,
      policies: control.policies,
      beatMs,
      // Where both are one process, batches take the connection that is there.
      ingestAddress: () => (control.news ? control.news.address() : ""),
    },
    ingest: ingest && {
      ...streams,
      ingest: ingest.ingest,
      onSpools: ingest.spoolLosses.heard,
      refresh: async (clusterId) => ingest.news?.refresh(clusterId),
    },
  };
}

function metricsOf({ version }: HubConfig, { clock }: HubDeps, parts: HubParts, audit: AuditBudget): HubMetrics {
  const { fleet, control, ingest } = parts;
  const { registry, liveness, sessions } = fleet;
  const figures = {
    version,
    connectivity: () => {
      const states = Map.groupBy(control ? registry.list("all") : [], ({ id }) => liveness.of(id).state);
      return Object.fromEntries([...states].map(([state, members]) => [state, members.length]));
    },
    streams: () => ({ control: sessions.controlCount, ingest: sessions.dataCount }),
    refusalsLeftOut: () => audit.leftOut,
  };
  const active = () => registry.list("all").flatMap(({ id, phase }) => (phase === "active" ? [id] : []));
  const ofFleet = control ? fleetMetrics(control.coverage, active, () => clock.now()) : [];
  return createMetrics(figures, [...ofFleet, ...(ingest?.metrics ?? [])]);
}

function readyChecks({ store, fleet, control, ingest }: HubParts, channel: Channel) {
  const known = () => `${fleet.registry.list("all").length} clusters`;
  return {
    store: async () => {
      await store.db.selectFrom("settings").select("key").limit(1).execute();
      return store.dialect;
    },
    registry: () => (ingest?.news ? `${known()}, ${ingest.news.check()}` : known()),
    agents: channel.check,
    ingest: () => {
      if (!ingest) return control?.news?.check() ?? "";
      const { commits, waitingBytes } = ingest.ingest.figures();
      const faults = ingest.faults();
      const found =
        faults === 0 ? "" : `, ${faults} files found missing, damaged or not named since the start (see the log)`;
      return `${commits} commits, ${waitingBytes} bytes wait${found}`;
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
