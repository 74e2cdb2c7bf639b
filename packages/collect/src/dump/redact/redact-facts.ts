import {
  type ClusterFacts,
  type KubeObjects,
  type KubeResource,
  PlimsollError,
  type Reading,
  type ReportedError,
  reportError,
  type UnusedInput,
  type Usage,
} from "@plimsoll/contracts";
import { RESOURCE_PATHS } from "../../kube/resources.ts";
import { createProjectors } from "../../projection/projectors.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { redactName, redactObject } from "./redact-object.ts";

/**
 * The same cluster under other names: namespaces, nodes, pods, workloads, claims, label values, images, addresses, UIDs and
 * the machines in provider ids are replaced, the same text by the same replacement, so that owners, bindings and usage still
 * join. Kept are quantities, times, versions, kinds, places, instance types and what else rules read that names nothing.
 */
export function redactFacts(facts: ClusterFacts, key?: Uint8Array): ClusterFacts {
  const pseudonyms = new Pseudonyms(key);
  const name = pseudonyms.name("cluster", facts.name);
  return {
    name,
    source: { ...facts.source, location: name },
    asOf: facts.asOf,
    serverVersions: withoutNames(facts.serverVersions),
    objects: redactReadings(facts.objects, pseudonyms),
    usage: mapReading(facts.usage, (usage) => redactUsage(usage, pseudonyms)),
    unused: facts.unused.flatMap((row) => redactLeftOut(row, pseudonyms)),
  };
}

function redactReadings(objects: ClusterFacts["objects"], pseudonyms: Pseudonyms): ClusterFacts["objects"] {
  const projectors = createProjectors();
  const redact = <R extends KubeResource>(resource: R): Reading<readonly KubeObjects[R][]> => {
    const { kind } = RESOURCE_PATHS[resource];
    const project = projectors[resource];
    return mapReading<readonly KubeObjects[R][]>(objects[resource], (list) =>
      list.map((object) => project(redactObject(kind, object, pseudonyms), kind)),
    );
  };
  return {
    nodes: redact("nodes"),
    namespaces: redact("namespaces"),
    pods: redact("pods"),
    persistentvolumeclaims: redact("persistentvolumeclaims"),
    persistentvolumes: redact("persistentvolumes"),
    services: redact("services"),
    resourcequotas: redact("resourcequotas"),
    deployments: redact("deployments"),
    replicasets: redact("replicasets"),
    statefulsets: redact("statefulsets"),
    daemonsets: redact("daemonsets"),
    jobs: redact("jobs"),
    cronjobs: redact("cronjobs"),
  };
}

function redactUsage({ source, nodes, pods }: Usage, pseudonyms: Pseudonyms): Usage {
  return {
    source,
    nodes: nodes.map(({ node, usage }) => ({ node: redactName("Node", node, pseudonyms), usage })),
    pods: pods.map(({ namespace, pod, usage }) => ({
      namespace: redactName("Namespace", namespace, pseudonyms),
      pod: redactName("Pod", pod, pseudonyms),
      usage,
    })),
  };
}

/**
 * Of an object that figures lack, its resource, its name's replacement and the field at fault; map keys in the field's path
 * may be anybody's. Whatever else was not used concerns no figure.
 */
function redactLeftOut({ where, code, reason, resource }: UnusedInput, pseudonyms: Pseudonyms): UnusedInput[] {
  if (resource === undefined) return [];
  const object = pseudonyms.name(RESOURCE_PATHS[resource].kind.toLowerCase(), where);
  return [{ where: `${resource} ${object}`, code, reason: reason.replace(/\[".*"\]/, "[…]"), resource }];
}

function mapReading<T>(reading: Reading<T>, change: (value: T) => T): Reading<T> {
  return reading.known ? { ...reading, value: change(reading.value) } : withoutNames(reading);
}

/** An error's message may name a context or an address: only its code is kept. */
function withoutNames<T>(reading: Reading<T>): Reading<T> {
  return reading.known ? reading : { known: false, error: bare(reading.error) };
}

function bare({ code }: ReportedError): ReportedError {
  return reportError(new PlimsollError(code));
}
