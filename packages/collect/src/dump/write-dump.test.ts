import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ClusterFacts,
  type KubeResource,
  PlimsollError,
  type Reading,
  reportError,
  type UnusedInput,
} from "@plimsoll/contracts";
import { reportCluster } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { KUBE_RESOURCES } from "../kube/resources.ts";
import { folderOf } from "./dump-fixture.ts";
import { readDump } from "./read-dump.ts";
import { writeDump } from "./write-dump.ts";

const EXAMPLES = ["examples/dump/shop-eu", "examples/dump/shop-cn", "examples/dump/lab"];

/** Facts as a collection of a live cluster would give them: another name and source, one kind unreadable. */
async function live(path: string, unreadable: readonly KubeResource[] = []): Promise<ClusterFacts> {
  const facts = await readDump(path);
  const error = reportError(new PlimsollError("cluster_forbidden", { resource: "jobs", context: "prod-admin@acme" }));
  const unknown = Object.fromEntries(unreadable.map((resource) => [resource, { known: false, error }]));
  return {
    ...facts,
    name: "prod",
    source: { kind: "api", location: "https://10.0.0.1" },
    objects: { ...facts.objects, ...unknown },
  };
}

const LEFT_OUT: UnusedInput = {
  where: "pods shop/cart-1",
  code: "object_unusable",
  reason: 'metadata.labels["acme.example/team"] is a number, not a text',
  resource: "pods",
};

function newFolder(): string {
  return join(folderOf({}), "prod");
}

/** What a report says, apart from where its facts came from. */
function comparable(facts: ClusterFacts): unknown {
  return reportCluster({ ...facts, name: "x", source: { kind: "dump", location: "x" } });
}

describe("writeDump", () => {
  it.each(EXAMPLES)("writes what readDump reads back to the same facts and the same report: %s", async (path) => {
    const facts = await live(path, ["jobs", "persistentvolumes"]);
    const folder = newFolder();
    await writeDump(facts, folder);
    const again = await readDump(folder);
    // Compared as texts: a difference of whole clusters is nothing to print.
    for (const resource of KUBE_RESOURCES) {
      expect(JSON.stringify(again.objects[resource]) === JSON.stringify(facts.objects[resource]), resource).toBe(true);
    }
    expect(again.usage).toEqual(facts.usage);
    expect(again.serverVersions).toEqual(facts.serverVersions);
    expect([again.asOf, again.unused, again.name, again.source.asOfFrom]).toEqual([facts.asOf, [], "prod", "manifest"]);
    expect(comparable(again)).toEqual(comparable(facts));
  });

  it("keeps several versions, sources of usage, empty lists and times of reading apart", async () => {
    const facts = await live("examples/dump/lab");
    const several: ClusterFacts = {
      ...facts,
      serverVersions: { known: true, value: ["v1.34.1", "v1.35.0"], observedAt: "2026-03-02T09:00:00Z" },
      usage: { known: true, observedAt: "2026-03-02T09:01:00Z", value: { source: "kubelet", nodes: [], pods: [] } },
      objects: { ...facts.objects, cronjobs: { known: true, value: [], observedAt: "2026-03-02T09:02:00Z" } },
    };
    const folder = newFolder();
    await writeDump(several, folder);
    const again = await readDump(folder);
    expect(again.serverVersions).toEqual(several.serverVersions);
    expect(again.usage).toEqual(several.usage);
    expect(again.objects.cronjobs).toEqual(several.objects.cronjobs);
  });

  it("keeps the objects that could not be used, so that a report of it says what the cluster's said", async () => {
    const facts = { ...(await live("examples/dump/lab")), unused: [LEFT_OUT, { ...LEFT_OUT, resource: undefined }] };
    const folder = newFolder();
    await writeDump(facts, folder);
    const again = await readDump(folder);
    expect(again.unused).toEqual([LEFT_OUT]);
    expect(reportCluster({ ...again, name: "x" }).errors).toEqual(reportCluster({ ...facts, name: "x" }).errors);
  });

  it("writes lists that say their kinds, so that other tools read them too", async () => {
    const folder = newFolder();
    await writeDump(await live("examples/dump/shop-eu"), folder);
    const list: unknown = JSON.parse(readFileSync(join(folder, "deployments.json"), "utf8"));
    expect(list).toMatchObject({
      kind: "DeploymentList",
      apiVersion: "apps/v1",
      items: [{ kind: "Deployment", apiVersion: "apps/v1" }, ...Array(12).fill({})],
    });
    expect(readdirSync(folder).sort()).toEqual(
      [
        ...KUBE_RESOURCES.map((resource) => `${resource}.json`),
        "manifest.json",
        "usage-nodes.json",
        "usage-pods.json",
        "version.json",
      ].sort(),
    );
  });

  it("makes a part unknown when its file is cut, lost or shortened afterwards", async () => {
    const facts = await live("examples/dump/shop-eu");
    const broken: Record<string, (folder: string) => void> = {
      dump_truncated: (folder) => {
        const path = join(folder, "pods.json");
        const text = readFileSync(path, "utf8");
        writeFileSync(path, text.slice(0, text.length / 2));
      },
      dump_incomplete: (folder) => {
        const path = join(folder, "pods.json");
        writeFileSync(
          path,
          readFileSync(path, "utf8").replace(/,\n\{"apiVersion":"v1","kind":"Pod"[^\n]*\n\]\}/, "\n]}"),
        );
      },
      dump_empty: (folder) => writeFileSync(join(folder, "pods.json"), ""),
    };
    for (const [code, breakIt] of Object.entries(broken)) {
      const folder = newFolder();
      await writeDump(facts, folder);
      breakIt(folder);
      const again = await readDump(folder);
      expect(again.objects.pods).toMatchObject({ known: false, error: { code } });
      expect(again.objects.nodes.known).toBe(true);
    }
  });

  it("refuses a folder that holds something, and a place that cannot be written", async () => {
    const facts = await live("examples/dump/lab");
    const folder = folderOf({ "old/nodes.json": "{}", file: "x" });
    for (const place of [join(folder, "old"), join(folder, "file"), join(folder, "file", "below")]) {
      await expect(writeDump(facts, place)).rejects.toMatchObject({
        code: "output_unwritable",
        fields: { path: place },
      });
    }
    mkdirSync(join(folder, "empty"));
    await writeDump(facts, join(folder, "empty"));
  });
});

