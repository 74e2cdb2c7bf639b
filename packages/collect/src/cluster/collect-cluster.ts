import {
  type ClusterFacts,
  type KubeNode,
  type KubeObjects,
  type KubeResource,
  PlimsollError,
  type Reading,
  reportError,
  type UnusedInput,
  type Usage,
} from "@plimsoll/contracts";
import { type Clock, systemClock, timestamp } from "../kube/clock.ts";
import type { KubeConnection } from "../kube/connection.ts";
import { createDeadline } from "../kube/deadline.ts";
import { createLimiter } from "../kube/limiter.ts";
import { pagedList } from "../kube/paged-list.ts";
import { RESOURCE_PATHS } from "../kube/resources.ts";
import { createProjectors, type Projectors } from "../projection/projectors.ts";
import { readMetricsApi } from "../usage/metrics-api.ts";
import type { CollectProgress, ProgressListener } from "./progress.ts";
import { createVersionSet } from "./read-versions.ts";

/** What to call the cluster and how long its collection may take. */
export interface CollectOptions {
  readonly name: string;
  /** The whole collection ends by then, milliseconds. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly progress?: ProgressListener;
  /** Objects a page (default 500). */
  readonly pageSize?: number;
  /** Asked for usage when metrics.k8s.io has none: `readKubelets` with a reader of one's choice. */
  readonly usageFallback?: (nodes: readonly KubeNode[], signal: AbortSignal) => Promise<Usage>;
}

/** Lists at once: enough to hide a round trip, few enough that their pages together stay small. */
const LISTS_AT_ONCE = 3;

/**
 * Reads a cluster once: every resource of `KubeResource`, versions and usage. What cannot be read is an unknown `Reading`
 * with its error; what ran out of time too. Rejects only when the cluster as a whole cannot be read: cluster_unreachable,
 * cluster_timeout (nothing was read by the deadline), cluster_unauthorized, tls_untrusted, credential_plugin_failed,
 * api_answer_invalid; or with the signal's reason when it aborts.
 */
export async function collectCluster(conn: KubeConnection, options: CollectOptions): Promise<ClusterFacts> {
  const { name, deadlineMs, clock = systemClock } = options;
  const expired = () =>
    new PlimsollError("cluster_timeout", { what: `Reading ${name}`, seconds: deadlineMs / 1000, server: conn.server });
  const deadline = createDeadline(clock, deadlineMs, options.signal, expired);
  try {
    return await new Collection(conn, options, clock, deadline.signal).run();
  } finally {
    deadline.settle();
  }
}

class Collection {
  readonly #conn: KubeConnection;
  readonly #options: CollectOptions;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #projectors: Projectors = createProjectors();
  readonly #unused: UnusedInput[] = [];
  readonly #failures: unknown[] = [];

  constructor(conn: KubeConnection, options: CollectOptions, clock: Clock, signal: AbortSignal) {
    this.#conn = conn;
    this.#options = options;
    this.#clock = clock;
    this.#signal = signal;
  }

