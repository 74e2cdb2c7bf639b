import { join } from "node:path";
import {
  collectCluster,
  createHttpConnection,
  fixedCredential,
  KUBE_RESOURCES,
  kubeletDirect,
  openContext,
  RESOURCE_PATHS,
  readKubeconfig,
  readKubelets,
  systemClock,
} from "@plimsoll/collect";
import { type ClusterFacts, PlimsollError } from "@plimsoll/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, contextOf, type Fleet, sharedFleet, writeKubeconfig } from "../testbed/index.ts";

let fleet: Fleet;
let eks: Cluster;
let kubeconfig: string;
const open: { close(): void }[] = [];

beforeAll(async () => {
  fleet = await sharedFleet();
  eks = fleet.cluster("eks-prod");
  const certificate = (name: string, files: { certFile: string; keyFile: string }) => ({
    ...contextOf(eks, { name }),
    credentials: { kind: "certificate" as const, ...files },
  });
  kubeconfig = writeKubeconfig(join(eks.dir, `collect-${process.pid}.kubeconfig`), [
    contextOf(eks, { name: "admin" }),
    contextOf(eks, { name: "without-nodes", token: "withoutNodes" }),
    contextOf(eks, { name: "without-rights", token: "withoutRights" }),
    contextOf(eks, { name: "expired-token", token: "expired" }),
    certificate("certificate", eks.clientCertificate),
    certificate("expired-certificate", eks.expiredCertificate),
    { ...contextOf(eks, { name: "untrusted" }), caFile: join(import.meta.dirname, OTHER_CA) },
  ]);
});
afterAll(() => {
  for (const item of open) item.close();
});

const OTHER_CA = "../../packages/collect/src/kube/testing/testdata/ca.crt";

async function collect(context: string, path = kubeconfig): Promise<ClusterFacts> {
  const conn = await openContext(await readKubeconfig({ path, env: {} }), context);
  open.push(conn);
  return collectCluster(conn, { name: context, deadlineMs: 30_000 });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.catch((error: unknown) => error);
  return thrown instanceof PlimsollError ? thrown.code : String(thrown);
}

describe("a collection of real clusters", () => {
  test("has every object that the API lists, once", async () => {
    for (const cluster of fleet.clusters) {
      const facts = await collect(cluster.name, fleet.kubeconfig);
      expect(facts.serverVersions).toMatchObject({ known: true, value: [cluster.gitVersion] });
      expect(facts.unused).toEqual([]);
      for (const resource of KUBE_RESOURCES) {
        const listed = await cluster.api.list(RESOURCE_PATHS[resource].path);
        const reading = facts.objects[resource];
        if (!reading.known) throw new Error(`${resource}: ${reading.error.message}`);
        const uids = reading.value.map((item) => item.metadata.uid);
        expect(uids.toSorted(), resource).toEqual(listed.map((item) => item.metadata.uid).toSorted());
      }
    }
  });

  test("has the usage of every ready node from metrics.k8s.io", async () => {
    const { usage, objects } = await collect("admin");
    if (!usage.known || !objects.nodes.known) throw new Error("unknown");
    const ready = objects.nodes.value.filter(({ status }) =>
      status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"),
    );
    expect(usage.value.source).toBe("metrics.k8s.io");
    expect(new Set(usage.value.nodes.map((item) => item.node))).toEqual(
      new Set(ready.map((node) => node.metadata.name)),
    );
    expect(usage.value.pods.length).toBeGreaterThan(0);
  });

  test("a client certificate reads the same as a token", async () => {
    const [token, certificate] = await Promise.all([collect("admin"), collect("certificate")]);
    const uids = (facts: ClusterFacts) =>
      facts.objects.nodes.known && facts.objects.nodes.value.map((node) => node.metadata.uid);
    expect(uids(certificate)).toEqual(uids(token));
  });

  test("without a right on nodes, only what needs nodes is unknown", async () => {
    const facts = await collect("without-nodes");
    const unknown = KUBE_RESOURCES.filter((resource) => !facts.objects[resource].known);
    expect(unknown).toEqual(["nodes", "persistentvolumes"]);
    expect(facts.usage).toMatchObject({ known: true, value: { nodes: [] } });
    expect(facts.unused).toMatchObject([{ where: "nodes.metrics.k8s.io", code: "cluster_forbidden" }]);
  });

  test("without any right everything is unknown, and said so", async () => {
    const facts = await collect("without-rights");
    const codes = Object.values(facts.objects).map((reading) => (reading.known ? "known" : reading.error.code));
    expect(new Set(codes)).toEqual(new Set(["cluster_forbidden"]));
  });

  test.each([
    ["expired-token", "cluster_unauthorized"],
    ["expired-certificate", "cluster_unauthorized"],
    ["untrusted", "tls_untrusted"],
  ])("%s → %s", async (context, code) => {
    expect(await codeOf(collect(context))).toBe(code);
  });
});

test("two reads of the kubelets' own figures agree with metrics.k8s.io", async () => {
  const { usage, objects } = await collect("admin");
  if (!usage.known || !objects.nodes.known) throw new Error("unknown");
  const reporting = new Set(usage.value.nodes.map((item) => item.node));
  const nodes = objects.nodes.value.filter((node) => reporting.has(node.metadata.name));
  const raw = await eks.api.list("/api/v1/nodes");
  const port = Number(JSON.stringify(raw).match(/"kubeletEndpoint":\{"Port":(\d+)\}/)?.[1]);
  const read = kubeletDirect((server) => {
    const headers = { authorization: `Bearer ${eks.token}` };
    const credentials = fixedCredential({ headers });
    const settings = {
      server,
      context: "kubelet",
      credentials,
      insecure: true,
      clock: systemClock,
      random: Math.random,
    };
    const conn = createHttpConnection(settings);
    open.push(conn);
    return conn;
  }, port);
  const own = await readKubelets(nodes, read, { clock: systemClock, intervalMs: 3_000 });
  expect(own.source).toBe("kubelet");
  expect(new Set(own.nodes.map((item) => item.node))).toEqual(reporting);
  const nanos = (text: string | undefined) => Number((text ?? "").replace("n", ""));
  let compared = 0;
  for (const { node, usage: direct } of own.nodes) {
    const other = usage.value.nodes.find((item) => item.node === node)?.usage.cpu;
    if (!other?.endsWith("n") || nanos(other) === 0) continue;
    compared += 1;
    expect(Math.abs(nanos(direct.cpu) / nanos(other) - 1), `${node}: ${direct.cpu} and ${other}`).toBeLessThan(0.1);
  }
  expect(compared).toBeGreaterThan(0);
  const annotated = usage.value.pods.filter((item) => nanos(item.usage.cpu) > 0).length;
  expect(own.pods.length).toBeGreaterThanOrEqual(annotated);
});
