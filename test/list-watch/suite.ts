import {
  type CredentialSource,
  createHttpConnection,
  createProjectors,
  type KubeConnection,
  type Listed,
  type ListWatchOptions,
  listWatch,
  pagedList,
  systemClock,
  type WatchEvent,
  type WatchState,
} from "@plimsoll/collect";
import type { KubePod } from "@plimsoll/contracts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

/** What the suite needs of a cluster: a fake, a simulated or a real one. */
export interface SuiteCluster {
  readonly server: string;
  readonly ca?: string;
  /** May do everything. */
  readonly token: string;
  /** Makes the namespace too when it is not there. */
  createPods(namespace: string, names: readonly string[]): Promise<void>;
  /** Sets the label `value`. */
  changePod(namespace: string, name: string, value: string): Promise<void>;
  /** The pod is gone when it resolves. */
  deletePod(namespace: string, name: string): Promise<void>;
  /** Makes a pod in another namespace: the version moves on, and no watch of the suite hears of it. */
  touchOther(): Promise<void>;
  compact(): Promise<void>;
  stop(): Promise<void>;
}

/** What a kind of cluster can show. */
export interface SuiteTraits {
  /** Sends bookmarks before a watch ends. */
  readonly bookmarks: boolean;
  /** Answers 410 to versions before a compaction, at once. */
  readonly expiry: boolean;
}

