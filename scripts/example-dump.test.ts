import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDump } from "@plimsoll/collect";
import { type ClusterFacts, type KubeResource, SEVERITIES } from "@plimsoll/contracts";
import { reportCluster } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { exampleFiles } from "./example-dump.ts";

const FOLDER = "examples/dump";

describe("examples/dump", () => {
  it("is what the generator writes; to update: node scripts/example-dump.ts", () => {
    const found = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = found.map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
    const wanted = exampleFiles();
    expect(paths.sort()).toEqual([...wanted.keys()].sort());
    for (const [path, text] of wanted) expect(readFileSync(join(FOLDER, path), "utf8") === text, path).toBe(true);
  });

  it("stays under a megabyte", () => {
    const bytes = [...exampleFiles().values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(1_000_000);
  });

  it.each(["shop-eu", "shop-cn", "lab"])("%s is read whole and gives a whole report", async (name) => {
    const facts = await readDump(join(FOLDER, name));
    expect(facts.unused).toEqual([]);
    const unknown = Object.entries(facts.objects).filter(([, reading]) => !reading.known);
    expect(unknown.map(([resource]) => resource)).toEqual([]);
    expect([facts.serverVersions.known, facts.usage.known]).toEqual([true, true]);
    const { report, errors } = reportCluster(facts);
    expect(errors).toEqual([]);
    expect(report.cost?.unpricedNodes).toEqual([]);
    expect(report.capacity?.resources.cpu?.used).not.toBeNull();
  });

  it("shows what a fleet has: spot, GPU, cordoned, lost and virtual nodes, old kubelets, labels and their absence", async () => {
    const eu = reportCluster(await readDump(join(FOLDER, "shop-eu"))).report;
    const cn = reportCluster(await readDump(join(FOLDER, "shop-cn"))).report;
    const lab = reportCluster(await readDump(join(FOLDER, "lab"))).report;
    expect([eu, cn, lab].map(({ inventory }) => inventory.cluster_type)).toEqual(["EKS", "ACK", "SelfBuilt"]);
    expect(eu.capacity?.nodes.excluded).toEqual({ NotReady: 1, Cordoned: 1 });
    expect(cn.capacity?.nodes.excluded).toEqual({ Virtual: 1 });
    expect([eu.inventory.total_gpus, eu.inventory.node_count_spot]).toEqual([1, 3]);
    const codes = new Set([eu, cn, lab].flatMap(({ findings }) => findings.map((finding) => finding.code)));
    for (const code of [
      "node_not_ready",
      "skew_blocks_upgrade",
      "pod_unschedulable",
      "quota_nearly_full",
      "label_missing",
    ]) {
      expect(codes).toContain(code);
    }
    const severities = new Set([eu, cn, lab].flatMap(({ findings }) => findings.map((finding) => finding.severity)));
    expect([...severities].sort()).toEqual([...SEVERITIES].sort());
  });

  it("has a few hundred pods", async () => {
    const counts = await Promise.all(
      ["shop-eu", "shop-cn", "lab"].map(async (name) => count(await readDump(join(FOLDER, name)), "pods")),
    );
    expect(counts.reduce((sum, pods) => sum + pods, 0)).toBeGreaterThan(200);
  });
});

function count(facts: ClusterFacts, resource: KubeResource): number {
  const reading = facts.objects[resource];
  return reading.known ? reading.value.length : 0;
}
