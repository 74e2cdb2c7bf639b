import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ClusterFacts } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import {
  type Fixture,
  fileOf,
  folderOf,
  kubectlList,
  namespace,
  node,
  pod,
  SMALL_CLUSTER,
  service,
  typedList,
  workload,
} from "./dump-fixture.ts";
import { readDump } from "./read-dump.ts";

const KUBECTL_YAML = (objects: readonly unknown[]) =>
  stringify(
    { apiVersion: "v1", items: objects, kind: "List", metadata: { resourceVersion: "" } },
    { indentSeq: false },
  );

function names(facts: ClusterFacts): Record<string, readonly string[]> {
  const known = Object.entries(facts.objects).flatMap(([resource, reading]) =>
    reading.known && reading.value.length > 0
      ? [[resource, reading.value.map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`)]]
      : [],
  );
  return Object.fromEntries(known);
}

const ALL = {
  nodes: ["/node-1"],
  namespaces: ["/kube-system", "/shop"],
  pods: ["shop/cart-1", "shop/cart-2"],
  services: ["default/kubernetes"],
};

const jsonText = (value: unknown) => JSON.stringify(value);
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("readDump takes what people have", () => {
  it.each<[string, string, string | Uint8Array]>([
    ["kubectl's mixed list", "dump.json", kubectlList(SMALL_CLUSTER)],
    ["the same with sorted keys and no blanks", "dump.json", jsonText({ items: SMALL_CLUSTER, kind: "List" })],
    ["a bare array", "dump.json", jsonText(SMALL_CLUSTER)],
    [
      "an array of lists, as jq -s makes it",
      "dump.json",
      jsonText([
        { kind: "List", items: SMALL_CLUSTER.slice(0, 3) },
        { kind: "List", items: SMALL_CLUSTER.slice(3) },
      ]),
    ],
    ["JSON Lines", "dump.jsonl", SMALL_CLUSTER.map(jsonText).join("\n")],
    ["concatenated lists", "dump.json", kubectlList(SMALL_CLUSTER.slice(0, 2)) + kubectlList(SMALL_CLUSTER.slice(2))],
    ["a name that says nothing", "support.txt", kubectlList(SMALL_CLUSTER)],
    ["a mark of UTF-8 and CRLF", "dump.json", `\uFEFF${kubectlList(SMALL_CLUSTER).replaceAll("\n", "\r\n")}`],
    ["UTF-16 as PowerShell writes it", "dump.json", utf16(kubectlList(SMALL_CLUSTER).replaceAll("\n", "\r\n"))],
    ["UTF-16 without a mark", "dump.json", Buffer.from(kubectlList(SMALL_CLUSTER), "utf16le")],
    ["UTF-16, big-endian", "dump.json", Buffer.from(utf16(kubectlList(SMALL_CLUSTER))).swap16()],
    ["kubectl's YAML", "dump.yaml", KUBECTL_YAML(SMALL_CLUSTER)],
    ["YAML in UTF-16", "dump.yaml", utf16(KUBECTL_YAML(SMALL_CLUSTER))],
    ["YAML of several documents", "dump.yml", SMALL_CLUSTER.map((object) => stringify(object)).join("---\n")],
    [
      "YAML of several lists",
      "dump.yaml",
      `${KUBECTL_YAML(SMALL_CLUSTER.slice(0, 3))}---\n${KUBECTL_YAML(SMALL_CLUSTER.slice(3))}`,
    ],
    ["a YAML sequence", "dump.yaml", stringify(SMALL_CLUSTER)],
    ["compressed JSON", "dump.json.gz", gzipSync(kubectlList(SMALL_CLUSTER))],
    ["compressed YAML", "dump.yaml.gz", gzipSync(KUBECTL_YAML(SMALL_CLUSTER))],
  ])("%s", async (_, name, content) => {
    const facts = await readDump(fileOf(name, content));
    expect(names(facts)).toEqual(ALL);
    expect(facts.unused.filter((row) => row.code !== "one_namespace")).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    [
      "typed lists of an API server, one file each",
      {
        "a.json": typedList("NodeList", [node("node-1")]),
        "b.json": typedList("NamespaceList", [namespace("kube-system"), namespace("shop")]),
        "c.json": typedList("PodList", [pod("shop", "cart-1"), pod("shop", "cart-2")]),
        "d.json": typedList("ServiceList", [service("default", "kubernetes")]),
      },
    ],
    [
      "typed lists whose kind stands behind their items (jq -S)",
      Object.fromEntries(
        [
          ["NodeList", [node("node-1")]] as const,
          ["NamespaceList", [namespace("kube-system"), namespace("shop")]] as const,
          ["PodList", [pod("shop", "cart-1"), pod("shop", "cart-2")]] as const,
          ["ServiceList", [service("default", "kubernetes")]] as const,
        ].map(([kind, objects], i) => {
          const { items, ...rest }: { items: unknown } = JSON.parse(typedList(kind, objects));
          return [`part-${i}.json`, jsonText({ items, ...rest })];
        }),
      ),
    ],
    [
      "kubectl cluster-info dump",
      {
        "nodes.json": typedList("NodeList", [node("node-1")]),
        "namespaces.json": typedList("NamespaceList", [namespace("kube-system"), namespace("shop")]),
        "shop/pods.json": typedList("PodList", [pod("shop", "cart-1"), pod("shop", "cart-2")]),
        "default/services.json": typedList("ServiceList", [service("default", "kubernetes")]),
      },
    ],
    [
      "kubectl cluster-info dump -o yaml, kinds behind items",
      {
        "nodes.yaml": stringify({ apiVersion: "v1", items: [bare(node("node-1"))], kind: "NodeList" }),
        "ns.yaml": stringify({
          items: [bare(namespace("kube-system")), bare(namespace("shop"))],
          kind: "NamespaceList",
        }),
        "shop/x.yaml": stringify({
          items: [bare(pod("shop", "cart-1")), bare(pod("shop", "cart-2"))],
          kind: "PodList",
        }),
        "default/y.yaml": stringify({ items: [bare(service("default", "kubernetes"))], kind: "ServiceList" }),
      },
    ],
    [
      "troubleshoot.sh bundles, new and old (bare arrays without kinds)",
      {
        "cluster-resources/nodes.json": jsonText([bare(node("node-1"))]),
        "cluster-resources/namespaces.json": typedList("NamespaceList", [namespace("kube-system"), namespace("shop")]),
        "cluster-resources/pods/shop.json": jsonText([bare(pod("shop", "cart-1")), bare(pod("shop", "cart-2"))]),
        "cluster-resources/services/default.json": typedList("ServiceList", [service("default", "kubernetes")]),
      },
    ],
    [
      "must-gather, one object or list per YAML file",
      {
        "cluster-scoped-resources/core/nodes/node-1.yaml": `---\n${stringify(node("node-1"))}`,
        "namespaces/kube-system/kube-system.yaml": `---\n${stringify(namespace("kube-system"))}`,
        "namespaces/shop/shop.yaml": `---\n${stringify(namespace("shop"))}`,
        "namespaces/shop/core/pods.yaml": stringify({
          apiVersion: "v1",
          items: [pod("shop", "cart-1")],
          kind: "PodList",
        }),
        "namespaces/shop/pods/cart-2/cart-2.yaml": `---\n${stringify(pod("shop", "cart-2"))}`,
        "namespaces/default/core/services.yaml": stringify(service("default", "kubernetes")),
      },
    ],
  ])("a folder: %s", async (_, files) => {
    expect(names(await readDump(folderOf(files)))).toEqual(ALL);
  });

  it("keeps only the slim form, with quantities as they were written", async () => {
    const broken = pod("shop", "odd", {
      spec: { containers: [{ name: "x", resources: { requests: { memory: "1 Gi", cpu: 2 } } }] },
    });
    const facts = await readDump(fileOf("dump.json", kubectlList([broken])));
    expect(JSON.stringify(facts.objects.pods)).not.toContain("TOKEN");
    expect(facts.objects.pods).toMatchObject({
      known: true,
      value: [{ spec: { containers: [{ resources: { requests: { memory: "1 Gi", cpu: "2" } } }] } }],
    });
  });

  it("says what it is called, where it was and when it was made", async () => {
    const path = fileOf("shop-eu.json", kubectlList(SMALL_CLUSTER));
    const facts = await readDump(path, { clock: { now: () => Date.parse("2026-05-01T00:00:00Z") } });
    expect(facts).toMatchObject({
      name: "shop-eu",
      source: { kind: "dump", location: path, asOfFrom: "objects" },
      asOf: "2026-03-02T10:00:00.000Z",
    });
    expect(facts.objects.pods).toMatchObject({ observedAt: facts.asOf });
  });

  it("is never later than now, whatever a node's clock says", async () => {
    const facts = await readDump(fileOf("d.json", kubectlList(SMALL_CLUSTER)), {
      clock: { now: () => Date.parse("2026-03-01T09:00:00Z") },
    });
    expect(facts.asOf).toBe("2026-03-01T09:00:00.000Z");
  });

  it("takes the file's time where objects show none", async () => {
    const timeless = { apiVersion: "v1", kind: "Node", metadata: { name: "n", uid: "1" } };
    const now = Date.now() + 10_000;
    const facts = await readDump(fileOf("d.json", kubectlList([timeless])), { clock: { now: () => now } });
    expect(facts.source.asOfFrom).toBe("file");
    expect(Math.abs(Date.parse(facts.asOf) - Date.now())).toBeLessThan(10_000);
  });

  it("reports progress", async () => {
    const text = kubectlList(SMALL_CLUSTER);
    const steps: number[] = [];
    await readDump(fileOf("d.json", text), { progress: ({ bytes }) => steps.push(bytes) });
    expect(steps.at(-1)).toBe(text.length);
  });

  it("stops when told to", async () => {
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(readDump(fileOf("d.json", kubectlList(SMALL_CLUSTER)), { signal: stop })).rejects.toThrow("stopped");
  });
});

describe("readDump reads versions and usage by their content", () => {
  const METRICS = {
    "nodes-usage.json": jsonText({
      kind: "NodeMetricsList",
      apiVersion: "metrics.k8s.io/v1beta1",
      metadata: {},
      items: [
        {
          metadata: { name: "node-1" },
          timestamp: "2026-03-02T10:00:30Z",
          usage: { cpu: "119999922n", memory: "100Mi" },
        },
      ],
    }),
    "x.json": jsonText({
      kind: "PodMetricsList",
      apiVersion: "metrics.k8s.io/v1beta1",
      items: [
        {
          metadata: { name: "cart-1", namespace: "shop" },
          timestamp: "2026-03-02T10:00:20Z",
          containers: [
            { name: "a", usage: { cpu: "1500n", memory: "1Mi" } },
            { name: "b", usage: { cpu: "1m", memory: "3Mi" } },
          ],
        },
        {
          metadata: { name: "cart-2", namespace: "shop" },
          containers: [{ name: "a", usage: { cpu: "0", memory: "524Ki" } }],
        },
      ],
    }),
  };
  const cluster = { "dump.json": kubectlList(SMALL_CLUSTER) };

  it("sums a pod's containers and takes the newest figure's time", async () => {
    const facts = await readDump(folderOf({ ...cluster, ...METRICS }));
    expect(facts.usage).toEqual({
      known: true,
      observedAt: "2026-03-02T10:00:30Z",
      value: {
        source: "metrics.k8s.io",
        nodes: [{ node: "node-1", usage: { cpu: "119999922n", memory: "100Mi" } }],
        pods: [
          { namespace: "shop", pod: "cart-1", usage: { cpu: "1001500n", memory: "4194304" } },
          { namespace: "shop", pod: "cart-2", usage: { cpu: "0", memory: "524Ki" } },
        ],
      },
    });
    expect(facts.asOf).toBe("2026-03-02T10:00:30.000Z");
  });

  it("takes the newer of two figures of one pod or node", async () => {
    const at = (timestamp: string, cpu: string) =>
      jsonText({
        kind: "NodeMetrics",
        apiVersion: "metrics.k8s.io/v1beta1",
        metadata: { name: "node-1" },
        timestamp,
        usage: { cpu },
      });
    const [older, newer] = [at("2026-03-02T10:00:00Z", "1"), at("2026-03-02T10:01:00Z", "2")];
    for (const text of [older + newer, newer + older]) {
      const facts = await readDump(folderOf({ ...cluster, "m.json": text }));
      expect(facts.usage).toMatchObject({ known: true, value: { nodes: [{ node: "node-1", usage: { cpu: "2" } }] } });
    }
  });

  it("says when figures of pods or nodes are missing", async () => {
    const facts = await readDump(folderOf({ ...cluster, "x.json": METRICS["x.json"] }));
    expect(facts.usage).toMatchObject({ known: true, value: { nodes: [] } });
    expect(facts.unused).toContainEqual(expect.objectContaining({ code: "usage_partial" }));
    const none = await readDump(folderOf(cluster));
    expect(none.usage).toMatchObject({ known: false, error: { code: "dump_usage_missing" } });
  });

  it.each([
    [
      "kubectl version -o json",
      jsonText({ clientVersion: { gitVersion: "v1.35.0" }, serverVersion: { gitVersion: "v1.33.4", major: "1" } }),
    ],
    [
      "kubectl version -o yaml",
      stringify({ clientVersion: { gitVersion: "v1.35.0" }, serverVersion: { gitVersion: "v1.33.4" } }),
    ],
    ["kubectl get --raw /version", jsonText({ major: "1", minor: "33", gitVersion: "v1.33.4" })],
    [
      "a support bundle's cluster_version.json",
      jsonText({ info: { major: "1", gitVersion: "v1.33.4" }, string: "v1.33.4" }),
    ],
  ])("reads the server's version of %s", async (_, text) => {
    const facts = await readDump(folderOf({ ...cluster, "version.out": text }));
    expect(facts.serverVersions).toMatchObject({ known: true, value: ["v1.33.4"] });
  });

  it("does not take the client's version for the server's", async () => {
    const text = jsonText({ clientVersion: { gitVersion: "v1.35.0" } });
    const facts = await readDump(folderOf({ ...cluster, "version.json": text }));
    expect(facts.serverVersions).toMatchObject({ known: false, error: { code: "dump_version_missing" } });
    expect(facts.unused).toContainEqual(expect.objectContaining({ code: "no_server_version" }));
  });
});

describe("readDump takes the same object once", () => {
  it("by UID, whichever file it is in; the newer state counts", async () => {
    const older = pod("shop", "cart-1");
    const newer = { ...older, metadata: { ...older.metadata, resourceVersion: "20" }, status: { phase: "Failed" } };
    for (const [first, second] of [
      [older, newer],
      [newer, older],
    ]) {
      const facts = await readDump(folderOf({ "a.json": kubectlList([first]), "b.json": kubectlList([second]) }));
      expect(facts.objects.pods).toMatchObject({ known: true, value: [{ status: { phase: "Failed" } }] });
      expect(facts.unused).toContainEqual(expect.objectContaining({ code: "repeated" }));
    }
  });

  it("by kind and name where UIDs are missing, and says so", async () => {
    const anonymous: Fixture = pod("shop", "cart-1");
    delete anonymous.metadata.uid;
    const facts = await readDump(fileOf("a.json", kubectlList([anonymous, anonymous, pod("shop", "cart-2")])));
    expect(names(facts).pods).toEqual(["shop/cart-1", "shop/cart-2"]);
    const codes = facts.unused.map((row) => row.code);
    expect(codes).toContain("repeated_by_name");
    expect(codes).toContain("no_uid");
  });

  it("and the younger of two of one name, as when a pod was replaced between two reads", async () => {
    const old = pod("shop", "db-0");
    const young = { ...old, metadata: { ...old.metadata, uid: "other", creationTimestamp: "2026-03-02T09:00:00Z" } };
    for (const order of [
      [old, young],
      [young, old],
    ]) {
      const facts = await readDump(fileOf("a.json", kubectlList(order)));
      expect(facts.objects.pods).toMatchObject({ known: true, value: [{ metadata: { uid: "other" } }] });
      expect(facts.unused).toContainEqual(expect.objectContaining({ code: "replaced" }));
    }
  });
});

describe("readDump lists what it did not use", () => {
  it("counts kinds that no figure needs, in one row per kind", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: "shop", uid: "s" },
      data: { a: "czNjcmV0" },
    };
    const events = typedList(
      "EventList",
      Array.from({ length: 30 }, (_, i) => workload("Event", "v1", "shop", `e${i}`)),
    );
    const knative = workload("Service", "serving.knative.dev/v1", "shop", "web");
    const files = { "a.json": kubectlList([...SMALL_CLUSTER, secret, secret, knative]), "b.json": events };
    const facts = await readDump(folderOf(files));
    const rows = facts.unused.filter((row) => row.code === "kind_not_read");
    expect(rows.map((row) => row.reason)).toEqual([
      "Secret: 2 objects; no figure needs this kind",
      "Service: 1 object; no figure needs this kind",
      "Event: 30 objects; no figure needs this kind",
    ]);
    expect(JSON.stringify(facts)).not.toContain("czNjcmV0");
    expect(names(facts).services).toEqual(["default/kubernetes"]);
  });

  it("names an object that cannot be used, with file, place, field and reason", async () => {
    const bad = pod("shop", "bad", { spec: { containers: "none" } });
    const path = fileOf("a.json", kubectlList([...SMALL_CLUSTER, bad]));
    const facts = await readDump(path);
    expect(facts.unused).toContainEqual({
      where: `${path} items[6]`,
      code: "object_unusable",
      reason: "spec.containers is a text, not a list",
      resource: "pods",
    });
  });

  it("folds no object away that figures lack", async () => {
    const bad = Array.from({ length: 30 }, (_, i) => pod("shop", `bad-${i}`, { spec: {} }));
    const { unused } = await readDump(fileOf("a.json", kubectlList([...SMALL_CLUSTER, ...bad])));
    expect(unused.filter(({ resource }) => resource === "pods")).toHaveLength(30);
  });

  it("folds thousands of logs into a few rows", async () => {
    const logs = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`logs/pod-${i}.log`, '{"kind":"Pod"}']));
    const facts = await readDump(
      folderOf({ "a.json": kubectlList(SMALL_CLUSTER), "x/logs.txt": "E0301 failed", ...logs }),
    );
    const rows = facts.unused.filter((row) => row.code === "log");
    expect(rows).toHaveLength(21);
    expect(rows.at(-1)?.reason).toBe("41 more of this sort");
  });

  it("says so when all pods are of one namespace", async () => {
    const facts = await readDump(fileOf("a.json", kubectlList(SMALL_CLUSTER)));
    expect(facts.unused).toContainEqual(expect.objectContaining({ code: "one_namespace" }));
    const { unused } = await readDump(fileOf("one.json", kubectlList([pod("shop", "lonely")])));
    expect(unused).not.toContainEqual(expect.objectContaining({ code: "one_namespace" }));
  });

  it("says so when an API server's error stands in a file", async () => {
    const status = { kind: "Status", apiVersion: "v1", status: "Failure", message: "jobs is forbidden" };
    const folder = folderOf({ "a.json": kubectlList(SMALL_CLUSTER), "jobs.json": jsonText(status) });
    const row = {
      where: `${join(folder, "jobs.json")} object 1`,
      code: "api_error",
      reason: "the API answered: jobs is forbidden",
    };
    expect((await readDump(folder)).unused).toContainEqual(row);
  });
});

function bare({ kind: _, apiVersion: __, ...fields }: Fixture): Record<string, unknown> {
  return fields;
}
