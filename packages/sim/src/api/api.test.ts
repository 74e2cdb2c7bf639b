import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SimulatedCluster } from "../simulator/simulated-cluster.ts";
import { type Simulator, startSimulator } from "../simulator/start-simulator.ts";
import { type ApiReader, type ApiWatch, apiReader, type Json } from "../testing/api-reader.ts";

const START = new Date("2026-03-04T09:00:00Z");
const PODS = "/api/v1/pods";

let simulator: Simulator;
let cluster: SimulatedCluster;
let reader: ApiReader;
const watches: ApiWatch[] = [];

beforeAll(async () => {
  simulator = await startSimulator({
    clusters: 17,
    seed: 5,
    startAt: START,
    tickMs: 0,
    churn: false,
    podsPerCluster: 60,
    bookmarkSeconds: 0.2,
  });
  cluster = clusterAt(0);
  reader = apiReader(cluster);
});
afterEach(() => {
  cluster.faults.clear();
  for (const watch of watches.splice(0)) watch.stop();
});
afterAll(() => simulator.stop());

describe("lists", () => {
  test("have their kind once, and items without kind", async () => {
    const { body } = await reader.get("/apis/apps/v1/deployments");
    expect(body).toMatchObject({ kind: "DeploymentList", apiVersion: "apps/v1" });
    expect(body.items.length).toBeGreaterThan(5);
    expect(body.items[0].kind).toBeUndefined();
    expect(body.metadata.continue).toBeUndefined();
  });

  test("come page by page, each object once, from one revision, whatever changes in between", async () => {
    const before = await reader.items(PODS);
    const { body: first } = await reader.get(`${PODS}?limit=7`);
    expect(first.items).toHaveLength(7);
    expect(first.metadata.remainingItemCount).toBe(before.length - 7);
    put("zzz-late");
    const gone = before.at(-1);
    cluster.remove("pods", gone.metadata.namespace, gone.metadata.name);
    const items = [...first.items];
    for (let next = first.metadata.continue; next !== undefined; ) {
      const { body: page } = await reader.get(`${PODS}?limit=7&continue=${next}`);
      expect(page.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      items.push(...page.items);
      next = page.metadata.continue;
    }
    expect(items).toEqual(before);
  });

  test("of a past that is compacted end with 410 and a token to go on without consistency", async () => {
    const { body: first } = await reader.get(`${PODS}?limit=5`);
    put("between");
    cluster.compact();
    const late = await reader.get(`${PODS}?limit=5&continue=${first.metadata.continue}`);
    expect(late.status).toBe(410);
    expect(late.body).toMatchObject({ kind: "Status", status: "Failure", reason: "Expired", code: 410 });
    const on = await reader.get(`${PODS}?limit=500&continue=${late.body.metadata.continue}`);
    expect(on.status).toBe(200);
    expect(on.body.items.map(nameOf)).toContain("default/between");
  });

  test.each([
    ["labelSelector=k8s-app%3Dkube-dns", (pod: Json) => pod.metadata.labels?.["k8s-app"] === "kube-dns"],
    [
      "labelSelector=app%20in%20(checkout-api,basket)",
      (pod: Json) => ["checkout-api", "basket"].includes(pod.metadata.labels?.app),
    ],
    ["labelSelector=!app,k8s-app", (pod: Json) => !("app" in pod.metadata.labels) && "k8s-app" in pod.metadata.labels],
    ["labelSelector=app!%3Dbasket", (pod: Json) => pod.metadata.labels?.app !== "basket"],
    ["fieldSelector=status.phase%3DRunning", (pod: Json) => pod.status.phase === "Running"],
    ["fieldSelector=metadata.namespace%3Dkube-system", (pod: Json) => pod.metadata.namespace === "kube-system"],
  ])("are cut down by %s", async (query, matches) => {
    put("given");
    const all = (await reader.get(PODS)).body.items;
    const { body } = await reader.get(`${PODS}?${query}`);
    expect(body.items.map(nameOf)).toEqual(all.filter(matches).map(nameOf));
    expect(body.items.length).toBeGreaterThan(0);
  });

  test("of one namespace hold that one only", async () => {
    const { body } = await reader.get("/api/v1/namespaces/kube-system/pods");
    expect(new Set(body.items.map(({ metadata }: Json) => metadata.namespace))).toEqual(new Set(["kube-system"]));
  });

  test("show metadata alone to who asks for it", async () => {
    const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    const { body } = await reader.get(`${PODS}?limit=1`, { authorization: `Bearer ${cluster.token}`, accept });
    expect(body).toMatchObject({ kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1" });
    expect(Object.keys(body.items[0]).sort()).toEqual(["apiVersion", "kind", "metadata"]);
  });
});

describe("refusals", () => {
  test.each([
    ["/api/v1/pods?limit=x", 400, "BadRequest"],
    ["/api/v1/pods?continue=nonsense", 400, "BadRequest"],
    ["/api/v1/pods?resourceVersion=x", 400, "BadRequest"],
    ["/api/v1/pods?labelSelector=((", 400, "BadRequest"],
    ["/api/v1/pods?fieldSelector=spec.color%3Dred", 400, "BadRequest"],
    ["/api/v1/pods?resourceVersion=1&resourceVersionMatch=Exact", 410, "Expired"],
    ["/api/v1/pods?resourceVersion=999999999999", 504, "Timeout"],
    ["/api/v1/pods?resourceVersionMatch=Exact", 422, "Invalid"],
    ["/api/v1/widgets", 404, "NotFound"],
    ["/apis/batch/v2/jobs", 404, "NotFound"],
    ["/api/v1/nodes/a/b", 404, "NotFound"],
    ["/api/v1/namespaces/none", 404, "NotFound"],
    ["/api/v1/namespaces/default/pods/none", 404, "NotFound"],
  ])("%s is %i %s, as a Status", async (path, code, reason) => {
    const { status, body } = await reader.get(path);
    expect(status).toBe(code);
    expect(body).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", reason, code });
  });

  test.each(["/", "/apis/none", "/apis/none/v1/things", "/metrics"])("%s is unknown, in plain text", async (path) => {
    const { status, text } = await reader.get(path);
    expect([status, text]).toEqual([404, "404 page not found\n"]);
  });

  test("a wrong token is refused everywhere, no token only for what is not public", async () => {
    const status = async (path: string, headers: Record<string, string>) => (await reader.get(path, headers)).status;
    expect(await status(PODS, {})).toBe(401);
    expect(await status(PODS, { authorization: "Bearer wrong" })).toBe(401);
    expect(await status("/version", { authorization: "Bearer wrong" })).toBe(401);
    expect(await status("/version", {})).toBe(200);
    expect(await status("/readyz", {})).toBe(200);
    const other = await reader.get(PODS, { authorization: `Bearer ${clusterAt(1).token}` });
    expect(other.body).toMatchObject({ reason: "Unauthorized", code: 401 });
  });

  test("writing is refused", async () => {
    const headers = { authorization: `Bearer ${cluster.token}` };
    const answer = await fetch(`${cluster.server}${PODS}`, { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(405);
  });
});

describe("watches", () => {
  test("tell what changed since a revision, in order, with kind and revision", async () => {
    const watch = await follow(PODS);
    put("w1");
    put("w1", { changed: "yes" });
    cluster.remove("pods", "default", "w1");
    await watch.until(() => changes(watch).length === 3);
    expect(changes(watch).map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(changes(watch)[0].object).toMatchObject({ kind: "Pod", apiVersion: "v1" });
    const revisions = changes(watch).map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(new Set(revisions).size).toBe(3);
    expect(changes(watch)[2].object.metadata.labels).toEqual({ changed: "yes" });
  });

  test("resume from a revision without a gap and without a repetition", async () => {
    const first = await follow(PODS);
    put("r1");
    await first.until(() => changes(first).length === 1);
    const seen = changes(first)[0].object.metadata.resourceVersion;
    first.stop();
    put("r2");
    put("r3");
    const second = await open(`${PODS}?watch=true&resourceVersion=${seen}`);
    await second.until(() => changes(second).length === 2);
    expect(changes(second).map(({ object }) => object.metadata.name)).toEqual(["r2", "r3"]);
  });

  test("without a revision begin with what is there", async () => {
    const nodes = (await reader.get("/api/v1/nodes")).body.items.map(nameOf);
    const watch = await open("/api/v1/nodes?watch=true");
    await watch.until(() => watch.events.length >= nodes.length);
    expect(watch.events.map(({ type, object }) => `${type} ${nameOf(object)}`)).toEqual(
      nodes.map((name: string) => `ADDED ${name}`),
    );
  });

  test("with sendInitialEvents mark the end of what was there", async () => {
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const watch = await open(`/api/v1/nodes?${query}`);
    await watch.until(() => watch.events.some(({ type }) => type === "BOOKMARK"));
    const mark = watch.events.find(({ type }) => type === "BOOKMARK");
    expect(mark.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  });

  test("send bookmarks that carry the newest revision of the whole cluster, only to who asks", async () => {
    const asking = await follow(PODS, "&allowWatchBookmarks=true");
    const silent = await follow(PODS);
    cluster.put("services", { metadata: { name: "elsewhere", namespace: "default" } });
    const newest = String(cluster.world().store.revision);
    await asking.until(() => asking.events.some(({ object }) => object.metadata.resourceVersion === newest));
    expect(asking.events.at(-1)).toMatchObject({ type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1" } });
    expect(Object.keys(asking.events.at(-1).object.metadata)).toEqual(["resourceVersion"]);
    expect(silent.events).toEqual([]);
  });

  test("from before a compaction get an ERROR event with 410, and end", async () => {
    const { body } = await reader.get(PODS);
    put("compacted");
    cluster.compact();
    const watch = await open(`${PODS}?watch=true&resourceVersion=${body.metadata.resourceVersion}`);
    expect(watch.status).toBe(200);
    expect(await watch.ended).toBe("end");
    expect(watch.events).toMatchObject([{ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } }]);
  });

  test("that run do not notice a compaction", async () => {
    const watch = await follow(PODS);
    cluster.compact();
    put("after-compaction");
    await watch.until(() => changes(watch).length === 1);
  });

  test("end in whole after timeoutSeconds", async () => {
    const watch = await follow(PODS, "&timeoutSeconds=1");
    expect(await watch.ended).toBe("end");
    expect(watch.rest()).toBe("");
  });

  test("with a selector turn a change into ADDED or DELETED when it enters or leaves", async () => {
    const watch = await follow(PODS, "&labelSelector=colour%3Dred");
    put("s1");
    put("s1", { colour: "red" });
    put("s1", { colour: "red", more: "x" });
    put("s1", { colour: "blue" });
    await watch.until(() => changes(watch).length === 3);
    expect(changes(watch).map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(changes(watch)[2].object.metadata.labels.colour).toBe("red");
  });
});

describe("faults on order", () => {
  test("429 with Retry-After, as often as ordered, and counted", async () => {
    const fault = cluster.inject({
      does: "answer",
      status: 429,
      retryAfterSeconds: 3,
      verb: "list",
      path: PODS,
      times: 2,
    });
    const answers = [
      await reader.get(PODS),
      await reader.get("/api/v1/nodes"),
      await reader.get(PODS),
      await reader.get(PODS),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 200, 429, 200]);
    expect(answers[0]?.headers.get("retry-after")).toBe("3");
    expect(answers[0]?.body).toMatchObject({ kind: "Status", reason: "TooManyRequests" });
    expect(fault.fired).toBe(2);
  });

  test("a running watch is cut in the middle of an event", async () => {
    const watch = await follow(PODS);
    const fault = cluster.inject({ does: "cut", verb: "watch" });
    put("half");
    expect(await watch.ended).toBe("cut");
    expect(watch.rest()).toMatch(/^\{"type":"ADDED".*/);
    expect([watch.events, fault.fired]).toEqual([[], 1]);
  });

  test("a running watch falls silent, bookmarks included, and stays open", async () => {
    const watch = await follow(PODS, "&allowWatchBookmarks=true&timeoutSeconds=1");
    const fault = cluster.inject({ does: "silence", verb: "watch" });
    put("unheard");
    expect(fault.fired).toBe(1);
    await watch.ended;
    expect(watch.events).toEqual([]);
  });

  test("a list is cut in the middle of an object", async () => {
    cluster.inject({ does: "cut", verb: "list" });
    await expect(reader.get(PODS)).rejects.toThrow();
    expect((await reader.get(PODS)).status).toBe(200);
  });

  test("a connection is refused, an answer comes late, all watches are cut", async () => {
    cluster.inject({ does: "refuse" });
    await expect(reader.get("/version")).rejects.toThrow();
    cluster.inject({ does: "delay", delayMs: 150 });
    const begun = performance.now();
    await reader.get("/version");
    expect(performance.now() - begun).toBeGreaterThan(140);
    const watch = await follow(PODS);
    expect(cluster.openWatches).toBe(1);
    cluster.cutWatches();
    expect(await watch.ended).toBe("cut");
  });
});

describe("the rest of the API", () => {
  test("version, discovery and health say what they say on real clusters, and that it is a simulated one", async () => {
    const { body: version } = await reader.get("/version");
    expect(version).toMatchObject({ major: "1", gitVersion: cluster.plan.release.server, gitTreeState: "simulated" });
    expect((await reader.get("/livez")).text).toBe("ok");
    const { body: groups } = await reader.get("/apis");
    expect(groups.groups.map(({ name }: Json) => name)).toEqual(["apps", "batch", "metrics.k8s.io"]);
    const { body: core } = await reader.get("/api/v1");
    expect(core.resources.map(({ name }: Json) => name)).toContain("persistentvolumeclaims");
  });

  test("metrics come with time, window and usage, for pods that ran a whole window", async () => {
    const { body } = await reader.get("/apis/metrics.k8s.io/v1beta1/pods");
    expect(body).toMatchObject({ kind: "PodMetricsList", apiVersion: "metrics.k8s.io/v1beta1" });
    expect(body.items[0]).toMatchObject({ timestamp: "2026-03-04T09:00:00Z", window: "15s" });
    expect(body.items[0].containers[0].usage).toEqual({
      cpu: expect.stringMatching(/^\d+n$/),
      memory: expect.stringMatching(/^\d+Ki$/),
    });
    const { body: nodes } = await reader.get("/apis/metrics.k8s.io/v1beta1/nodes");
    const machines = (await reader.get("/api/v1/nodes")).body.items.filter(
      ({ metadata }: Json) => metadata.labels.type !== "virtual-kubelet",
    );
    expect(nodes.items.map(nameOf)).toEqual(machines.map(nameOf));
  });

  test("requests are counted by verb and subject", async () => {
    const before = cluster.requests["list resourcequotas"] ?? 0;
    await reader.get("/api/v1/resourcequotas");
    await reader.get("/api/v1/resourcequotas");
    expect(cluster.requests["list resourcequotas"]).toBe(before + 2);
  });

  test("a sick cluster has no metrics, and its discovery does not name them", async () => {
    const sick = clusterAt(16);
    expect(sick.plan.sickness).toBe("no-metrics");
    expect((await apiReader(sick).get("/apis/metrics.k8s.io/v1beta1/nodes")).status).toBe(404);
    expect((await apiReader(sick).get("/apis")).body.groups.map(({ name }: Json) => name)).toEqual(["apps", "batch"]);
  });

  test("an API with outages answers 503 for three minutes of each quarter of an hour, and cuts its watches then", async () => {
    const other = await startSimulator({ clusters: 14, seed: 5, startAt: START, tickMs: 0, podsPerCluster: 30 });
    const sick = other.cluster(clusterAt(13).name);
    expect(sick.plan.sickness).toBe("api-outages");
    const watch = await apiReader(sick).watch(`${PODS}?watch=true&resourceVersion=${sick.world().store.revision}`);
    const statuses: number[] = [];
    for (const minute of [1, 9, 11, 12, 14]) {
      other.advance(new Date(START.getTime() + minute * 60_000));
      statuses.push((await apiReader(sick).get("/readyz")).status);
    }
    expect(statuses).toEqual([200, 200, 503, 503, 200]);
    expect(await watch.ended).toBe("cut");
    await other.stop();
  });
});

function clusterAt(index: number): SimulatedCluster {
  const found = simulator.clusters[index];
  if (found === undefined) throw new Error(`no cluster ${index}`);
  return found;
}

function put(name: string, labels: Record<string, string> = {}): void {
  cluster.put("pods", {
    metadata: { name, namespace: "default", labels },
    spec: { containers: [] },
    status: { phase: "Pending" },
  });
}

async function open(path: string): Promise<ApiWatch> {
  const watch = await reader.watch(path);
  watches.push(watch);
  return watch;
}

/** Watches from the present on. */
function follow(path: string, query = ""): Promise<ApiWatch> {
  return open(`${path}?watch=true&resourceVersion=${cluster.world().store.revision}${query}`);
}

function changes(watch: ApiWatch): Json[] {
  return watch.events.filter(({ type }) => type !== "BOOKMARK");
}

function nameOf({ metadata }: Json): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}