describe("writeDump with redact", () => {
  const key = Buffer.alloc(32, 7);

  async function redacted(facts: ClusterFacts): Promise<{ readonly folder: string; readonly facts: ClusterFacts }> {
    const folder = newFolder();
    await writeDump(facts, folder, { redact: true, redactionKey: key });
    return { folder, facts: await readDump(folder) };
  }

  it.each(EXAMPLES)("leaves every figure as it was: %s", async (path) => {
    const facts = await live(path, ["jobs"]);
    const before = reportCluster(facts).report;
    const after = reportCluster((await redacted(facts)).facts).report;
    expect(after.capacity).toEqual(before.capacity);
    expect(after.cost?.hourly).toEqual(before.cost?.hourly);
    const amounts = (groups: readonly { readonly hourly: string }[] = []) => groups.map(({ hourly }) => hourly).sort();
    expect(amounts(after.cost?.byNamespace)).toEqual(amounts(before.cost?.byNamespace));
    for (const label of ["cost-center", "env", "owner-team"]) {
      expect(amounts(after.cost?.byLabel[label])).toEqual(amounts(before.cost?.byLabel[label]));
    }
    const workloads = (report: typeof before) =>
      report.workloads
        ?.map(({ pods, requested, workload_type }) => JSON.stringify([workload_type, pods, requested], bigints))
        .sort();
    expect(workloads(after)).toEqual(workloads(before));
    expect(after.findings.map(({ code }) => code).sort()).toEqual(before.findings.map(({ code }) => code).sort());
    const named = {
      cluster_id: 0,
      cluster_name: 0,
      fingerprint: 0,
      cost_center: 0,
      owner_team: 0,
      labels: 0,
      pod_cidr: 0,
      api_server_endpoint: 0,
    };
    expect({ ...after.inventory, ...named }).toEqual({ ...before.inventory, ...named });
    const sizes = (cidrs: readonly string[] | null) => cidrs?.map((cidr) => cidr.split("/")[1]).sort();
    expect(sizes(after.inventory.pod_cidr)).toEqual(sizes(before.inventory.pod_cidr));
  });

  it("keeps of an object that could not be used its resource and field, not its name nor a key", async () => {
    const { facts } = await redacted({ ...(await live("examples/dump/lab")), unused: [LEFT_OUT] });
    expect(facts.unused).toEqual([
      {
        where: expect.stringMatching(/^pods pod-[a-z0-9]{10}$/),
        code: "object_unusable",
        reason: "metadata.labels[…] is a number, not a text",
        resource: "pods",
      },
    ]);
  });

  it.each(EXAMPLES)("lets no name, address or identity through: %s", async (path) => {
    const facts = await live(path, ["jobs"]);
    const { folder } = await redacted(facts);
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    const told = tellingTexts(facts);
    expect(told.size).toBeGreaterThan(90);
    const found = [...told].filter((telling) =>
      new RegExp(`(?<![\\w.-])${RegExp.escape(telling)}(?![\\w.-])`).test(text),
    );
    expect(found).toEqual([]);
    expect(
      /acme|prod-admin|shop\.example|amazonaws\.com\/eks|602401143452|10\.0\.0\.1/.exec(text)?.[0],
    ).toBeUndefined();
  });

  it("gives one text one replacement, so that things still join, and another for another key", async () => {
    const facts = await live("examples/dump/shop-eu");
    const { facts: again } = await redacted(facts);
    const values = <T>(reading: Reading<readonly T[]>): readonly T[] => (reading.known ? reading.value : []);
    const nodes = new Set(values(again.objects.nodes).map(({ metadata }) => metadata.name));
    const pods = values(again.objects.pods);
    expect(pods.every(({ spec }) => spec.nodeName === undefined || nodes.has(spec.nodeName))).toBe(true);
    const owners = new Set(values(again.objects.replicasets).map(({ metadata: { uid, name } }) => `${uid} ${name}`));
    const owned = pods
      .flatMap(({ metadata }) => metadata.ownerReferences ?? [])
      .filter(({ kind }) => kind === "ReplicaSet");
    expect(owned.length).toBeGreaterThan(50);
    expect(owned.every(({ uid, name }) => owners.has(`${uid} ${name}`))).toBe(true);
    const [first] = values(again.objects.nodes);
    expect(first?.metadata.labels?.["kubernetes.io/hostname"]).toBe(first?.metadata.name);
    const folder = newFolder();
    await writeDump(facts, folder, { redact: true });
    const other = values((await readDump(folder)).objects.nodes)[0];
    expect(other?.metadata.name).not.toBe(first?.metadata.name);
  });
});

