import { type ClusterFacts, PlimsollError } from "@plimsoll/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixedCredential } from "../kube/credential.ts";
import { createHttpConnection } from "../kube/http-connection.ts";
import { RESOURCE_PATHS } from "../kube/resources.ts";
import { type Answer, json, startFakeServer } from "../kube/testing/fake-server.ts";
import { createManualClock, type ManualClock } from "../kube/testing/manual-clock.ts";
import { type CollectOptions, collectCluster } from "./collect-cluster.ts";
import type { CollectProgress } from "./progress.ts";

const open: { close(): unknown }[] = [];
let clock: ManualClock;
beforeEach(() => {
  clock = createManualClock(Date.parse("2026-01-31T08:00:00Z"), 5_000);
});
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

const node = { metadata: { name: "n1", uid: "n1" }, spec: {}, status: { capacity: { cpu: "4" } } };
const pod = (name: string) => ({
  metadata: { name, namespace: "shop", uid: name },
  spec: { containers: [{ name: "c" }] },
});
const METRICS = "/apis/metrics.k8s.io/v1beta1";
const version = (gitVersion: string) => json({ major: "1", minor: "36", gitVersion });

/** A healthy small cluster; `more` replaces answers by path. */
const answers = (more: Record<string, Answer> = {}): Record<string, Answer> => ({
  ...Object.fromEntries(Object.values(RESOURCE_PATHS).map(({ path }) => [path, json({ metadata: {}, items: [] })])),
  "/version": version("v1.36.1"),
  [RESOURCE_PATHS.nodes.path]: json({ metadata: {}, items: [node] }),
  [RESOURCE_PATHS.pods.path]: json({ metadata: {}, items: [pod("a"), pod("b")] }),
  [`${METRICS}/nodes`]: json({ items: [{ metadata: { name: "n1" }, usage: { cpu: "1" } }] }),
  [`${METRICS}/pods`]: json({ items: [{ metadata: { name: "a", namespace: "shop" }, containers: [] }] }),
  ...more,
});

async function serve(more: Record<string, Answer> = {}) {
  const byPath = answers(more);
  const server = await startFakeServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    (byPath[path] ?? json({ message: "unknown" }, 404))(request, response);
  });
  open.push(server);
  return server;
}

function collect(url: string, options: Partial<CollectOptions> = {}): Promise<ClusterFacts> {
  const conn = createHttpConnection({
    server: url,
    context: "shop",
    credentials: fixedCredential(),
    clock,
    random: () => 0.5,
    connectMs: 20_000,
  });
  open.push(conn);
  return collectCluster(conn, { name: "shop", deadlineMs: 60_000, clock, ...options });
}

async function failureOf(promise: Promise<unknown>): Promise<PlimsollError> {
  const thrown = await promise.catch((error: unknown) => error);
  if (thrown instanceof PlimsollError) return thrown;
  throw new Error(`no coded error but ${String(thrown)}`);
}

const forbidden = json({ kind: "Status", message: "no" }, 403);

