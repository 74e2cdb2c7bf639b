import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Figures that are read when a scraper asks; by name, with their help. */
export interface ReadFigures {
  /** Clusters by connectivity. */
  readonly connectivity: () => Readonly<Record<string, number>>;
  readonly streams: () => { readonly control: number; readonly ingest: number };
  /** Batches by what became of them. */
  readonly batches: () => Readonly<Record<string, number>>;
  /** Rows by kind. */
  readonly rows: () => Readonly<Record<string, number>>;
  readonly waitingBytes: () => number;
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

/** The hub's metrics in a registry of their own, so that several hubs fit into one process. */
export function createMetrics(figures: ReadFigures): HubMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "plimsoll_http_request_duration_seconds",
    help: "Answers of the REST API, by route",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const refusals = new Counter({
    name: "plimsoll_stream_refusals_total",
    help: "Messages of agents that were refused, by the code of the reason",
    labelNames: ["stream", "code"],
    registers,
  });
  const pulls = new Histogram({
    name: "plimsoll_pull_duration_seconds",
    help: "Rounds of clusters that the hub reads itself",
    labelNames: ["outcome"],
    buckets: [0.5, 2, 10, 30, 120, 300],
    registers,
  });
  addFigures(registers, figures);
  return {
    answered: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    refused: (stream, code) => refusals.inc({ stream, code }),
    pulled: (outcome, seconds) => pulls.observe({ outcome }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addFigures(registers: Registry[], figures: ReadFigures): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const labelled = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number);
      },
    });
  };
  labelled("plimsoll_clusters", "Registered clusters by connectivity", "connectivity", figures.connectivity);
  labelled("plimsoll_agent_streams", "Open streams of agents", "stream", () => ({ ...figures.streams() }));
  labelled("plimsoll_ingest_batches", "Batches since the start, by what became of them", "outcome", figures.batches);
  labelled("plimsoll_ingest_rows", "Rows applied since the start, by kind", "kind", figures.rows);
  gauge("plimsoll_ingest_waiting_bytes", "Envelope bytes that wait for their commit", figures.waitingBytes);
  gauge("plimsoll_audit_left_out", "Attempts of strangers that were not kept one by one", figures.refusalsLeftOut);
}

/** Adds `/metrics`. */
export function addMetrics(app: FastifyInstance, metrics: HubMetrics): void {
  app.get("/metrics", { config: { access: { verb: "read", noun: "metrics" } } }, async (_, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}
