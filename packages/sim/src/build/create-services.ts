import type { WorkloadOrder } from "../controllers/workload-order.ts";
import type { Labels } from "../records/pod-template.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";

/** A service for each workload that answers, the API's own and the DNS's; one in ten has a load balancer. */
export function createServices(world: ClusterWorld, orders: readonly WorkloadOrder[], since: Seconds): void {
  addService(world, "default", "kubernetes", {}, since, "ClusterIP", 443);
  addService(world, "kube-system", "kube-dns", { "k8s-app": "kube-dns" }, since, "ClusterIP", 53);
  for (const { namespace, name, selector } of orders) {
    const type = world.random.chance(0.1) ? "LoadBalancer" : "ClusterIP";
    addService(world, namespace, name, selector, since, type, 80);
  }
}

/** A quota on what the namespace may request. */
export function createQuota(world: ClusterWorld, namespace: string, since: Seconds): void {
  const hard: Labels = { "requests.cpu": "40", "requests.memory": "96Gi", pods: "200" };
  const used: Labels = {
    "requests.cpu": `${world.random.integer(4_000, 38_000)}m`,
    "requests.memory": `${world.random.integer(8, 90)}Gi`,
    pods: String(world.random.integer(10, 60)),
  };
  world.store.put({
    resource: "resourcequotas",
    namespace,
    name: "team-quota",
    uid: world.random.uuid(),
    createdAt: since,
    labels: {},
    hard,
    used,
  });
}

function addService(
  world: ClusterWorld,
  namespace: string,
  name: string,
  selector: Labels,
  createdAt: Seconds,
  type: "ClusterIP" | "LoadBalancer",
  port: number,
): void {
  const fixed: Readonly<Record<string, string>> = { kubernetes: "1", "kube-dns": "10" };
  const last = fixed[name];
  const clusterIp =
    last === undefined ? `172.20.${world.random.integer(1, 254)}.${world.random.integer(1, 254)}` : `172.20.0.${last}`;
  world.store.put({
    resource: "services",
    namespace,
    name,
    uid: world.random.uuid(),
    createdAt,
    labels: selector,
    selector,
    type,
    clusterIp,
    port,
  });
}
