import { join } from "node:path";
import { type ErrorCode, type KubeResource, PlimsollError } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import {
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

async function faultOf(path: string, options: Parameters<typeof readDump>[1] = {}): Promise<PlimsollError> {
  const thrown: unknown = await readDump(path, options).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof PlimsollError) return thrown;
  throw new Error(`no coded error, but ${String(thrown)}`);
}

const LIST = kubectlList(SMALL_CLUSTER);
const PODS = kubectlList([pod("shop", "cart-1"), pod("shop", "cart-2")]);
const cut = (text: string) => text.slice(0, Math.floor(text.length * 0.8));

describe("a single file that is no whole dump", () => {
  it.each<[string, string, string | Uint8Array, ErrorCode, string]>([
    ["empty", "d.json", "", "dump_empty", "is empty"],
    ["blank", "d.json", " \r\n\n", "dump_empty", "is empty"],
    ["empty but for a byte order mark", "d.json", "\uFEFF", "dump_empty", "is empty"],
    ["cut inside a pod", "d.json", cut(PODS), "dump_truncated", "items[1] (Pod shop/cart-2)"],
    ["cut behind the last object", "d.json", LIST.slice(0, LIST.lastIndexOf("]")), "dump_truncated", "items[6]"],
    ["cut and in UTF-16", "d.json", Buffer.from(`\uFEFF${cut(PODS)}`, "utf16le"), "dump_truncated", "shop/cart-2"],
    [
      "YAML that was cut",
      "d.yaml",
      "apiVersion: v1\nitems:\n- kind: Node\n  metadata: {name: n}\n",
      "dump_truncated",
      "items[0]",
    ],
    ["no JSON", "d.json", '{"items":[{"kind":"Pod" "metadata":{}}]}', "dump_syntax", "byte 38 (items[0])"],
    ["no YAML", "d.yaml", "kind: Pod\nmetadata: {name: [}\n", "dump_syntax", "line 3"],
    [
      "JSON of something else",
      "d.json",
      '{"name":"plimsoll","version":"1"}',
      "dump_no_objects",
      "no Kubernetes objects in it",
    ],
    ["an array of something else", "d.json", '[1,"a",[{}]]', "dump_no_objects", "no Kubernetes objects in it"],
    ["an empty list", "d.json", kubectlList([]), "dump_no_objects", "empty lists"],
    [
      "only kinds that are not read",
      "d.json",
      kubectlList([workload("Event", "v1", "a", "b")]),
      "dump_no_objects",
      "Event: 1 object",
    ],
    ["text", "d.txt", "NAME   READY\ncart-1 1/1\n", "dump_no_objects", "neither JSON nor YAML"],
    [
      "kubectl's error",
      "d.json",
      "Error from server (Forbidden): nodes is forbidden\n",
      "dump_no_objects",
      "kubectl's error text",
    ],
    ["YAML of something else", "d.yaml", "metadata: 1\nfoo: bar\n", "dump_no_objects", "no Kubernetes objects in it"],
    ["binary", "d.json", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3]), "dump_unsupported", "a binary file"],
    ["NUL bytes", "d.json", `{"a":"${"\0".repeat(20)}"}`, "dump_unsupported", "a binary file"],
    ["a NUL byte far behind", "d.json", `${" ".repeat(70_000)}{"kind":"Pod",\0}`, "dump_syntax", "byte 70015"],
    ["text behind the list", "d.json", `${LIST}Error from server`, "dump_syntax", "behind object 1"],
  ])("%s", async (_, name, content, code, words) => {
    const path = fileOf(name, content);
    const error = await faultOf(path);
    expect(error.code).toBe(code);
    expect(error.message).toContain(path);
    expect(error.message).toContain(words);
    expect(`${error.message}${error.remedy}`).not.toMatch(/\{\w+\}|undefined|\bat .*\.ts:/);
  });

  it("a path that is not there", async () => {
    expect(await faultOf("/nowhere/dump.json")).toMatchObject({ code: "dump_missing" });
    expect((await faultOf("/nowhere/dump.json")).message).toContain("/nowhere/dump.json");
  });

  it("an empty folder", async () => {
    const error = await faultOf(folderOf({}));
    expect(error.code).toBe("dump_no_objects");
    expect(error.message).toContain("(nothing is in it)");
  });

  it("a device", async () => {
    expect(await faultOf("/dev/null")).toMatchObject({ code: "dump_missing" });
  });

  it("an object over the limit", async () => {
    const big = pod("shop", "big", { extra: "x".repeat(5000) });
    const limits = { objectBytes: 4000, yamlBytes: 4000 };
    const json = await faultOf(fileOf("d.json", kubectlList([pod("shop", "a"), big])), { limits });
    expect(json).toMatchObject({ code: "dump_too_large" });
    expect(json.message).toContain("items[1]");
    expect(await faultOf(fileOf("d.yaml", stringify(big)), { limits })).toMatchObject({ code: "dump_too_large" });
  });

  it("objects of two clusters", async () => {
    const error = await faultOf(
      fileOf("d.json", kubectlList([namespace("kube-system", "u1"), namespace("kube-system", "u2")])),
    );
    expect(error).toMatchObject({ code: "dump_two_clusters", fields: { uids: "u1 and u2" } });
    const folder = folderOf({ "a/d.json": LIST, "b/d.json": kubectlList([namespace("kube-system", "u2")]) });
    expect(await faultOf(folder)).toMatchObject({ code: "dump_two_clusters", fields: { path: folder } });
  });

  it.each(["d.json", "d.yaml"])(
    "bytes that are no UTF-8 do not lose the object, and are reported: %s",
    async (name) => {
      const texts = { "d.json": LIST, "d.yaml": `${stringify(pod("shop", "a"))}---\n${stringify(pod("shop", "b"))}` };
      const bytes = Buffer.from(texts[name === "d.json" ? name : "d.yaml"].replace("kept", "ABCD"));
      bytes[bytes.indexOf("ABCD")] = 0xff;
      const facts = await readDump(fileOf(name, bytes));
      expect(facts.objects.pods).toMatchObject({ known: true, value: { length: 2 } });
      const reason = expect.stringMatching(/^1 object with .* the first is (items\[3\]|document 1)$/);
      expect(facts.unused).toContainEqual(expect.objectContaining({ code: "not_utf8", reason }));
    },
  );
});

