import { createWriteStream } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type ClusterFacts,
  type KubeResource,
  type NodeUsage,
  PlimsollError,
  type PodUsage,
  type Reading,
} from "@plimsoll/contracts";
import { KUBE_RESOURCES, RESOURCE_PATHS } from "../kube/resources.ts";
import { type DumpManifest, MANIFEST_KIND, type ManifestReading } from "./dump-manifest.ts";
import { redactFacts } from "./redact/redact-facts.ts";

/** How a dump is written. */
export interface WriteDumpOptions {
  /** Replace names, addresses and identities consistently; figures stay the same. */
  readonly redact?: boolean;
  /** Who writes it: "plimsoll 0.1.0". */
  readonly createdBy?: string;
  /** Secret of the replacements; random for each dump unless a test wants the same again. At least 32 bytes. */
  readonly redactionKey?: Uint8Array;
}

const METRICS = "metrics.k8s.io/v1beta1";

/**
 * Writes the facts of one cluster as a folder that `readDump` reads back to the same facts: a typed list per resource with one
 * slim object per line, version.json as `kubectl version` has it, usage as metrics.k8s.io has it, and manifest.json. Nothing
 * that was not read of the cluster is in it, and Secrets never are. Rejects with output_unwritable; the folder must be empty
 * or new, so that two dumps never mix.
 */
export async function writeDump(facts: ClusterFacts, folder: string, options: WriteDumpOptions = {}): Promise<void> {
  const written = options.redact === true ? redactFacts(facts, options.redactionKey) : facts;
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) throw unwritable(folder, "the folder is not empty");
    for (const resource of KUBE_RESOURCES) await writeResource(written, resource, folder);
    await writeVersion(written.serverVersions, folder);
    await writeUsage(written, folder);
    await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifestOf(written, options), null, 2)}\n`);
  } catch (error) {
    if (error instanceof PlimsollError || !(error instanceof Error)) throw error;
    throw unwritable(folder, error.message, error);
  }
}

async function writeResource(facts: ClusterFacts, resource: KubeResource, folder: string): Promise<void> {
  const reading = facts.objects[resource];
  if (!reading.known) return;
  const { kind, apiVersion } = RESOURCE_PATHS[resource];
  await writeList(join(folder, `${resource}.json`), kind, apiVersion, reading.value);
}

/** One element per line: large lists are written as a stream, and differences between two dumps are readable. */
async function writeList(path: string, kind: string, apiVersion: string, items: Iterable<object>): Promise<void> {
  function* lines(): Generator<string> {
    const header = JSON.stringify({ kind: `${kind}List`, apiVersion, metadata: {} });
    yield `${header.slice(0, -1)},"items":[`;
    let separator = "\n";
    for (const item of items) {
      yield separator + JSON.stringify({ apiVersion, kind, ...item });
      separator = ",\n";
    }
    yield "\n]}\n";
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

async function writeVersion(versions: Reading<readonly string[]>, folder: string): Promise<void> {
  const first = versions.known ? versions.value[0] : undefined;
  if (first === undefined) return;
  const version = { serverVersion: { gitVersion: first } };
  await writeFile(join(folder, "version.json"), `${JSON.stringify(version, null, 2)}\n`);
}

async function writeUsage({ usage }: ClusterFacts, folder: string): Promise<void> {
  if (!usage.known) return;
  const timestamp = usage.observedAt;
  const node = ({ node: name, usage: figures }: NodeUsage) => ({ metadata: { name }, timestamp, usage: figures });
  const pod = ({ namespace, pod: name, usage: figures }: PodUsage) => ({
    metadata: { name, namespace },
    timestamp,
    // One container stands for the pod: its own are not told apart in the facts.
    containers: [{ name: "pod", usage: figures }],
  });
  await writeList(join(folder, "usage-nodes.json"), "NodeMetrics", METRICS, usage.value.nodes.map(node));
  await writeList(join(folder, "usage-pods.json"), "PodMetrics", METRICS, usage.value.pods.map(pod));
}

function manifestOf(facts: ClusterFacts, options: WriteDumpOptions): DumpManifest {
  const { serverVersions, usage } = facts;
  const resources = KUBE_RESOURCES.map((resource): [KubeResource, ManifestReading] => {
    const reading: Reading<readonly object[]> = facts.objects[resource];
    return [resource, told(reading, `${resource}.json`, (objects) => objects.length)];
  });
  return {
    apiVersion: "plimsoll.dev/v1",
    kind: MANIFEST_KIND,
    name: facts.name,
    asOf: facts.asOf,
    createdBy: options.createdBy ?? "plimsoll",
    redacted: options.redact === true,
    resources: Object.fromEntries(resources),
    version: told(serverVersions, "version.json", (versions) => versions.length),
    gitVersions: serverVersions.known ? serverVersions.value : [],
    usage: told(usage, "usage-nodes.json", ({ nodes }) => nodes.length),
    ...(usage.known ? { usageSource: usage.value.source } : {}),
    leftOut: facts.unused.filter(({ resource }) => resource !== undefined),
  };
}

function told<T>(reading: Reading<T>, file: string, count: (value: T) => number): ManifestReading {
  if (!reading.known) return { error: reading.error };
  return { file, objects: count(reading.value), observedAt: reading.observedAt };
}

function unwritable(path: string, reason: string, cause?: unknown): PlimsollError {
  return new PlimsollError("output_unwritable", { path, reason }, { cause });
}
