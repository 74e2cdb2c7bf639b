import {
  type Clock,
  type KubeConnection,
  type Listed,
  listWatch,
  type Random,
  RESOURCE_PATHS,
  type WatchEvent,
  type WatchState,
} from "@plimsoll/collect";
import { type KubeObjects, type KubeResource, PlimsollError, type Reading, reportError } from "@plimsoll/contracts";
import type { ResourceReadState } from "@plimsoll/contracts/wire";

/** What is told of a watched resource; times are hub time, milliseconds. */
export interface ResourceListener<T> {
  /** Every object that exists: after a list. */
  all(objects: Iterable<T>, atMs: number): void;
  /** The watch is whole up to `atMs`: nothing happened that it has not told. */
  seen(atMs: number): void;
  changed(object: T, atMs: number): void;
  removed(object: T, atMs: number): void;
}

/** How a resource is watched. */
export interface WatchedResourceOptions<R extends KubeResource> {
  readonly connection: KubeConnection;
  readonly resource: R;
  readonly project: (raw: unknown, where: string) => KubeObjects[R];
  readonly clock: Clock;
  readonly random: Random;
  /** Hub time, milliseconds. */
  readonly now: () => number;
  readonly listener?: ResourceListener<KubeObjects[R]>;
  readonly onState?: (resource: R, state: WatchState) => void;
  readonly signal: AbortSignal;
}

/**
 * One resource kept in memory by list and watch. After a cut the watch brings what happened meanwhile, event by event: until
 * a bookmark says that this was all, what it tells is applied, but does not prove that the rest is still there.
 */
export class WatchedResource<R extends KubeResource> {
  readonly #options: WatchedResourceOptions<R>;
  readonly #store = new Map<string, Listed<KubeObjects[R]>>();
  #synced = false;
  #live = false;
  #seenMs: number | null = null;
  #error: PlimsollError | undefined;

  constructor(options: WatchedResourceOptions<R>) {
    this.#options = options;
  }

  /** Watches until the signal aborts. */
  run(): Promise<void> {
    const { connection, resource, project, clock, random, signal, onState } = this.#options;
    return listWatch<KubeObjects[R]>(
      connection,
      {
        path: RESOURCE_PATHS[resource].path,
        what: resource,
        project,
        clock,
        random,
        store: this.#store,
        onEvent: (event) => this.#apply(event),
        onState: (state) => {
          this.#follow(state);
          onState?.(resource, state);
        },
      },
      signal,
    );
  }

  /** It was listed whole at least once. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Up to when it is known, hub time in milliseconds; null = never. */
  get seenMs(): number | null {
    return this.#seenMs;
  }

  /** The object of a UID, as last seen. */
  find(uid: string): KubeObjects[R] | undefined {
    return this.#store.get(uid)?.object;
  }

  /** Every object, as last seen. */
  *objects(): Generator<KubeObjects[R]> {
    for (const { object } of this.#store.values()) yield object;
  }

  /** What is known of it: the last values stay while a list or watch fails. */
  reading(): Reading<readonly KubeObjects[R][]> {
    if (!this.#synced) return { known: false, error: reportError(this.#error ?? this.#notYet()) };
    return { known: true, value: [...this.objects()], observedAt: new Date(this.#seenMs ?? 0).toISOString() };
  }

  state(): ResourceReadState {
    const state = this.#error ? (this.#synced ? "stale" : "unreadable") : this.#synced ? "current" : "unknown";
    return {
      resource: this.#options.resource,
      state,
      observedAtMs: this.#seenMs,
      errorCode: this.#error?.code ?? null,
    };
  }

  #apply(event: WatchEvent<KubeObjects[R]>): void {
    const { listener, now } = this.#options;
    const atMs = now();
    if (event.type === "synced") {
      this.#synced = true;
      this.#live = true;
      this.#error = undefined;
      this.#seenMs = atMs;
      listener?.all(this.objects(), atMs);
      return;
    }
    // Between a list's begin and its end the store is half old, half new: `all` tells it whole.
    if (!this.#synced) return;
    if (this.#live) this.#sight(atMs);
    if (event.type === "deleted") listener?.removed(event.object, atMs);
    else listener?.changed(event.object, atMs);
  }

  #follow(state: WatchState): void {
    if (state.kind === "listing") this.#live = false;
    if (state.kind === "failing") {
      this.#live = false;
      this.#error = state.error;
    }
    if (state.kind === "bookmark") this.#live = true;
    if (state.kind === "watching" || state.kind === "bookmark") {
      this.#error = undefined;
      // A watch that the server ended in good order was whole up to its end.
      if (this.#live) this.#sight(this.#options.now());
    }
  }

  #sight(atMs: number): void {
    this.#seenMs = Math.max(this.#seenMs ?? 0, atMs);
    this.#options.listener?.seen(atMs);
  }

  #notYet(): PlimsollError {
    const { connection, resource } = this.#options;
    return new PlimsollError("cluster_busy", { server: connection.server, seconds: 0, what: `listing ${resource}` });
  }
}
