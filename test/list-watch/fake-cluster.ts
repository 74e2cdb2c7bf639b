import http from "node:http";
import type { AddressInfo } from "node:net";
import type { SuiteCluster } from "./suite.ts";

interface StoredPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
}

interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly version: number;
  readonly pod: StoredPod;
}

/** The part of the list and watch protocol that the suite asks for, over pods in memory. Bookmarks come 2 s before a watch ends. */
export async function startFakeCluster(): Promise<SuiteCluster> {
  const cluster = new FakeCluster();
  const server = http.createServer((request, response) => cluster.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server: `http://127.0.0.1:${port}`,
    token: cluster.token,
    createPods: async (namespace, names) => {
      for (const name of names) cluster.create(namespace, name);
    },
    changePod: async (namespace, name, value) => cluster.change(namespace, name, value),
    deletePod: async (namespace, name) => cluster.delete(namespace, name),
    touchOther: async () => cluster.touch(),
    compact: async () => cluster.compact(),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

class FakeCluster {
  readonly token = "good-token";
  readonly #pods = new Map<string, StoredPod>();
  readonly #changes: Change[] = [];
  readonly #listeners = new Set<(change: Change) => void>();
  #version = 100;
  #compacted = 0;

  create(namespace: string, name: string): void {
    this.#record("ADDED", namespace, name, { uid: `uid-${this.#version + 1}`, labels: {} });
  }

  change(namespace: string, name: string, value: string): void {
    const held = this.#pods.get(`${namespace}/${name}`);
    if (held) this.#record("MODIFIED", namespace, name, { uid: held.metadata.uid, labels: { value } });
  }

  delete(namespace: string, name: string): void {
    const held = this.#pods.get(`${namespace}/${name}`);
    if (held) this.#record("DELETED", namespace, name, { uid: held.metadata.uid, labels: held.metadata.labels });
  }

  touch(): void {
    this.#version += 1;
  }

  compact(): void {
    this.#compacted = this.#version;
  }

  answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://fake");
    const namespace = url.pathname.split("/")[4] ?? "";
    if (request.headers.authorization !== `Bearer ${this.token}`) fail(response, 401, "who are you?");
    else if (url.searchParams.has("watch")) this.#watch(namespace, url.searchParams, response);
    else this.#list(namespace, url.searchParams, response);
  }

  #list(namespace: string, query: URLSearchParams, response: http.ServerResponse): void {
    const [version = this.#version, from = ""] = query.has("continue")
      ? [Number(query.get("continue")?.split("~")[0]), query.get("continue")?.split("~")[1]]
      : [];
    if (version < this.#compacted) fail(response, 410, "the continue parameter is too old");
    else this.#sendPage(namespace, version, from, Number(query.get("limit") ?? 500), response);
  }

  #sendPage(namespace: string, version: number, from: string, limit: number, response: http.ServerResponse): void {
    const all = this.#at(version).filter((pod) => pod.metadata.namespace === namespace && pod.metadata.name > from);
    const items = all.slice(0, limit);
    const next = items.length < all.length ? `${version}~${items.at(-1)?.metadata.name}` : undefined;
    send(response, 200, { kind: "PodList", metadata: { resourceVersion: String(version), continue: next }, items });
  }

  /** The pods as they were at `version`: paged lists are consistent. */
  #at(version: number): StoredPod[] {
    const pods = new Map<string, StoredPod>();
    for (const change of this.#changes) {
      if (change.version > version) break;
      if (change.type === "DELETED") pods.delete(change.pod.metadata.name);
      else pods.set(change.pod.metadata.name, change.pod);
    }
    return [...pods.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  #watch(namespace: string, query: URLSearchParams, response: http.ServerResponse): void {
    const since = Number(query.get("resourceVersion"));
    response.writeHead(200, { "content-type": "application/json" });
    const line = (event: object) => response.write(`${JSON.stringify(event)}\n`);
    if (since < this.#compacted) {
      line({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } });
      return void response.end();
    }
    const tell = ({ type, pod }: Change) => {
      if (pod.metadata.namespace === namespace) line({ type, object: pod });
    };
    for (const change of this.#changes) if (change.version > since) tell(change);
    response.flushHeaders();
    this.#listeners.add(tell);
    const seconds = Number(query.get("timeoutSeconds"));
    const bookmark = () => {
      line({ type: "BOOKMARK", object: { kind: "Pod", metadata: { resourceVersion: String(this.#version) } } });
    };
    const timers = [
      setTimeout(() => query.has("allowWatchBookmarks") && bookmark(), Math.max(0, seconds - 2) * 1000),
      setTimeout(() => response.end(), seconds * 1000),
    ];
    response.on("close", () => {
      this.#listeners.delete(tell);
      for (const timer of timers) clearTimeout(timer);
    });
  }

  #record(
    type: Change["type"],
    namespace: string,
    name: string,
    { uid, labels }: Pick<StoredPod["metadata"], "uid" | "labels">,
  ): void {
    this.#version += 1;
    const metadata = { name, namespace, uid, labels, resourceVersion: String(this.#version) };
    const pod = { metadata, spec: { containers: [{ name: "main", image: "registry.example/main:1" }] } };
    const change = { type, version: this.#version, pod };
    if (type === "DELETED") this.#pods.delete(`${namespace}/${name}`);
    else this.#pods.set(`${namespace}/${name}`, pod);
    this.#changes.push(change);
    for (const tell of this.#listeners) tell(change);
  }
}

function send(response: http.ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function fail(response: http.ServerResponse, code: number, message: string): void {
  send(response, code, { kind: "Status", code, message });
}