/** Every text of the facts that names something of this cluster and no other. */
function tellingTexts(facts: ClusterFacts): ReadonlySet<string> {
  const kept = /^(default|kubernetes|kube-system|kube-public|kube-node-lease|prod(uction)?|dev|true|false|)$/;
  // Names of public software, which stay in the images of add-ons, and of a resource.
  const software = /^(coredns|kube-proxy|(nginx-)?ingress(-nginx|-controller)|csi-plugin|gpu)$/;
  const texts = new Set<string>();
  const see = (text: string | undefined) => {
    if (text !== undefined && !kept.test(text) && !software.test(text)) texts.add(text);
  };
  for (const resource of KUBE_RESOURCES) {
    const reading = facts.objects[resource];
    for (const { metadata } of reading.known ? reading.value : []) {
      for (const text of [metadata.name, metadata.namespace, metadata.uid]) see(text);
      const { "cost-center": center, "owner-team": team, "app.kubernetes.io/name": app } = metadata.labels ?? {};
      for (const text of [center, team, app]) see(text);
    }
  }
  const nodes = facts.objects.nodes.known ? facts.objects.nodes.value : [];
  for (const { spec, status, metadata } of nodes) {
    see(spec.providerID);
    see(spec.podCIDR);
    see(metadata.labels?.["eks.amazonaws.com/nodegroup"]);
    see(metadata.labels?.["alibabacloud.com/nodepool-id"]);
    for (const { address } of status?.addresses ?? []) see(address);
  }
  const pods = facts.objects.pods.known ? facts.objects.pods.value : [];
  for (const { spec } of pods) for (const { image } of spec.containers) see(image);
  return texts;
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
