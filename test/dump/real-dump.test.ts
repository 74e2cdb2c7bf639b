/** Dumps that kubectl makes of a real cluster, in every form, against what the same API server gives directly. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectCluster, openContext, readDump, readKubeconfig, writeDump } from "@plimsoll/collect";
import type { ClusterFacts, KubeResource } from "@plimsoll/contracts";
import { reportCluster } from "@plimsoll/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, sharedFleet } from "../testbed/index.ts";

/** As the guide says, in its order. */
const RESOURCES: readonly KubeResource[] = [
  ...(["nodes", "namespaces", "pods", "persistentvolumeclaims", "persistentvolumes", "services"] as const),
  ...(["resourcequotas", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs"] as const),
];
/** What `kubectl cluster-info dump` writes. */
const CLUSTER_INFO: readonly KubeResource[] = [
  ...(["nodes", "pods", "services", "deployments", "replicasets", "daemonsets"] as const),
];

const root = mkdtempSync(join(tmpdir(), "plimsoll-real-dump-"));
let cluster: Cluster;
let before: ClusterFacts;
let after: ClusterFacts;

beforeAll(async () => {
  cluster = (await sharedFleet()).cluster("eks-prod");
  before = await collect();
  await makeDumps();
  after = await collect();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("every form that kubectl writes", () => {
  it.each<[string, readonly KubeResource[]]>([
    ["list.json", RESOURCES],
    ["list.yaml", RESOURCES],
    ["list-utf16.json", RESOURCES],
    ["sorted.json", RESOURCES],
    ["per-kind", RESOURCES],
    ["per-kind.tar.gz", RESOURCES],
    ["raw", RESOURCES],
    ["cluster-info-json", CLUSTER_INFO],
    ["cluster-info-yaml", CLUSTER_INFO],
    ["cluster-info.tgz", CLUSTER_INFO],
  ])("%s gives the objects that the API server gives", async (name, resources) => {
    const facts = await readDump(join(root, name));
    for (const resource of resources) {
      const [now, then, dumped] = [before, after, facts].map((each) => stateOf(each, resource));
      // Only what did not change while the dumps were made can be compared.
      if (now === then) expect(dumped === now, resource).toBe(true);
    }
    expect(facts.unused.filter(({ code }) => code !== "kind_not_read" && code !== "log")).toEqual([]);
  });

  it("and almost nothing changed meanwhile, so that something was compared", () => {
    const quiet = RESOURCES.filter((resource) => stateOf(before, resource) === stateOf(after, resource));
    expect(quiet).toEqual(expect.arrayContaining(["nodes", "namespaces", "services", "deployments", "daemonsets"]));
  });

  it("cluster-info dump has no namespaces: they are unknown, not none", async () => {
    const facts = await readDump(join(root, "cluster-info-json"));
    expect(facts.objects.namespaces).toMatchObject({ known: false, error: { code: "dump_kind_missing" } });
  });

  it("version and usage are recognised by content", async () => {
    const facts = await readDump(join(root, "per-kind"));
    expect(facts.serverVersions).toMatchObject({ known: true, value: [cluster.gitVersion] });
    const nodes = facts.usage.known ? facts.usage.value.nodes.map(({ node }) => node).sort() : [];
    const live = after.usage.known ? after.usage.value.nodes.map(({ node }) => node).sort() : ["none"];
    expect(nodes).toEqual(live);
  });

  it("the newest time in it is when it was made, to five minutes", async () => {
    const facts = await readDump(join(root, "list.json"));
    expect(Math.abs(Date.parse(facts.asOf) - Date.parse(after.asOf))).toBeLessThan(300_000);
  });
});

describe("plimsoll's own dump of a real cluster", () => {
  it("gives the same report as the cluster itself", async () => {
    await writeDump(after, join(root, "own"));
    expect(report(await readDump(join(root, "own")))).toEqual(report(after));
  });

  it("redacted, gives the same figures", async () => {
    await writeDump(after, join(root, "own-redacted"), { redact: true });
    const [plain, redacted] = [
      reportCluster(after).report,
      reportCluster(await readDump(join(root, "own-redacted"))).report,
    ];
    expect(redacted.capacity).toEqual(plain.capacity);
    expect(redacted.cost?.hourly).toEqual(plain.cost?.hourly);
    expect(redacted.findings.map(({ code }) => code).sort()).toEqual(plain.findings.map(({ code }) => code).sort());
  });
});

async function collect(): Promise<ClusterFacts> {
  const kubeconfig = await readKubeconfig({ path: cluster.kubeconfig, env: {} });
  const connection = await openContext(kubeconfig, cluster.name);
  try {
    return await collectCluster(connection, { name: cluster.name, deadlineMs: 60_000 });
  } finally {
    connection.close();
  }
}

async function makeDumps(): Promise<void> {
  const get = (resources: string, format: string) => cluster.kubectl(["get", resources, "-A", "-o", format]);
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(root, name), content);
  const list = await get(RESOURCES.join(","), "json");
  write("list.json", list);
  write("list-utf16.json", Buffer.from(`\uFEFF${list.replaceAll("\n", "\r\n")}`, "utf16le"));
  write("list.yaml", await get(RESOURCES.join(","), "yaml"));
  mkdirSync(join(root, "per-kind"));
  mkdirSync(join(root, "raw"));
  mkdirSync(join(root, "sorted.json"));
  const paths: readonly string[] = ["/api/v1", "/apis/apps/v1", "/apis/batch/v1"];
  for (const resource of RESOURCES) {
    write(`per-kind/${resource}.json`, await get(resource, "json"));
    const path = paths[RESOURCES.indexOf(resource) < 7 ? 0 : RESOURCES.indexOf(resource) < 11 ? 1 : 2];
    const raw = await cluster.kubectl(["get", "--raw", `${path}/${resource}`]);
    write(`raw/${RESOURCES.indexOf(resource)}.out`, raw);
    write(`sorted.json/${RESOURCES.indexOf(resource)}.json`, sortedKeys(raw));
  }
  write("per-kind/version.json", await cluster.kubectl(["get", "--raw", "/version"]));
  for (const kind of ["nodes", "pods"]) {
    write(
      `per-kind/usage-${kind}.json`,
      await cluster.kubectl(["get", "--raw", `/apis/metrics.k8s.io/v1beta1/${kind}`]),
    );
  }
  for (const format of ["json", "yaml"]) {
    const folder = join(root, `cluster-info-${format}`);
    await cluster.kubectl(["cluster-info", "dump", "-A", "-o", format, "--output-directory", folder]);
  }
  execFileSync("tar", ["-czf", "per-kind.tar.gz", "per-kind"], { cwd: root });
  execFileSync("tar", ["-czf", "cluster-info.tgz", "cluster-info-yaml"], { cwd: root });
}

/** As `jq -S` prints a typed list: the kind stands behind the items. */
function sortedKeys(text: string): string {
  const list: Record<string, unknown> = JSON.parse(text);
  return JSON.stringify(Object.fromEntries(Object.entries(list).sort(([a], [b]) => (a < b ? -1 : 1))), null, 2);
}

/** Everything about a resource's objects that does not change by itself. */
function stateOf(facts: ClusterFacts, resource: KubeResource): string {
  const reading = facts.objects[resource];
  if (!reading.known) return reading.error.code;
  const objects: readonly { readonly metadata: { readonly uid: string }; readonly spec?: unknown }[] = reading.value;
  return JSON.stringify(
    objects
      .map(({ metadata, spec }) => ({ metadata, spec }))
      .sort((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1)),
  );
}

function report(facts: ClusterFacts): unknown {
  return reportCluster({ ...facts, name: "x", source: { kind: "dump", location: "x" } });
}