  async run(): Promise<ClusterFacts> {
    const versions = createVersionSet(this.#conn, this.#clock, this.#signal);
    // First and alone: a dead address, a refused credential or an untrusted certificate shows here, once and quickly.
    await versions.ask().catch((error) => {
      throw this.#naming("the version", error);
    });
    this.#progress("version", 1, true);
    const [objects, usage] = await this.#readAll();
    this.#options.signal?.throwIfAborted();
    this.#rejectIfNothingWasRead(objects);
    await Promise.allSettled([versions.ask(), versions.ask()]);
    return {
      name: this.#options.name,
      source: { kind: "api", location: this.#conn.server },
      asOf: timestamp(this.#clock),
      serverVersions: versions.reading(),
      objects,
      usage,
      unused: this.#unused,
    };
  }

  async #readAll(): Promise<[ClusterFacts["objects"], Reading<Usage>]> {
    const limit = createLimiter(LISTS_AT_ONCE);
    const read = <R extends KubeResource>(resource: R) => limit(() => this.#readList(resource));
    // Started in this order: what most figures need comes first.
    const nodes = read("nodes");
    const pods = read("pods");
    const usage = limit(() => this.#readUsage(nodes));
    const others = {
      namespaces: read("namespaces"),
      replicasets: read("replicasets"),
      deployments: read("deployments"),
      statefulsets: read("statefulsets"),
      daemonsets: read("daemonsets"),
      jobs: read("jobs"),
      cronjobs: read("cronjobs"),
      services: read("services"),
      persistentvolumeclaims: read("persistentvolumeclaims"),
      persistentvolumes: read("persistentvolumes"),
      resourcequotas: read("resourcequotas"),
    };
    const objects = {
      nodes: await nodes,
      pods: await pods,
      namespaces: await others.namespaces,
      replicasets: await others.replicasets,
      deployments: await others.deployments,
      statefulsets: await others.statefulsets,
      daemonsets: await others.daemonsets,
      jobs: await others.jobs,
      cronjobs: await others.cronjobs,
      services: await others.services,
      persistentvolumeclaims: await others.persistentvolumeclaims,
      persistentvolumes: await others.persistentvolumes,
      resourcequotas: await others.resourcequotas,
    };
    return [objects, await usage];
  }

  async #readList<R extends KubeResource>(resource: R): Promise<Reading<readonly KubeObjects[R][]>> {
    const observedAt = timestamp(this.#clock);
    const onPage = (objects: number) => this.#progress(resource, objects, false);
    const onUnusable = (error: PlimsollError) => this.#leaveOut(error, resource);
    try {
      const list = await pagedList(this.#conn, {
        path: RESOURCE_PATHS[resource].path,
        what: resource,
        project: this.#projectors[resource],
        pageSize: this.#options.pageSize,
        signal: this.#signal,
        onPage,
        onUnusable,
      });
      const value = list.items.map((item) => item.object);
      this.#progress(resource, value.length, true);
      return { known: true, value, observedAt };
    } catch (error) {
      this.#failures.push(error);
      return { known: false, error: reportError(this.#naming(resource, error)) };
    }
  }

  async #readUsage(nodes: Promise<Reading<readonly KubeNode[]>>): Promise<Reading<Usage>> {
    const observedAt = timestamp(this.#clock);
    try {
      const value = await this.#metricsOrFallback(nodes);
      this.#progress("usage", value.nodes.length + value.pods.length, true);
      return { known: true, value, observedAt };
    } catch (error) {
      return { known: false, error: reportError(this.#naming("usage", error)) };
    }
  }

  async #metricsOrFallback(nodes: Promise<Reading<readonly KubeNode[]>>): Promise<Usage> {
    try {
      const { usage, errors } = await readMetricsApi(this.#conn, this.#signal);
      for (const error of errors) this.#leaveOut(error);
      return usage;
    } catch (error) {
      const reading = await nodes;
      if (!this.#options.usageFallback || !reading.known || this.#signal.aborted) throw error;
      return this.#options.usageFallback(reading.value, this.#signal);
    }
  }

  /** One unreadable list is one unknown figure; when every list failed, and not for want of rights, the cluster did. */
  #rejectIfNothingWasRead(objects: ClusterFacts["objects"]): void {
    const readings: readonly Reading<unknown>[] = Object.values(objects);
    if (readings.some((reading) => reading.known)) return;
    const failure = this.#failures.find((error) => !isForbidden(error));
    if (failure !== undefined) throw failure;
  }

  /** The error of a part; when the deadline ended it, one that says which part was still being read. */
  #naming(part: string, error: unknown): unknown {
    if (!(error instanceof PlimsollError) || error.code !== "cluster_timeout" || error !== this.#signal.reason)
      return error;
    return new PlimsollError(error.code, { ...error.fields, what: `Reading ${part} of ${this.#options.name}` });
  }

  #leaveOut(error: PlimsollError, resource?: KubeResource): void {
    const where = String(error.fields.where ?? error.fields.what ?? this.#conn.server);
    const reason = String(error.fields.reason ?? error.message);
    this.#unused.push({ where, code: error.code, reason, ...(resource && { resource }) });
  }

  #progress(resource: CollectProgress["resource"], objects: number, done: boolean): void {
    this.#options.progress?.({ resource, objects, done });
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof PlimsollError && error.code === "cluster_forbidden";
}
