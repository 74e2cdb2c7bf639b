import { type Clock, createProjectors, type KubeConnection, type Random, type WatchState } from "@plimsoll/collect";
import type {
  ClusterFacts,
  KubeNode,
  KubeObjects,
  KubePod,
  KubeResource,
  KubeWorkload,
  Reading,
  Usage,
} from "@plimsoll/contracts";
import type { ResourceReadState } from "@plimsoll/contracts/wire";
import { namespaceLabels, type Owners } from "@plimsoll/core";
import { type ResourceListener, WatchedResource } from "./watched-resource.ts";

/** What an agent watches, and so what it needs rights for: `deploy/rbac/agent.yaml`. */
export const WATCHED_RESOURCES = [
  "nodes",
  "pods",
  "namespaces",
  "deployments",
  "replicasets",
  "statefulsets",
  "daemonsets",
  "jobs",
  "cronjobs",
] as const satisfies readonly KubeResource[];
type Watched = (typeof WATCHED_RESOURCES)[number];
const WORKLOADS = ["replicasets", "jobs", "deployments", "statefulsets", "daemonsets", "cronjobs"] as const;

/** How a cluster is watched. */
export interface ClusterWatchOptions {
  readonly connection: KubeConnection;
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Hub time, milliseconds. */
  readonly now: () => number;
  readonly pods: ResourceListener<KubePod>;
  readonly nodes: ResourceListener<KubeNode>;
  readonly onState: (resource: KubeResource, state: WatchState) => void;
  readonly signal: AbortSignal;
}

/** A cluster kept in memory by watches. */
export class ClusterWatch {
  readonly #options: ClusterWatchOptions;
  readonly #watched: { readonly [R in Watched]: WatchedResource<R> };

  constructor(options: ClusterWatchOptions) {
    this.#options = options;
    const projectors = createProjectors();
    const watch = <R extends Watched>(resource: R, listener?: ResourceListener<KubeObjects[R]>) =>
      new WatchedResource<R>({ ...options, listener, resource, project: projectors[resource] });
    this.#watched = {
      nodes: watch("nodes", options.nodes),
      pods: watch("pods", options.pods),
      namespaces: watch("namespaces"),
      deployments: watch("deployments"),
      replicasets: watch("replicasets"),
      statefulsets: watch("statefulsets"),
      daemonsets: watch("daemonsets"),
      jobs: watch("jobs"),
      cronjobs: watch("cronjobs"),
    };
  }

  /** Watches until the signal aborts. */
  async run(): Promise<void> {
    await Promise.all(WATCHED_RESOURCES.map((resource) => this.#watched[resource].run()));
  }

  /** Nodes and pods were read whole. */
  get ready(): boolean {
    return this.#watched.nodes.synced && this.#watched.pods.synced;
  }

  /** Every resource was read whole, or is known not to be readable. */
  get settled(): boolean {
    return this.states().every(({ state }) => state !== "unknown");
  }

  states(): readonly ResourceReadState[] {
    return WATCHED_RESOURCES.map((resource) => this.#watched[resource].state());
  }

  /** The objects that own pods, found by UID; those of owner references without one are not found. */
  owners(): Owners {
    const find = (uid: string): KubeWorkload | undefined => {
      for (const resource of WORKLOADS) {
        const found = this.#watched[resource].find(uid);
        if (found) return found;
      }
      return undefined;
    };
    return { find: ({ uid }) => (uid === undefined ? undefined : find(uid)) };
  }

  /** Labels by namespace. */
  namespaceLabels(): ReadonlyMap<string, Readonly<Record<string, string>>> {
    return namespaceLabels([...this.#watched.namespaces.objects()]);
  }

  /** The cluster as it is known now. What an agent does not watch counts as read and empty: no figure of it needs it. */
  facts(serverVersions: Reading<readonly string[]>, usage: Reading<Usage>): ClusterFacts {
    const { name, connection, now } = this.#options;
    const asOf = new Date(now()).toISOString();
    const empty = { known: true, value: [], observedAt: asOf } as const;
    const watched = this.#watched;
    return {
      name,
      source: { kind: "api", location: connection.server },
      asOf,
      serverVersions,
      objects: {
        nodes: watched.nodes.reading(),
        pods: watched.pods.reading(),
        namespaces: watched.namespaces.reading(),
        deployments: watched.deployments.reading(),
        replicasets: watched.replicasets.reading(),
        statefulsets: watched.statefulsets.reading(),
        daemonsets: watched.daemonsets.reading(),
        jobs: watched.jobs.reading(),
        cronjobs: watched.cronjobs.reading(),
        services: empty,
        persistentvolumeclaims: empty,
        persistentvolumes: empty,
        resourcequotas: empty,
      },
      usage,
      unused: [],
    };
  }
}
