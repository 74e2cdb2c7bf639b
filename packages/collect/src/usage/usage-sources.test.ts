import type { KubeNode } from "@plimsoll/contracts";
import { PlimsollError } from "@plimsoll/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { fixedCredential } from "../kube/credential.ts";
import { createHttpConnection } from "../kube/http-connection.ts";
import { type Answer, json, startFakeServer } from "../kube/testing/fake-server.ts";
import { createManualClock } from "../kube/testing/manual-clock.ts";
import { readMetricsApi } from "./metrics-api.ts";
import { kubeletDirect, kubeletThroughApi, readKubelets } from "./read-kubelets.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

async function serve(answer: Answer) {
  const server = await startFakeServer(answer);
  const clock = createManualClock(undefined, 20_000);
  const conn = createHttpConnection({
    server: server.url,
    context: "shop",
    credentials: fixedCredential(),
    clock,
    connectMs: 25_000,
    random: () => 0.5,
  });
  open.push(server, conn);
  return { server, conn, clock };
}

async function failureOf(promise: Promise<unknown>): Promise<PlimsollError> {
  const thrown = await promise.catch((error: unknown) => error);
  if (thrown instanceof PlimsollError) return thrown;
  throw new Error(`no coded error but ${String(thrown)}`);
}

const byPath = (answers: Record<string, Answer>): Answer => {
  return (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    (answers[path] ?? json({ message: "not found" }, 404))(request, response);
  };
};

describe("metrics.k8s.io", () => {
  const nodes = { items: [{ metadata: { name: "n1" }, usage: { cpu: "599997333n", memory: "1000Mi" } }] };
  const pods = {
    items: [
      {
        metadata: { name: "web", namespace: "shop" },
        containers: [{ name: "a", usage: { cpu: "119999922n", memory: "1Gi" } }],
      },
      {
        metadata: { name: "two", namespace: "shop" },
        containers: [
          { name: "a", usage: { cpu: "1n", memory: "1Ki" } },
          { name: "b", usage: { cpu: "1m", memory: "1Ki" } },
        ],
      },
      { metadata: { name: "none", namespace: "shop" }, containers: [] },
    ],
  };
  const base = "/apis/metrics.k8s.io/v1beta1";

  test("nodes as they are, pods summed over their containers", async () => {
    const { conn } = await serve(byPath({ [`${base}/nodes`]: json(nodes), [`${base}/pods`]: json(pods) }));
    const { usage, errors } = await readMetricsApi(conn);
    expect(errors).toEqual([]);
    expect(usage).toEqual({
      source: "metrics.k8s.io",
      nodes: [{ node: "n1", usage: { cpu: "599997333n", memory: "1000Mi" } }],
      pods: [
        { namespace: "shop", pod: "web", usage: { cpu: "119999922n", memory: "1Gi" } },
        { namespace: "shop", pod: "two", usage: { cpu: "1000001n", memory: "2048" } },
        { namespace: "shop", pod: "none", usage: {} },
      ],
    });
  });

  test("half of it is better than nothing: the error of the other half stands beside", async () => {
    const { conn } = await serve(byPath({ [`${base}/nodes`]: json({}, 403), [`${base}/pods`]: json(pods) }));
    const { usage, errors } = await readMetricsApi(conn);
    expect(usage.nodes).toEqual([]);
    expect(usage.pods).toHaveLength(3);
    expect(errors.map((error) => error.code)).toEqual(["cluster_forbidden"]);
  });

  test("usage_not_served when it is not installed: nothing failed", async () => {
    const { conn } = await serve(json({}, 404));
    expect((await failureOf(readMetricsApi(conn))).code).toBe("usage_not_served");
  });

  test.each([
    { name: "there is no right", answer: json({}, 403), reason: "no right to list nodes and pods of metrics.k8s.io" },
    {
      name: "its server is down",
      answer: json({ message: "service unavailable" }, 503),
      reason: "service unavailable",
    },
  ])("usage_unavailable when $name", async ({ answer, reason }) => {
    const { conn, server } = await serve(answer);
    const error = await failureOf(readMetricsApi(conn));
    expect(error.code).toBe("usage_unavailable");
    expect(error.message).toContain(reason);
    expect(server.asked.length).toBeLessThanOrEqual(4);
  });

  test("no pods and no nodes without an error is an answer, not a failure", async () => {
    const { conn } = await serve(json({ items: [] }));
    expect((await readMetricsApi(conn)).usage).toEqual({ source: "metrics.k8s.io", nodes: [], pods: [] });
  });
});

describe("kubelets", () => {
  const node = (name: string, address?: string): KubeNode => ({
    metadata: { name, uid: name },
    spec: {},
    status: { addresses: address === undefined ? [] : [{ type: "InternalIP", address }] },
  });
  let reads = 0;
  const counter: Answer = (_, response) => {
    reads += 1;
    response.end(`node_cpu_usage_seconds_total ${reads * 10} ${reads * 10_000}\n`);
  };

  test("through the API server: two reads of each node", async () => {
    const { conn, server, clock } = await serve(counter);
    const usage = await readKubelets([node("n1")], kubeletThroughApi(conn), { clock });
    expect(usage.nodes).toEqual([{ node: "n1", usage: { cpu: "1000000000n" } }]);
    expect(server.asked).toEqual(Array(2).fill("/api/v1/nodes/n1/proxy/metrics/resource"));
    expect(clock.timers).toContain(15_000);
  });

  test("straight from the node's own address and port", async () => {
    const { conn, server, clock } = await serve(counter);
    const connected: string[] = [];
    const reader = kubeletDirect((address) => {
      connected.push(address);
      return conn;
    }, 10_250);
    const usage = await readKubelets([node("n1", "10.0.0.5"), node("n2", "fd00::1"), node("n3")], reader, { clock });
    expect(usage.nodes.map((item) => item.node)).toEqual(["n1", "n2"]);
    expect(connected).toEqual(["https://10.0.0.5:10250", "https://[fd00::1]:10250"]);
    expect(new Set(server.asked)).toEqual(new Set(["/metrics/resource"]));
  });

  test("a node may say where its kubelet keeps the figures, but on no other host", async () => {
    const { conn, server, clock } = await serve(counter);
    const annotated = (path: string): KubeNode => {
      const metadata = { name: path, uid: path, annotations: { "metrics.k8s.io/resource-metrics-path": path } };
      return { ...node(path, "10.0.0.5"), metadata };
    };
    await readKubelets(
      [annotated("/own/path"), annotated("//elsewhere.example/x")],
      kubeletDirect(() => conn),
      { clock },
    );
    expect(new Set(server.asked)).toEqual(new Set(["/own/path", "//elsewhere.example/x"]));
  });

  test("usage_unavailable when no kubelet answers, without waiting for a second read", async () => {
    const { conn, clock } = await serve(json({}, 403));
    const error = await failureOf(readKubelets([node("n1")], kubeletThroughApi(conn), { clock }));
    expect(error.code).toBe("usage_unavailable");
    expect(error.message).toContain("No right to list usage of node n1");
    expect(clock.timers).not.toContain(15_000);
  });
});