describe("a folder in which something is wrong", () => {
  async function codes(files: Record<string, string | Uint8Array>): Promise<Partial<Record<KubeResource, string>>> {
    const facts = await readDump(folderOf(files));
    const entries = Object.entries(facts.objects).map(([resource, reading]) => [
      resource,
      reading.known ? reading.value.length : reading.error.code,
    ]);
    return Object.fromEntries(entries);
  }

  const whole = {
    "nodes.json": kubectlList([node("node-1")]),
    "ns.json": kubectlList([namespace("kube-system"), namespace("shop")]),
    "pods.json": PODS,
  };

  it.each<[string, Record<string, string>, Record<string, unknown>]>([
    [
      "a cut file named after its kind spoils that kind",
      { "pods.json": cut(PODS) },
      { nodes: 1, namespaces: 2, pods: "dump_truncated" },
    ],
    [
      "a cut typed list spoils its kind, whatever it is called",
      { "x.json": cut(typedList("ServiceList", [service("a", "b"), service("a", "c")])) },
      { nodes: 1, pods: 2, services: "dump_truncated" },
    ],
    [
      "a cut list of a kind that is not read spoils nothing",
      { "x.json": cut(typedList("EventList", [workload("Event", "v1", "a", "b")])) },
      { nodes: 1, pods: 2 },
    ],
    [
      "a cut single object spoils its kind",
      { "x.json": cut(JSON.stringify(workload("Deployment", "apps/v1", "shop", "cart"))) },
      { nodes: 1, pods: 2, deployments: "dump_truncated" },
    ],
    [
      "a cut list of unknown extent spoils everything",
      { "more.json": cut(kubectlList([pod("shop", "cart-3"), pod("shop", "cart-4")])) },
      { nodes: "dump_truncated", namespaces: "dump_truncated", pods: "dump_truncated", jobs: "dump_truncated" },
    ],
    [
      "a damaged file of something else spoils nothing",
      { "values.json": '{"replicas": ' },
      { nodes: 1, namespaces: 2, pods: 2 },
    ],
    ["an empty file spoils the kind it is named after", { "jobs.json": "" }, { nodes: 1, pods: 2, jobs: "dump_empty" }],
    [
      "so does one too large",
      {
        "services.yaml": stringify({
          kind: "ServiceList",
          items: [service("a", "b")],
          metadata: { x: "y".repeat(20_000_000) },
        }),
      },
      { nodes: 1, pods: 2, services: "dump_too_large" },
    ],
    [
      "a bundle's error file spoils its kind",
      { "cluster-resources/pods-errors.json": '{"shop":"pods is forbidden"}' },
      { nodes: 1, pods: "dump_incomplete" },
    ],
    ["an empty one does not", { "cluster-resources/pods-errors.json": "{}" }, { nodes: 1, pods: 2 }],
  ])("%s", async (_, files, expected) => {
    expect(await codes({ ...whole, ...files })).toMatchObject(expected);
  });

  it("names the faulty file in unused too", async () => {
    const folder = folderOf({ ...whole, "pods.json": cut(PODS), "photo.png": Buffer.from([0x89, 0x50, 0, 0]) });
    const { unused } = await readDump(folder);
    expect(unused).toContainEqual(
      expect.objectContaining({ where: join(folder, "pods.json"), code: "dump_truncated" }),
    );
    expect(unused).toContainEqual(
      expect.objectContaining({ where: join(folder, "photo.png"), code: "dump_unsupported" }),
    );
  });

  it("with nothing intact at all is that file's fault", async () => {
    expect(await faultOf(folderOf({ "pods.json": '{"kind":"PodList","items":[{' }))).toMatchObject({
      code: "dump_truncated",
    });
    expect(await faultOf(folderOf({ "readme.md": "# hello" }))).toMatchObject({ code: "dump_no_objects" });
    expect(await faultOf(folderOf({}))).toMatchObject({ code: "dump_no_objects" });
  });

  it("a list read with a limit is complete only with all its pages", async () => {
    const page = (names: string[], metadata: Record<string, unknown>) =>
      typedList(
        "PodList",
        names.map((name) => pod("shop", name)),
        { resourceVersion: "7", ...metadata },
      );
    const first = page(["a", "b"], { continue: "abc", remainingItemCount: 3 });
    const second = page(["c", "d"], { continue: "abd", remainingItemCount: 1 });
    const last = page(["e"], {});
    expect(await codes({ "p1.json": first })).toMatchObject({ pods: "dump_incomplete" });
    expect(await codes({ "p1.json": first, "p3.json": last })).toMatchObject({ pods: "dump_incomplete" });
    expect(await codes({ "p1.json": first, "p2.json": second })).toMatchObject({ pods: "dump_incomplete" });
    expect(await codes({ "p1.json": first, "p2.json": second, "p3.json": last })).toMatchObject({ pods: 5 });
  });

  it("YAML that ends without a line break may have been cut, and says so", async () => {
    const text = stringify(pod("shop", "cart-1")).trimEnd();
    const facts = await readDump(fileOf("pod.yaml", text));
    expect(facts.unused).toContainEqual(expect.objectContaining({ code: "no_final_line_break" }));
  });
});

