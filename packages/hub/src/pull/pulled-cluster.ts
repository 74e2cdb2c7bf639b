import { type Clock, collectCluster, type KubeConnection } from "@plimsoll/collect";
import { type ClusterFacts, PlimsollError } from "@plimsoll/contracts";
import { lookAtCluster } from "@plimsoll/core";
import { openSession } from "../channel/open-session.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { ClusterEntry } from "../inventory/cluster-entry.ts";
import type { Liveness } from "../inventory/liveness.ts";
import type { Registry } from "../inventory/registry.ts";
import type { HubLog } from "../log/hub-log.ts";
import type { Store } from "../store/store.ts";
import { unreadiness } from "./api-health.ts";
import { type ClusterMeter, createClusterMeter } from "./cluster-meter.ts";
import { FactDelivery } from "./fact-delivery.ts";
import { type CheckpointFile, checkpointFile } from "./pull-checkpoint.ts";
import { pulledFacts } from "./pulled-facts.ts";

/** What reading clusters works with. */
export interface PullDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly liveness: Liveness;
  readonly ingest: Pick<Ingest, "ingestEnvelope">;
  readonly clock: Clock;
  readonly log: HubLog;
  readonly dataDir: string;
  readonly hubVersion: string;
  readonly intervalMs: number;
}

/** A round that takes longer is given up: the next is due, milliseconds. */
const MOST_ROUND_MS = 300_000;

/** One cluster that the hub reads itself. Its facts take the same ways as those of an agent. */
export class PulledCluster {
  readonly #deps: PullDeps;
  readonly #clusterId: string;
  readonly #incarnation: number;
  readonly #connection: KubeConnection;
  readonly #checkpoint: CheckpointFile;
  readonly #delivery: FactDelivery;
  #meter: ClusterMeter | null = null;
  #epoch = 0;
  #sequence = 0;

  constructor(deps: PullDeps, entry: ClusterEntry, connection: KubeConnection) {
    const { id: clusterId, incarnation } = entry;
    this.#deps = deps;
    this.#clusterId = clusterId;
    this.#incarnation = incarnation;
    this.#connection = connection;
    this.#checkpoint = checkpointFile(deps.dataDir, clusterId);
    const { ingest, clock, log } = deps;
    const onRefused = ({ code, message }: { code: string; message: string }) =>
      log("error", "pulled_rows_refused", { cluster: clusterId, code, message });
    this.#delivery = new FactDelivery({ clusterId, incarnation, ingest, clock, onRefused });
  }

  /** Reads the cluster once. Rejects when nothing of it could be read, or another cluster answers. */
  async round(signal: AbortSignal): Promise<void> {
    const { registry, clock, intervalMs } = this.#deps;
    const entry = registry.find(this.#clusterId);
    if (!entry) return;
    await this.#begin();
    const deadlineMs = Math.min(Math.max(intervalMs, 30_000), MOST_ROUND_MS);
    const facts = await collectCluster(this.#connection, { name: entry.name, deadlineMs, signal, clock });
    await this.#take(entry, facts, await unreadiness(this.#connection, signal));
  }

  close(): void {
    this.#connection.close();
  }

  /** The first round opens a session, so that nothing older is applied over what is read now. */
  async #begin(): Promise<void> {
    if (this.#meter) return;
    const { store, registry, clock, hubVersion, intervalMs } = this.#deps;
    this.#epoch = await openSession(store, {
      clusterId: this.#clusterId,
      incarnation: this.#incarnation,
      instance: "hub",
      agentVersion: hubVersion,
      capabilities: [],
      policyRevision: 0,
      atMs: clock.now(),
    });
    await registry.reload(this.#clusterId);
    this.#meter = createClusterMeter(intervalMs, await this.#checkpoint.read(this.#incarnation));
  }

  async #take(entry: ClusterEntry, facts: ClusterFacts, unready: string | null): Promise<void> {
    const { registry, liveness, clock } = this.#deps;
    const look = lookAtCluster(facts, null);
    if (look.fingerprint !== null && entry.fingerprint !== null && look.fingerprint !== entry.fingerprint) {
      throw new PlimsollError("fingerprint_changed", { fingerprint: look.fingerprint, cluster: entry.name });
    }
    this.#sequence += 1;
    const stamp = { incarnation: this.#incarnation, sessionEpoch: this.#epoch, sequence: this.#sequence };
    const report = pulledFacts(facts, look, unready);
    const verdict = await registry.applyReport(this.#clusterId, stamp, report, clock.now());
    if (verdict === "stale" || verdict === "deregistered") return;
    liveness.heard(this.#clusterId, { health: report.layer.health_status });
    this.#meter?.observe(facts, look, entry.labels);
    await this.#deliver();
  }

  /** The meter counts on while nothing can be stored; its rows are taken when there is room again. */
  async #deliver(): Promise<void> {
    if (!this.#meter || !(await this.#delivery.drain())) return;
    const { rows, checkpoint } = this.#meter.take(this.#deps.clock.now());
    await this.#checkpoint.write(this.#incarnation, checkpoint);
    await this.#delivery.deliver(rows);
  }
}