describe("a cluster is read whole", () => {
  test("every resource, usage and versions, with the time of their reading", async () => {
    const server = await serve();
    const facts = await collect(server.url);
    expect(facts.name).toBe("shop");
    expect(facts.source).toEqual({ kind: "api", location: server.url });
    expect(facts.asOf).toBe("2026-01-31T08:00:00.000Z");
    expect(facts.serverVersions).toEqual({ known: true, value: ["v1.36.1"], observedAt: "2026-01-31T08:00:00.000Z" });
    expect(facts.objects.pods).toMatchObject({
      known: true,
      value: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }],
    });
    expect(Object.values(facts.objects).every((reading) => reading.known)).toBe(true);
    expect(facts.usage).toMatchObject({ known: true, value: { source: "metrics.k8s.io", nodes: [{ node: "n1" }] } });
    expect(facts.unused).toEqual([]);
  });

  test("each API server behind a load balancer may answer another version: all are kept", async () => {
    const versions = ["v1.36.1", "v1.35.4", "v1.36.1"];
    const server = await serve({
      "/version": (request, response) => version(versions.shift() ?? "")(request, response),
    });
    const facts = await collect(server.url);
    expect(facts.serverVersions).toMatchObject({ value: ["v1.35.4", "v1.36.1"] });
  });

  test("progress is told per resource, page by page", async () => {
    const paged: Answer = (request, response) => {
      const token = new URL(request.url ?? "", "http://x").searchParams.get("continue");
      json(token ? { items: [pod("b")], metadata: {} } : { items: [pod("a")], metadata: { continue: "t" } })(
        request,
        response,
      );
    };
    const steps: CollectProgress[] = [];
    const server = await serve({ [RESOURCE_PATHS.pods.path]: paged });
    await collect(server.url, { progress: (step) => steps.push(step) });
    expect(steps.filter((step) => step.resource === "pods")).toEqual([
      { resource: "pods", objects: 1, done: false },
      { resource: "pods", objects: 2, done: false },
      { resource: "pods", objects: 2, done: true },
    ]);
    expect(steps.filter((step) => step.done)).toHaveLength(15);
  });

  test("at most three lists run at once", async () => {
    let running = 0;
    let most = 0;
    const slow: Answer = (request, response) => {
      running += 1;
      most = Math.max(most, running);
      setImmediate(() =>
        setImmediate(() => {
          running -= 1;
          json({ metadata: {}, items: [] })(request, response);
        }),
      );
    };
    const server = await serve(Object.fromEntries(Object.values(RESOURCE_PATHS).map(({ path }) => [path, slow])));
    await collect(server.url);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  test("an object of a wrong shape is left out and listed with its reason and the resource whose figures lack it", async () => {
    const server = await serve({
      [RESOURCE_PATHS.pods.path]: json({ metadata: {}, items: [pod("a"), { ...pod("b"), spec: {} }] }),
    });
    const facts = await collect(server.url);
    expect(facts.objects.pods).toMatchObject({ known: true, value: [{ metadata: { name: "a" } }] });
    expect(facts.unused).toEqual([
      { where: "pods shop/b", code: "object_unusable", reason: "spec.containers is missing", resource: "pods" },
    ]);
  });
});

describe("what is missing makes its own figure unknown, not the whole", () => {
  test("no right on nodes: nodes are unknown, pods are known", async () => {
    const server = await serve({ [RESOURCE_PATHS.nodes.path]: forbidden, [`${METRICS}/nodes`]: forbidden });
    const facts = await collect(server.url);
    expect(facts.objects.nodes).toMatchObject({ known: false, error: { code: "cluster_forbidden" } });
    expect(facts.objects.nodes).toMatchObject({ error: { message: "No right to list nodes in context shop" } });
    expect(facts.objects.pods.known).toBe(true);
    expect(facts.usage.known).toBe(true);
    expect(facts.unused).toMatchObject([{ where: "nodes.metrics.k8s.io", code: "cluster_forbidden" }]);
  });

  test("no right on anything: every figure is unknown, and the cluster is still a row", async () => {
    const all = Object.fromEntries(Object.keys(answers()).map((path) => [path, forbidden]));
    const facts = await collect((await serve(all)).url);
    expect(Object.values(facts.objects).map((reading) => !reading.known && reading.error.code)).toEqual(
      Array(13).fill("cluster_forbidden"),
    );
    expect(facts.serverVersions).toMatchObject({ known: false, error: { code: "cluster_forbidden" } });
    expect(facts.usage).toMatchObject({ known: false, error: { code: "usage_unavailable" } });
  });

  test("a resource that the API does not serve is unknown", async () => {
    const facts = await collect((await serve({ [RESOURCE_PATHS.cronjobs.path]: json({}, 404) })).url);
    expect(facts.objects.cronjobs).toMatchObject({ known: false, error: { code: "api_missing" } });
  });

  test("usage that is not there is unknown, or comes from the fallback", async () => {
    const url = (await serve({ [`${METRICS}/nodes`]: json({}, 404), [`${METRICS}/pods`]: json({}, 404) })).url;
    expect((await collect(url)).usage).toMatchObject({ known: false, error: { code: "usage_not_served" } });
    const usage = { source: "kubelet" as const, nodes: [{ node: "n1", usage: { cpu: "1" } }], pods: [] };
    const asked: string[] = [];
    const facts = await collect(url, {
      usageFallback: async (nodes) => {
        asked.push(...nodes.map((item) => item.metadata.name));
        return usage;
      },
    });
    expect(facts.usage).toMatchObject({ known: true, value: usage });
    expect(asked).toEqual(["n1"]);
  });

  test("what did not answer by the deadline is unknown, what did is kept, and the whole ends by then", async () => {
    const server = await serve({ [RESOURCE_PATHS.replicasets.path]: () => {} });
    const done: CollectProgress[] = [];
    const progress = (step: CollectProgress) => step.done && done.push(step);
    const collecting = collect(server.url, { deadlineMs: 25_000, progress });
    await expect.poll(() => done.length).toBe(14);
    clock.advance(25_000);
    const facts = await collecting;
    expect(facts.objects.replicasets).toMatchObject({ known: false, error: { code: "cluster_timeout" } });
    expect(facts.objects.pods.known).toBe(true);
    expect(facts.objects.replicasets).toMatchObject({
      error: { message: "Reading replicasets of shop took longer than 25 s" },
    });
  });
});

