import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, type Metric, Registry } from "prom-client";
import { declaredCounter, declaredHistogram, readCounter, readGauge } from "./declared-metrics.ts";

/** Figures that are read when a scraper asks. */
export interface ReadFigures {
  readonly version: string;
  /** Clusters by connectivity. */
  readonly connectivity: () => Readonly<Record<string, number>>;
  readonly streams: () => { readonly control: number; readonly ingest: number };
  readonly refusalsLeftOut: () => number;
}

/** What the hub says about itself to Prometheus. No cluster is named in it. */
export interface HubMetrics {
  /** Notes an answer of the REST API. */
  answered(answer: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Notes a message of an agent that was refused, by the code of its error. */
  refused(stream: "control" | "ingest", code: string): void;
  /** Notes a round of a pulled cluster. */
  pulled(outcome: "read" | "failed", seconds: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Gauges that the library calls totals, which only counters are: Prometheus' own check refuses them. */
const MISNAMED = ["nodejs_active_resources_total", "nodejs_active_handles_total", "nodejs_active_requests_total"];

/**
 * The hub's metrics in a registry of their own, so that several hubs fit into one process. `own` are those that parts of the
 * hub have declared and keep themselves.
 */
export function createMetrics(figures: ReadFigures, own: readonly Metric[] = []): HubMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const requests = declaredHistogram("plimsoll_http_request_duration_seconds");
  const refusals = declaredCounter("plimsoll_stream_refusals_total");
  const pulls = declaredHistogram("plimsoll_pull_duration_seconds");
  for (const metric of [requests, refusals, pulls, ...readMetrics(figures), ...own]) registry.registerMetric(metric);
  return {
    answered: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    refused: (stream, code) => refusals.inc({ stream, code }),
    pulled: (outcome, seconds) => pulls.observe({ outcome }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function readMetrics({ version, connectivity, streams, refusalsLeftOut }: ReadFigures): readonly Metric[] {
  const release = [{ labels: { version, node: process.version }, value: 1 }];
  return [
    readGauge("plimsoll_build_info", () => release),
    readGauge("plimsoll_clusters", connectivity),
    readGauge("plimsoll_agent_streams", () => ({ ...streams() })),
    readCounter("plimsoll_audit_left_out_total", refusalsLeftOut),
  ];
}

/** Adds `/metrics`. */
export function addMetrics(app: FastifyInstance, metrics: HubMetrics): void {
  app.get("/metrics", { config: { access: { verb: "read", noun: "metrics" } } }, async (_, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}