/** A running list and watch with everything it told. */
interface Following {
  readonly events: WatchEvent<KubePod>[];
  readonly states: WatchState[];
  readonly store: Map<string, Listed<KubePod>>;
  /** What it told of pods, as "added web-1". */
  told(): string[];
  until(what: string, done: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

const PAGE = 4;
const names = (count: number) => Array.from({ length: count }, (_, i) => `pod-${String(i).padStart(4, "0")}`);
const added = (count: number) => names(count).map((name) => `added ${name}`);

/** One list-and-watch suite for every kind of cluster: what holds on a fake must hold on a real API server. */
export function listWatchSuite(title: string, traits: SuiteTraits, makeCluster: () => Promise<SuiteCluster>): void {
  describe(`list and watch on ${title}`, () => {
    let cluster: SuiteCluster;
    let proxy: FaultProxy;
    let count = 0;
    let namespace = "";
    const running: { stop(): Promise<void> }[] = [];

    beforeAll(async () => {
      cluster = await makeCluster();
    });
    afterAll(() => cluster?.stop());
    afterEach(async () => {
      for (const item of running.splice(0).reverse()) await item.stop();
    });

    /** A fresh namespace with `pods` pods behind a fresh proxy. */
    async function prepare(pods: number): Promise<void> {
      count += 1;
      namespace = `list-watch-${count}`;
      await cluster.createPods(namespace, names(pods));
      proxy = await startFaultProxy(cluster.server, cluster.ca);
      running.push({ stop: () => proxy.close() });
    }

    function connect(credentials?: CredentialSource): KubeConnection {
      const headers = { authorization: `Bearer ${cluster.token}` };
      const conn = createHttpConnection({
        server: proxy.url,
        context: "suite",
        credentials: credentials ?? { current: async () => ({ headers }), refused: () => false },
        clock: systemClock,
        random: Math.random,
      });
      running.push({ stop: async () => conn.close() });
      return conn;
    }

    const listOptions = () => ({
      path: `/api/v1/namespaces/${namespace}/pods`,
      what: "pods",
      project: createProjectors().pods,
      pageSize: PAGE,
    });

    function follow(conn = connect(), options: Partial<ListWatchOptions<KubePod>> = {}): Following {
      const following = startFollowing(conn, { ...listOptions(), ...options });
      running.push(following);
      return following;
    }

    const lists = () => proxy.requests.filter((request) => !request.isWatch);
    const watches = () => proxy.requests.filter((request) => request.isWatch);

    test("a list is read page by page and told whole, each pod once", async () => {
      await prepare(10);
      const pods = follow();
      await pods.until("synced", () => synced(pods) === 1);
      expect(pods.told().sort()).toEqual(added(10));
      expect(pods.events.at(-1)).toEqual({ type: "synced", objects: 10 });
      expect(lists().map((request) => request.query.get("limit"))).toEqual(["4", "4", "4"]);
      expect(new Set(lists().map((request) => request.query.get("continue"))).size).toBe(3);
    });

    test("an empty list is synced too, and what comes after it is told", async () => {
      await prepare(0);
      const pods = follow();
      await pods.until("synced", () => synced(pods) === 1);
      await cluster.createPods(namespace, ["first"]);
      await pods.until("the first pod", () => pods.told().length === 1);
      expect(pods.events).toMatchObject([{ type: "synced", objects: 0 }, { type: "added" }]);
    });

    test("changes are told in their order, with the last state", async () => {
      await prepare(2);
      const pods = follow();
      await pods.until("a watch", () => isWatching(pods));
      await cluster.createPods(namespace, ["new"]);
      await cluster.changePod(namespace, "new", "changed");
      await cluster.deletePod(namespace, "pod-0000");
      await cluster.deletePod(namespace, "new");
      await pods.until("the deletions", () => pods.told().filter((item) => item.startsWith("deleted")).length === 2);
      const told = pods.told().slice(2);
      expect(told.filter((item) => item.endsWith(" new"))[0]).toBe("added new");
      expect(told.filter((item) => !item.startsWith("modified"))).toEqual([
        "added new",
        "deleted pod-0000",
        "deleted new",
      ]);
      const last = pods.events.findLast((event) => event.type === "deleted");
      expect(last).toMatchObject({ object: { metadata: { labels: { value: "changed" } } } });
      expect([...pods.store.values()].map((item) => item.object.metadata.name)).toEqual(["pod-0001"]);
    });

    test("429 on list and on watch is waited out as Retry-After says", async () => {
      await prepare(6);
      proxy.busy("list", 1, 1);
      proxy.busy("watch", 1, 1);
      const startedAt = performance.now();
      const pods = follow();
      await pods.until("a watch", () => isWatching(pods));
      expect(performance.now() - startedAt).toBeGreaterThan(2_000);
      expect(proxy.fired.busy).toBe(2);
      expect(pods.told().sort()).toEqual(added(6));
      expect(failures(pods)).toEqual(["cluster_busy"]);
      expect(lists()).toHaveLength(3);
    });

    test("a connection cut inside an event loses nothing and tells nothing twice", async () => {
      await prepare(2);
      const pods = follow();
      await pods.until("a watch", () => isWatching(pods));
      proxy.cutInsideNextEvent();
      await cluster.createPods(namespace, ["cut"]);
      await pods.until("the cut pod", () => pods.told().includes("added cut"));
      await cluster.createPods(namespace, ["later"]);
      await pods.until("the later pod", () => pods.told().includes("added later"));
      expect(proxy.fired.cut).toBe(1);
      expect(
        pods
          .told()
          .filter((item) => item.startsWith("added"))
          .sort(),
      ).toEqual(["added cut", "added later", ...added(2)].sort());
      expect(synced(pods)).toBe(1);
      expect(watches().length).toBeGreaterThan(1);
    });

    test("an outage is survived: what changed meanwhile comes afterwards, without a new list", async () => {
      await prepare(2);
      const pods = follow();
      await pods.until("a watch", () => isWatching(pods));
      proxy.refuse(true);
      await cluster.createPods(namespace, ["meanwhile"]);
      await cluster.deletePod(namespace, "pod-0001");
      await pods.until("a refused attempt", () => proxy.fired.refused > 0);
      proxy.refuse(false);
      await pods.until("the deletion", () => pods.told().includes("deleted pod-0001"));
      expect(
        pods
          .told()
          .slice(2)
          .filter((item) => !item.startsWith("modified")),
      ).toEqual(["added meanwhile", "deleted pod-0001"]);
      expect(synced(pods)).toBe(1);
      expect(failures(pods)).toContain("cluster_unreachable");
    });

    test("a watch that went silent is given up after idleMs, and nothing is lost", async () => {
      await prepare(1);
      const pods = follow(connect(), { idleMs: 1_000 });
      await pods.until("a watch", () => isWatching(pods));
      proxy.stallWatches();
      await cluster.createPods(namespace, ["unheard"]);
      await pods.until("the unheard pod", () => pods.told().includes("added unheard"));
      expect(proxy.fired.stalled).toBe(1);
      expect(synced(pods)).toBe(1);
      const error = pods.states.flatMap((state) => (state.kind === "failing" ? [state.error.message] : []))[0];
      expect(error).toContain("silent for 1 s");
    });

    test("a watch that the server ends in time is opened again at once, from where it was", async () => {
      await prepare(1);
      const pods = follow(connect(), { timeoutSeconds: [1, 1] });
      await pods.until("three watches", () => watches().length >= 3);
      await cluster.createPods(namespace, ["new"]);
      await pods.until("the new pod", () => pods.told().includes("added new"));
      expect(pods.told().filter((item) => item === "added new")).toHaveLength(1);
      expect(failures(pods)).toEqual([]);
      expect(synced(pods)).toBe(1);
    });

    test("after a 401 the credentials are read again", async () => {
      await prepare(1);
      const tokens = ["worn-out", cluster.token];
      let used = 0;
      const credentials: CredentialSource = {
        current: async () => ({ headers: { authorization: `Bearer ${tokens[used]}` } }),
        refused: () => {
          used = 1;
          return true;
        },
      };
      const pods = follow(connect(credentials));
      await pods.until("synced", () => synced(pods) === 1);
      expect(pods.told()).toEqual(added(1));
      expect(failures(pods)).toEqual([]);
    });

    test("an abort ends it, in a watch as in a list", async () => {
      await prepare(1);
      const watching = follow();
      await watching.until("a watch", () => isWatching(watching));
      await watching.stop();
      let reached = () => {};
      const listing = new Promise<void>((resolve) => {
        reached = resolve;
      });
      proxy.beforeNext(
        () => true,
        () => {
          reached();
          return new Promise(() => {});
        },
      );
      const waiting = follow();
      await listing;
      await waiting.stop();
      expect(waiting.events).toEqual([]);
    });

    test("what the listener throws ends it and is not swallowed", async () => {
      await prepare(1);
      const failure = new Error("listener");
      const onEvent = () => {
        throw failure;
      };
      const options = { ...listOptions(), onEvent, clock: systemClock, random: Math.random };
      await expect(listWatch(connect(), options, AbortSignal.timeout(20_000))).rejects.toBe(failure);
    });

    if (traits.expiry) {
      test("410 on a watch: a new list, and the difference is told, vanished pods included", async () => {
        await prepare(6);
        const pods = follow();
        await pods.until("a watch", () => isWatching(pods));
        proxy.refuse(true);
        await cluster.deletePod(namespace, "pod-0001");
        await cluster.deletePod(namespace, "pod-0002");
        await cluster.createPods(namespace, ["pod-0002", "pod-9999"]);
        await cluster.changePod(namespace, "pod-0003", "changed");
        await cluster.touchOther();
        await cluster.compact();
        const before = pods.events.length;
        proxy.refuse(false);
        await pods.until("synced again", () => synced(pods) === 2);
        // A pod of the same name is another pod: its end is told before its successor.
        const told = pods.told().slice(6);
        expect(told.slice(0, 2).sort()).toEqual(["deleted pod-0001", "deleted pod-0002"]);
        expect(told.slice(2).sort()).toEqual(["added pod-0002", "added pod-9999", "modified pod-0003"]);
        expect(pods.events.slice(before).at(-1)).toEqual({ type: "synced", objects: 6 });
        expect(failures(pods)).toContain("list_expired");
        await cluster.createPods(namespace, ["afterwards"]);
        await pods.until("a later pod", () => pods.told().includes("added afterwards"));
      });

      test("410 on a page token: the list starts again, once, and is consistent", async () => {
        await prepare(10);
        proxy.beforeNext(
          (request) => request.query.has("continue"),
          async () => {
            await cluster.deletePod(namespace, "pod-0000");
            await cluster.createPods(namespace, ["pod-0010"]);
            await cluster.touchOther();
            await cluster.compact();
          },
        );
        const list = await pagedList(connect(), listOptions());
        expect(proxy.fired.held).toBe(1);
        expect(list.items.map((item) => item.object.metadata.name)).toEqual(names(11).slice(1));
        expect(new Set(list.items.map((item) => item.uid)).size).toBe(10);
        expect(lists().map((request) => request.query.get("limit"))).toEqual(["4", "4", "20"]);
      });
    }

    if (traits.bookmarks) {
      test("bookmarks move the version on, so that a quiet watch outlives a compaction", async () => {
        await prepare(1);
        const pods = follow(connect(), { timeoutSeconds: [4, 4] });
        await pods.until("a watch", () => isWatching(pods));
        const listed = Number(watches()[0]?.query.get("resourceVersion"));
        await cluster.touchOther();
        const versions = () => watches().map((request) => Number(request.query.get("resourceVersion")));
        await pods.until("a watch from a later version", () => versions().some((version) => version > listed));
        expect(pods.told()).toEqual(added(1));
        expect(pods.states.some((state) => state.kind === "bookmark")).toBe(true);
        await cluster.createPods(namespace, ["new"]);
        await pods.until("the new pod", () => pods.told().includes("added new"));
        expect(synced(pods)).toBe(1);
      });
    }
  });
}

const synced = (pods: Following) => pods.events.filter((event) => event.type === "synced").length;
const isWatching = (pods: Following) => pods.states.some((state) => state.kind === "watching");
const failures = (pods: Following) =>
  pods.states.flatMap((state) => (state.kind === "failing" ? [state.error.code] : []));

/** Starts a list and watch and gathers what it tells. */
export function startFollowing(
  conn: KubeConnection,
  options: Omit<ListWatchOptions<KubePod>, "clock" | "random" | "onEvent" | "onState">,
): Following {
  const events: WatchEvent<KubePod>[] = [];
  const states: WatchState[] = [];
  const store = new Map<string, Listed<KubePod>>();
  const waiting = new Set<() => void>();
  const controller = new AbortController();
  const heard = () => {
    for (const check of waiting) check();
  };
  const ended = listWatch(
    conn,
    {
      ...options,
      store,
      clock: systemClock,
      random: Math.random,
      onEvent: (event) => {
        events.push(event);
        heard();
      },
      onState: (state) => {
        states.push(state);
        heard();
      },
    },
    controller.signal,
  );
  ended.catch(heard);
  return {
    events,
    states,
    store,
    told: () => events.flatMap((event) => ("object" in event ? [`${event.type} ${event.object.metadata.name}`] : [])),
    until: (what, done) => waitUntil(what, done, waiting, () => ({ told: events.length, states: states.slice(-3) })),
    stop: async () => {
      controller.abort();
      await ended;
    },
  };
}

/** Resolves when `done`; looked at after each thing that was heard, and twice a second for what others count. */
function waitUntil(what: string, done: () => boolean, waiting: Set<() => void>, seen: () => object): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      waiting.delete(check);
      clearInterval(poll);
      clearTimeout(limit);
      settle();
    };
    const check = () => {
      if (done()) end(resolve);
    };
    const poll = setInterval(check, 50);
    const limit = setTimeout(
      () => end(() => reject(new Error(`waited 60 s for ${what}: ${JSON.stringify(seen())}`))),
      60_000,
    );
    waiting.add(check);
    check();
  });
}