describe("known empty or unknown", () => {
  const codeOf = async (files: Record<string, string>, resource: KubeResource) => {
    const reading = (await readDump(folderOf(files))).objects[resource];
    return reading.known ? reading.value.length : reading.error.code;
  };
  const owned = (kind: string, apiVersion: string) => {
    const object = pod("shop", "job-1");
    return {
      ...object,
      metadata: { ...object.metadata, ownerReferences: [{ kind, apiVersion, name: "x", uid: "x" }] },
    };
  };
  const claiming = pod("shop", "db-0", {
    spec: { containers: [], volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-db-0" } }] },
  });

  it.each<[string, Record<string, string>, KubeResource, number | ErrorCode]>([
    ["the documented command without jobs: none exist", { "d.json": LIST }, "jobs", 0],
    [
      "a mixed list without nodes: unknown",
      { "d.json": kubectlList(SMALL_CLUSTER.slice(1)) },
      "nodes",
      "dump_kind_missing",
    ],
    [
      "a mixed list without nodes: nor does it tell of jobs",
      { "d.json": kubectlList(SMALL_CLUSTER.slice(1)) },
      "jobs",
      "dump_kind_missing",
    ],
    [
      "nodes, namespaces and pods alone were asked for",
      { "d.json": kubectlList(SMALL_CLUSTER.slice(0, 5)) },
      "jobs",
      "dump_kind_missing",
    ],
    [
      "a pod has a Job as owner, so jobs exist",
      { "d.json": kubectlList([...SMALL_CLUSTER, owned("Job", "batch/v1")]) },
      "jobs",
      "dump_kind_missing",
    ],
    [
      "an owner of that kind in another group says nothing",
      { "d.json": kubectlList([...SMALL_CLUSTER, owned("Job", "batch.volcano.sh/v1alpha1")]) },
      "jobs",
      0,
    ],
    [
      "a pod mounts a claim, so claims exist",
      { "d.json": kubectlList([...SMALL_CLUSTER, claiming]) },
      "persistentvolumeclaims",
      "dump_kind_missing",
    ],
    [
      "one file per kind: what has no file is unknown",
      { "n.json": kubectlList([node("n")]), "p.json": PODS },
      "jobs",
      "dump_kind_missing",
    ],
    [
      "an empty typed list",
      { "n.json": kubectlList([node("n")]), "x.json": typedList("JobList", [], {}, "batch/v1") },
      "jobs",
      0,
    ],
    [
      "an empty typed list without items",
      { "n.json": kubectlList([node("n")]), "x.json": '{"items":null,"kind":"JobList","apiVersion":"batch/v1"}' },
      "jobs",
      0,
    ],
    [
      "an empty list in a file named after the kind",
      { "n.json": kubectlList([node("n")]), "jobs.json": kubectlList([]) },
      "jobs",
      0,
    ],
    [
      "and in YAML",
      { "n.json": kubectlList([node("n")]), "jobs.batch.yaml": "apiVersion: v1\nitems: []\nkind: List\n" },
      "jobs",
      0,
    ],
    [
      "an empty array in a folder named after it",
      { "n.json": kubectlList([node("n")]), "jobs/shop.json": "[]" },
      "jobs",
      0,
    ],
    [
      "an empty list that could be any",
      { "n.json": kubectlList([node("n")]), "x.json": kubectlList([]) },
      "jobs",
      "dump_kind_missing",
    ],
    ["a command beside it failed: its file is empty", { "d.json": LIST, "more.json": "" }, "jobs", "dump_empty"],
    [
      "a command beside it failed: its file holds the error",
      { "d.json": LIST, "more.json": "Error from server (Forbidden)" },
      "jobs",
      "dump_no_objects",
    ],
  ])("%s", async (_, files, resource, expected) => {
    expect(await codeOf(files, resource)).toBe(expected);
  });

  it("says which kubectl command mends it", async () => {
    const reading = (await readDump(fileOf("d.json", PODS))).objects.nodes;
    expect(reading).toMatchObject({
      known: false,
      error: { remedy: expect.stringContaining("kubectl get nodes -A -o json") },
    });
  });
});
