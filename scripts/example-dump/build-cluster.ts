import { type BuiltNode, buildNodes } from "./build-nodes.ts";
import type { BuiltPod } from "./build-pods.ts";
import { buildWorkload } from "./build-workloads.ts";
import { type KubeObject, metadata, secondsBefore } from "./kube-object.ts";
import type { ClusterPlan, NamespacePlan, WorkloadPlan } from "./plan.ts";
import { SeededRandom } from "./random.ts";
import { Schedule } from "./schedule.ts";

const DAY = 86_400;

/** An example cluster as kubectl shows it. */
export interface BuiltCluster {
  readonly plan: ClusterPlan;
  /** Objects by kind, in the order of the documented command. */
  readonly byKind: ReadonlyMap<string, readonly KubeObject[]>;
  readonly nodeMetrics: unknown;
  readonly podMetrics: unknown;
}

/** Kinds in the order in which the documented command asks for them. */
export const KIND_ORDER = [
  ...["Node", "Namespace", "Pod", "PersistentVolumeClaim", "PersistentVolume", "Service", "ResourceQuota"],
  ...["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob"],
];

/** Makes all objects of a plan; the same plan gives the same objects. */
export function buildCluster(plan: ClusterPlan): BuiltCluster {
  const random = new SeededRandom(plan.seed);
  const nodes = buildNodes(plan, random);
  const schedule = new Schedule(nodes);
  const daemonsFirst = plan.workloads.toSorted((a, b) => weight(b) - weight(a));
  const workloads = daemonsFirst.map((workload) => buildWorkload(workload, schedule, random));
  const pods = workloads.flatMap((workload) => workload.pods);
  const objects = [
    ...nodes.map((node) => node.object),
    ...plan.namespaces.map((namespace) => namespaceObject(namespace, random)),
    ...pods.map((pod) => pod.object),
    ...pods.flatMap((pod) => volumeObjects(plan, pod, random)),
    ...services(plan, random),
    ...plan.namespaces.flatMap((namespace) => quotas(namespace, pods, random)),
    ...workloads.flatMap((workload) => workload.owners),
  ];
  const byKind = new Map(KIND_ORDER.map((kind) => [kind, sorted(objects.filter((object) => object.kind === kind))]));
  return { plan, byKind, nodeMetrics: nodeMetrics(nodes, pods, random), podMetrics: podMetrics(pods) };
}

/** DaemonSets have their place on every node before anything else, large pods before small ones. */
function weight(workload: WorkloadPlan): number {
  return workload.kind === "DaemonSet" ? Number.POSITIVE_INFINITY : workload.cpu + workload.memory;
}

function sorted(objects: readonly KubeObject[]): readonly KubeObject[] {
  const key = ({ metadata: { namespace, name } }: KubeObject) => `${namespace ?? ""}/${name}`;
  return objects.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function namespaceObject({ name, labels }: NamespacePlan, random: SeededRandom): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: metadata(random, name, 300 * DAY, { labels: { "kubernetes.io/metadata.name": name, ...labels } }),
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

function volumeObjects(plan: ClusterPlan, pod: BuiltPod, random: SeededRandom): readonly KubeObject[] {
  const { volumeGi, namespace } = pod.plan;
  if (volumeGi === undefined) return [];
  const storage = `${volumeGi}Gi`;
  const storageClassName = { eks: "gp3", ack: "alicloud-disk-essd", kind: "standard" }[plan.provider];
  const driver = { eks: "ebs.csi.aws.com", ack: "diskplugin.csi.alibabacloud.com", kind: undefined }[plan.provider];
  const claimMeta = metadata(random, `data-${pod.object.metadata.name}`, 100 * DAY, { namespace });
  const volumeName = `pvc-${claimMeta.uid}`;
  const claim: KubeObject = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: claimMeta,
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, storageClassName, volumeName },
    status: { capacity: { storage }, phase: "Bound" },
  };
  const volume: KubeObject = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: metadata(random, volumeName, 100 * DAY),
    spec: {
      capacity: { storage },
      claimRef: { kind: "PersistentVolumeClaim", name: claimMeta.name, namespace, uid: claimMeta.uid },
      ...(driver === undefined ? {} : { csi: { driver, volumeHandle: `vol-0${random.hex(16)}` } }),
      storageClassName,
    },
    status: { phase: "Bound" },
  };
  return [claim, volume];
}

function services(plan: ClusterPlan, random: SeededRandom): readonly KubeObject[] {
  let next = 9;
  const service = (namespace: string, name: string, type: string): KubeObject => {
    next += 1;
    const clusterIP = `172.20.${Math.floor(next / 250)}.${next % 250}`;
    return {
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata(random, name, 200 * DAY, { namespace }),
      spec: { clusterIP, clusterIPs: [clusterIP], type },
    };
  };
  const fronts = plan.workloads.flatMap(({ namespace, name, service: type }) =>
    type ? [service(namespace, name, type)] : [],
  );
  return [service("default", "kubernetes", "ClusterIP"), ...fronts];
}

function quotas(namespace: NamespacePlan, pods: readonly BuiltPod[], random: SeededRandom): readonly KubeObject[] {
  if (namespace.quotaCores === undefined) return [];
  const own = pods.filter((pod) => pod.plan.namespace === namespace.name && pod.plan.kind !== "CronJob");
  const used = own.reduce((sum, { plan }) => sum + plan.cpu + (plan.sidecar ? 50 : 0), 0);
  const hard = { "requests.cpu": String(namespace.quotaCores) };
  return [
    {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: metadata(random, "team", 200 * DAY, { namespace: namespace.name }),
      spec: { hard },
      status: { hard, used: { "requests.cpu": `${used}m` } },
    },
  ];
}

const METRICS = "metrics.k8s.io/v1beta1";
const WINDOW = { timestamp: secondsBefore(12), window: "15.02s" };

/** As `kubectl get --raw` prints it: the kind first, elements without one. Nodes use what their pods use and some more. */
function nodeMetrics(nodes: readonly BuiltNode[], pods: readonly BuiltPod[], random: SeededRandom): unknown {
  const reporting = nodes.filter(({ plan }) => plan.state !== "NotReady" && plan.state !== "virtual");
  const items = reporting.map((node) => {
    const used = pods.flatMap((pod) => (pod.node === node && pod.usage ? [pod.usage] : []));
    const cpu = used.reduce((sum, usage) => sum + usage.cpu, random.between(60, 140));
    const memory = used.reduce((sum, usage) => sum + usage.memory, Math.round(random.between(700, 1100)) * 1024);
    const usage = { cpu: `${Math.round(cpu * 1_000_000)}n`, memory: `${memory}Ki` };
    return { metadata: { name: node.name }, ...WINDOW, usage };
  });
  return { kind: "NodeMetricsList", apiVersion: METRICS, metadata: {}, items };
}

function podMetrics(pods: readonly BuiltPod[]): unknown {
  const items = pods.flatMap(({ object, plan, usage }) => {
    if (usage === undefined) return [];
    const main = {
      name: plan.name,
      usage: { cpu: `${Math.round(usage.cpu * 1_000_000)}n`, memory: `${usage.memory}Ki` },
    };
    const proxy = { name: "mesh-proxy", usage: { cpu: "4211873n", memory: "31240Ki" } };
    const { name, namespace } = object.metadata;
    return [{ metadata: { name, namespace }, ...WINDOW, containers: plan.sidecar ? [main, proxy] : [main] }];
  });
  return { kind: "PodMetricsList", apiVersion: METRICS, metadata: {}, items };
}
