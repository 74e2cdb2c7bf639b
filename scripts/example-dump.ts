/**
 * Writes examples/dump: invented clusters in the forms that people have. `node scripts/example-dump.ts [FOLDER]`; the output
 * depends on the plans in example-dump/clusters.ts only.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { type BuiltCluster, buildCluster, KIND_ORDER } from "./example-dump/build-cluster.ts";
import { EXAMPLE_CLUSTERS } from "./example-dump/clusters.ts";

/** Files of one example by path below its folder. */
export type ExampleFiles = ReadonlyMap<string, string>;

/**
 * All files of the example: shop-eu as one mixed list, shop-cn as one file per kind, lab as YAML; each with what
 * `kubectl version -o json` and `kubectl get --raw` of metrics.k8s.io print.
 */
export function exampleFiles(): ExampleFiles {
  const files = new Map<string, string>();
  for (const plan of EXAMPLE_CLUSTERS) {
    const cluster = buildCluster(plan);
    for (const [name, text] of objectFiles(cluster)) files.set(`${plan.name}/${name}`, text);
    files.set(`${plan.name}/version.json`, kubectlJson(versionOf(plan.version)));
    files.set(`${plan.name}/usage-nodes.json`, `${JSON.stringify(cluster.nodeMetrics)}\n`);
    files.set(`${plan.name}/usage-pods.json`, `${JSON.stringify(cluster.podMetrics)}\n`);
  }
  return files;
}

function objectFiles({ plan, byKind }: BuiltCluster): readonly (readonly [string, string])[] {
  const all = KIND_ORDER.flatMap((kind) => byKind.get(kind) ?? []);
  if (plan.provider === "eks") return [["cluster.json", kubectlJson(listOf(all))]];
  if (plan.provider === "kind")
    return [["cluster.yaml", stringify(listOf(all), { aliasDuplicateObjects: false, indentSeq: false, lineWidth: 0 })]];
  return KIND_ORDER.map((kind) => [`${kind.toLowerCase()}s.json`, kubectlJson(listOf(byKind.get(kind) ?? []))]);
}

function listOf(items: readonly unknown[]): unknown {
  return { apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } };
}

function kubectlJson(value: unknown): string {
  return `${JSON.stringify(value, null, 4)}\n`;
}

function versionOf(gitVersion: string): unknown {
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  const client = { gitVersion: "v1.34.1", major: "1", minor: "34", platform: "linux/amd64" };
  return {
    clientVersion: client,
    kustomizeVersion: "v5.7.1",
    serverVersion: { gitVersion, major, minor, platform: "linux/amd64" },
  };
}

if (import.meta.main) {
  const folder = process.argv[2] ?? "examples/dump";
  const files = exampleFiles();
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