describe("a cluster that cannot be read rejects once, with its code", () => {
  test.each<{ name: string; more: Record<string, Answer>; code: string }>([
    { name: "credentials are refused", more: { "/version": json({}, 401) }, code: "cluster_unauthorized" },
    {
      name: "it is a sign-in page",
      more: { "/version": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>") },
      code: "api_answer_invalid",
    },
    { name: "it is another JSON service", more: { "/version": json({ hello: 1 }) }, code: "api_answer_invalid" },
    {
      name: "lists refuse credentials that /version does not ask for",
      more: Object.fromEntries(Object.values(RESOURCE_PATHS).map(({ path }) => [path, json({}, 401)])),
      code: "cluster_unauthorized",
    },
  ])("$name → $code", async ({ more, code }) => {
    expect((await failureOf(collect((await serve(more)).url))).code).toBe(code);
  });

  test("a dead address is told after one attempt", async () => {
    const error = await failureOf(collect("http://127.0.0.1:1"));
    expect(error.code).toBe("cluster_unreachable");
    expect(clock.timers.filter((ms) => ms < 20_000)).toEqual([]);
  });

  test("nothing at all by the deadline is cluster_timeout", async () => {
    const silent: Answer = () => {};
    const server = await serve({ "/version": () => clock.advance(25_000), [RESOURCE_PATHS.nodes.path]: silent });
    const error = await failureOf(collect(server.url, { deadlineMs: 25_000 }));
    expect(error.code).toBe("cluster_timeout");
    expect(error.message).toBe("Reading the version of shop took longer than 25 s");
  });

  test("usage that does not come by the deadline is named too", async () => {
    const server = await serve({ [`${METRICS}/nodes`]: () => {}, [`${METRICS}/pods`]: () => {} });
    const done: CollectProgress[] = [];
    const progress = (step: CollectProgress) => step.done && done.push(step);
    const collecting = collect(server.url, { deadlineMs: 25_000, progress });
    await expect.poll(() => done.length).toBe(14);
    clock.advance(25_000);
    expect((await collecting).usage).toMatchObject({
      error: { message: expect.stringContaining("Reading usage of shop took longer than 25 s") },
    });
  });

  test("an abort rejects with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("Ctrl-C");
    const server = await serve({ [RESOURCE_PATHS.pods.path]: () => controller.abort(reason) });
    await expect(collect(server.url, { signal: controller.signal })).rejects.toBe(reason);
  });
});
