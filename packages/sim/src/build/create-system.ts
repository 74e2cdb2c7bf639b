import { DaemonSet } from "../controllers/daemon-set.ts";
import { Deployment } from "../controllers/deployment.ts";
import { StatefulSet } from "../controllers/stateful-set.ts";
import type { WorkloadOrder } from "../controllers/workload-order.ts";
import { type AddOn, RELEASE } from "../fleet/cloud-profile.ts";
import type { PoolClass } from "../records/pod-template.ts";
import type { NodeRecord } from "../records/records.ts";
import { HOUR, type Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { placeOldPod } from "../world/pod-lifecycle.ts";
import type { PodOwner } from "../world/pod-owner.ts";
import { systemTemplate } from "./pod-templates.ts";
import type { ClaimMaker } from "./volume-claims.ts";

const NODE_EXPORTER: AddOn = {
  name: "node-exporter",
  kind: "DaemonSet",
  image: "quay.io/prometheus/node-exporter:v1.9.1",
  replicas: 0,
  cpuMillicores: 20,
  memoryMib: 40,
  namespace: "monitoring",
};
const PROMETHEUS: AddOn = {
  name: "prometheus",
  kind: "Deployment",
  image: "quay.io/prometheus/prometheus:v3.5.0",
  replicas: 1,
  cpuMillicores: 500,
  memoryMib: 2048,
  namespace: "monitoring",
};
const STATIC_PODS = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** Add-ons that run on every node of this cluster. */
export function everyNodeAddOns(addOns: readonly AddOn[]): readonly AddOn[] {
  return [...addOns.filter(({ kind }) => kind === "DaemonSet"), NODE_EXPORTER];
}

/** The DaemonSets of the system, still without nodes. */
export function createDaemonSets(world: ClusterWorld, since: Seconds): readonly DaemonSet[] {
  return everyNodeAddOns(world.plan.cloud.addOns).map(
    (addOn) => new DaemonSet(world, addOnOrder(world, addOn, "every-node"), since),
  );
}

/** Add-ons with replicas, and monitoring with its volume. */
export function createSystem(world: ClusterWorld, since: Seconds, claimOf: ClaimMaker): void {
  for (const addOn of world.plan.cloud.addOns) {
    if (addOn.kind === "DaemonSet") continue;
    const order = addOnOrder(world, addOn, "general");
    new Deployment(world, order, since, addOn.replicas, () => since + world.random.integer(60, 40 * HOUR));
  }
  const prometheus = addOnOrder(world, PROMETHEUS, "general");
  new StatefulSet(world, prometheus, since, (pod) => claimOf(prometheus, pod, 100));
}

/** Pods that the kubelet of a control plane node runs by itself, as the API shows them. */
export function createStaticPods(world: ClusterWorld, node: NodeRecord): void {
  const reference = { apiVersion: "v1", kind: "Node", name: node.name, uid: node.uid };
  const owner: PodOwner = {
    reference,
    workload: { kind: "Node", name: node.name },
    podStarted: () => undefined,
    podLeft: () => undefined,
    podGone: () => undefined,
  };
  world.owners.set(node.uid, owner);
  const version = releaseOf(world);
  for (const name of STATIC_PODS) {
    const image = name === "etcd" ? "registry.k8s.io/etcd:3.5.21-0" : `registry.k8s.io/${name}:${version}`;
    const labels = { component: name, tier: "control-plane" };
    const cpuMillicores = name === "kube-apiserver" ? 250 : 100;
    const template = systemTemplate(world.random, {
      name,
      image,
      labels,
      cpuMillicores,
      memoryMib: name === "etcd" ? 100 : 0,
      pool: "control-plane",
      mirror: true,
    });
    const order = { owner, namespace: "kube-system", name: `${name}-${node.name}`, template, labels, node: node.name };
    placeOldPod(world, order, node.createdAt + 20);
  }
}

function addOnOrder(world: ClusterWorld, addOn: AddOn, pool: PoolClass): WorkloadOrder {
  const { name, cpuMillicores, memoryMib } = addOn;
  const image = addOn.image.replace(RELEASE, releaseOf(world));
  const selector = addOn.labels ?? { "k8s-app": name };
  const labels = { "app.kubernetes.io/name": name, ...selector };
  const namespace = addOn.namespace ?? "kube-system";
  const template = systemTemplate(world.random, { name, image, labels, cpuMillicores, memoryMib, pool });
  return { namespace, name, template, labels, selector, minReplicas: addOn.replicas, maxReplicas: addOn.replicas };
}

/** The release without what the vendor adds ("v1.31.4"). */
function releaseOf(world: ClusterWorld): string {
  return world.plan.release.server.replace(/[-+].*/, "");
}
