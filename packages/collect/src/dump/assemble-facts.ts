import {
  type ClusterFacts,
  type KubeObjects,
  type KubeResource,
  PlimsollError,
  type Reading,
  reportError,
  type Usage,
} from "@plimsoll/contracts";
import { KUBE_RESOURCES } from "../kube/resources.ts";
import type { DumpContent } from "./content/dump-content.ts";
import { referredResources } from "./content/referred-resources.ts";
import { plural } from "./content/unused-rows.ts";
import { partMissing } from "./dump-manifest.ts";

/** What the facts need besides the content: where it came from and the present, milliseconds. */
export interface FactsSource {
  readonly path: string;
  readonly name: string;
  readonly now: number;
}

/** The facts of a dump that was read to its end. */
export function assembleFacts(content: DumpContent, source: FactsSource): ClusterFacts {
  const { asOf, asOfFrom } = asOfDump(content, source.now);
  checkManifest(content, source.path);
  noteRepeats(content, source.path);
  noteNamespaces(content, source.path);
  for (const object of content.manifest?.leftOut ?? []) content.unused.addLeftOut(object);
  return {
    name: source.name,
    source: { kind: "dump", location: source.path, asOfFrom },
    asOf,
    serverVersions: versions(content, source.path, asOf),
    objects: readings(content, asOf),
    usage: usage(content, source.path, asOf),
    unused: content.unused.list(),
  };
}

/**
 * When the dump was made: its manifest says it; else the newest time in its objects and usage figures (nodes report every few
 * minutes); else the newest file's time, which copying may have changed. Never later than now.
 */
function asOfDump(content: DumpContent, now: number): { asOf: string; asOfFrom: "manifest" | "objects" | "file" } {
  content.store.seeTimes();
  content.newest.see(content.usage.newest.value);
  const bounded = (text: string) => new Date(Math.min(Date.parse(text), now)).toISOString();
  if (content.manifest?.asOf !== undefined && !Number.isNaN(Date.parse(content.manifest.asOf))) {
    return { asOf: bounded(content.manifest.asOf), asOfFrom: "manifest" };
  }
  const newest = content.newest.value;
  if (newest !== undefined) return { asOf: bounded(newest), asOfFrom: "objects" };
  return { asOf: new Date(Math.min(content.newestFile ?? now, now)).toISOString(), asOfFrom: "file" };
}

type Readings = ClusterFacts["objects"];

function readings(content: DumpContent, asOf: string): Readings {
  const referred = referredResources(content.store);
  const read = <R extends KubeResource>(resource: R): Reading<readonly KubeObjects[R][]> => {
    const told = content.manifest?.reading(resource);
    const error = told?.error ?? content.ledger.fault(resource, content.store.has(resource), referred.has(resource));
    if (error !== undefined) return { known: false, error };
    return { known: true, value: content.store.objects(resource), observedAt: told?.observedAt ?? asOf };
  };
  return {
    nodes: read("nodes"),
    namespaces: read("namespaces"),
    pods: read("pods"),
    persistentvolumeclaims: read("persistentvolumeclaims"),
    persistentvolumes: read("persistentvolumes"),
    services: read("services"),
    resourcequotas: read("resourcequotas"),
    deployments: read("deployments"),
    replicasets: read("replicasets"),
    statefulsets: read("statefulsets"),
    daemonsets: read("daemonsets"),
    jobs: read("jobs"),
    cronjobs: read("cronjobs"),
  };
}

function versions(content: DumpContent, path: string, asOf: string): Reading<readonly string[]> {
  const told = content.manifest?.reading("version");
  const all = new Set([...(content.manifest?.gitVersions ?? []), ...content.gitVersions]);
  if (all.size > 0) return { known: true, value: [...all], observedAt: told?.observedAt ?? asOf };
  const error = told?.error ?? reportError(new PlimsollError("dump_version_missing", { path }));
  return { known: false, error };
}

function usage(content: DumpContent, path: string, asOf: string): Reading<Usage> {
  const told = content.manifest?.reading("usage");
  const value = content.usage.usage();
  if (value === undefined || told?.error !== undefined) {
    return { known: false, error: told?.error ?? reportError(new PlimsollError("dump_usage_missing", { path })) };
  }
  const { nodes, pods } = content.usage.seen;
  if (!nodes)
    content.unused.add(path, "usage_partial", "usage figures of pods only: used figures of nodes are unknown");
  if (!pods) content.unused.add(path, "usage_partial", "usage figures of nodes only: used figures of pods are unknown");
  const observedAt = told?.observedAt ?? content.usage.newest.value ?? asOf;
  return { known: true, value: { ...value, source: content.manifest?.usageSource ?? value.source }, observedAt };
}

/** A part that has fewer objects than the manifest promised is unknown. */
function checkManifest(content: DumpContent, path: string): void {
  for (const resource of KUBE_RESOURCES) {
    const promised = content.manifest?.reading(resource).objects ?? 0;
    const found = content.store.objects(resource).length;
    if (found < promised) content.ledger.spoil([resource], reportError(partMissing(path, resource, promised, found)));
  }
}

function noteRepeats({ store, unused }: DumpContent, path: string): void {
  const { same, sameByName, replaced } = store.repeats;
  if (same > 0) unused.add(path, "repeated", `${plural(same, "object")} met again (same UID): each counts once`);
  if (sameByName > 0) {
    const reason = `${plural(sameByName, "object")} without UID met again under the same kind and name: each counts once`;
    unused.add(path, "repeated_by_name", reason);
  }
  if (replaced > 0) {
    const reason = `${plural(replaced, "object")} of the same name but another UID: the dump mixes moments; the younger counts`;
    unused.add(path, "replaced", reason);
  }
  if (store.withoutUid > 0) {
    unused.add(path, "no_uid", `${plural(store.withoutUid, "object")} without UID: told apart by kind and name`);
  }
}

/** Pods of one namespace only: perhaps -A was forgotten, and every figure would be low. */
function noteNamespaces({ store, unused }: DumpContent, path: string): void {
  const pods = store.objects("pods");
  const namespaces = new Set(pods.map((pod) => pod.metadata.namespace));
  const [only] = namespaces;
  const known = store.objects("namespaces").length;
  if (pods.length < 2 || namespaces.size !== 1 || only === undefined || known === 1) return;
  const reason = `all ${pods.length} pods are of namespace ${only}: if -A was left out, figures are those of that namespace`;
  unused.add(path, "one_namespace", reason);
}
