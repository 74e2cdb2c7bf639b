import { type ApiObject, isRecord } from "../api-client.ts";
import type { Cluster, ClusterProcess } from "../cluster-types.ts";
import { namespace } from "./cluster-objects.ts";
import { collectionPath, createObjects, inParallel, ownedBy } from "./create-objects.ts";
import { node } from "./nodes.ts";
import type { NewObject } from "./object-types.ts";
import { type PodOptions, pod } from "./pods.ts";
import { waitUntilSettled } from "./settled.ts";
import { deployment } from "./workloads.ts";

/** How the pods are spread. */
export interface LoadOptions {
  /** Pods on one node; default 100 (so 5,000 pods get 50 nodes). */
  readonly podsPerNode?: number;
  /** Pods of one Deployment; default 50. */
  readonly podsPerDeployment?: number;
  /** Default 10: load-0 … load-9. */
  readonly namespaces?: number;
  /** Default 300,000. */
  readonly timeoutMs?: number;
}

/**
 * `count` running pods of two containers with Deployments, ReplicaSets and nodes (16 cores, 64 GiB, provider aws). On a
 * cluster with `controllers: false` and `kwok: false` the objects are written directly, which is several times faster; else
 * the real controllers, the scheduler and kwok make them.
 */
export async function loadPods(cluster: Cluster, count: number, options: LoadOptions = {}): Promise<void> {
  const { podsPerNode = 100, podsPerDeployment = 50, namespaces = 10, timeoutMs = 300_000 } = options;
  const nodes = range(Math.ceil(count / podsPerNode)).map((index) =>
    node({
      name: `load-${index}`,
      provider: "aws",
      cpuCores: 16,
      memoryGiB: 64,
      pods: podsPerNode + 10,
      zone: zone(index),
    }),
  );
  const spaces = range(namespaces).map((index) => namespace(`load-${index}`, { "cost-center": `cc-${index}` }));
  const workloads = range(Math.ceil(count / podsPerDeployment)).map((index) => ({
    namespace: `load-${index % namespaces}`,
    name: `app-${index}`,
    replicas: Math.min(podsPerDeployment, count - index * podsPerDeployment),
    pod: podOf(index),
  }));
  await createObjects(cluster, [...spaces, ...nodes]);
  const deployments = await createObjects(cluster, workloads.map(deployment));
  if (!runs(cluster, "kube-controller-manager")) {
    if (!runs(cluster, "kwok")) await inParallel(nodes, (each) => writeStatus(cluster, each, READY));
    await createObjects(cluster, spaces.map(serviceAccount));
    let index = 0;
    for (const [position, workload] of workloads.entries()) {
      const owner = deployments[position];
      if (owner === undefined) continue;
      const nodeNames = range(workload.replicas).map(() => `load-${index++ % nodes.length}`);
      await writeReplicas(cluster, owner, workload, nodeNames);
    }
  }
  if (runs(cluster, "kwok")) await waitUntilSettled(cluster, { timeoutMs });
}

function podOf(index: number): PodOptions {
  return {
    labels: { "app.kubernetes.io/part-of": `system-${index % 20}`, "owner-team": `team-${index % 7}` },
    containers: [
      { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "256Mi" } },
      { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "100m", memory: "64Mi" } },
    ],
    usage: { cpu: `${5 + (index % 40)}m`, memory: `${20 + (index % 30)}Mi` },
  };
}

/** The ReplicaSet and pods that the controllers would make of a Deployment, bound to the nodes named and running. */
async function writeReplicas(
  cluster: Cluster,
  owner: ApiObject,
  workload: { readonly namespace: string; readonly name: string; readonly pod: PodOptions },
  nodeNames: readonly string[],
): Promise<void> {
  const labels = { ...workload.pod.labels, app: workload.name, "pod-template-hash": "6f7d8c9b5" };
  const name = `${workload.name}-6f7d8c9b5`;
  const replicaSet = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { namespace: workload.namespace, name, labels, ownerReferences: [ownedBy(owner)] },
    spec: { replicas: nodeNames.length, selector: { matchLabels: labels }, template: podTemplateOf(owner, labels) },
  };
  const [controller] = await createObjects(cluster, [replicaSet]);
  if (controller === undefined) return;
  const pods = nodeNames.map((nodeName, index) =>
    pod(workload.namespace, `${name}-${index}`, { ...workload.pod, labels, nodeName, owner: ownedBy(controller) }),
  );
  await inParallel(pods, async (each) => {
    const made = await createObjects(cluster, [each]);
    if (!runs(cluster, "kwok")) await writeStatus(cluster, made[0] ?? each, running());
  });
}

function podTemplateOf({ spec }: ApiObject, labels: Readonly<Record<string, string>>): unknown {
  const template = isRecord(spec) && isRecord(spec.template) ? spec.template : {};
  return { ...template, metadata: { labels } };
}

/** Replaces the status of an object as its kubelet would. */
async function writeStatus(cluster: Cluster, object: ApiObject | NewObject, status: object): Promise<void> {
  const { apiVersion = "v1", kind = "Pod", metadata } = object;
  const path = `${collectionPath({ apiVersion, kind, metadata })}/${metadata.name}/status`;
  await cluster.api.put(path, { ...object, status: { ...asRecord(object.status), ...status } });
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

const READY = { conditions: [{ type: "Ready", status: "True", reason: "KubeletReady" }] };

function running(): object {
  const startedAt = new Date().toISOString();
  const container = (name: string) => ({
    name,
    image: "registry.example/app:1.0",
    imageID: "",
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt } },
  });
  return {
    phase: "Running",
    startTime: startedAt,
    hostIP: "127.0.0.1",
    podIP: "10.244.0.1",
    podIPs: [{ ip: "10.244.0.1" }],
    conditions: ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map(
      (type) => ({
        type,
        status: "True",
        lastTransitionTime: startedAt,
      }),
    ),
    containerStatuses: [container("c1"), container("c2")],
  };
}

function serviceAccount({ metadata }: NewObject): NewObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: metadata.name } };
}

function runs(cluster: Cluster, name: ClusterProcess["name"]): boolean {
  return cluster.processes.some((each) => each.name === name);
}

function zone(index: number): string {
  return `us-east-1${"abc"[index % 3]}`;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
