import { readFileSync } from "node:fs";
import { ApiError, type Cluster, startCluster } from "../testbed/index.ts";
import type { SuiteCluster } from "./suite.ts";

/** A bare API server and its etcd; no kubelet, so pods stay Pending and are deleted at once. */
export async function startRealCluster(
  apiServerFlags: readonly string[] = [],
): Promise<SuiteCluster & { cluster: Cluster }> {
  const cluster = await startCluster({
    name: "list-watch",
    gitVersion: "v1.36.3",
    kwok: false,
    controllers: false,
    apiServerFlags,
  });
  const { api } = cluster;
  const podsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;
  const createPods = async (namespace: string, names: readonly string[]) => {
    await makeNamespace(cluster, namespace);
    await inParallel(names, 16, async (name) => {
      const spec = { automountServiceAccountToken: false, containers: [container] };
      await api.post(podsOf(namespace), { metadata: { name, labels: { app: "list-watch" } }, spec });
    });
  };
  return {
    cluster,
    server: cluster.server,
    ca: readFileSync(cluster.caFile, "utf8"),
    token: cluster.token,
    createPods,
    changePod: async (namespace, name, value) => {
      await api.patch(`${podsOf(namespace)}/${name}`, { metadata: { labels: { value } } });
    },
    deletePod: async (namespace, name) => {
      await api.delete(`${podsOf(namespace)}/${name}?gracePeriodSeconds=0`);
    },
    touchOther: () => createPods("elsewhere", [`other-${Date.now()}`]),
    compact: async () => {
      await cluster.compact();
    },
    stop: () => cluster.stop(),
  };
}

const container = {
  name: "main",
  image: "registry.example/main:1",
  resources: { requests: { cpu: "100m", memory: "64Mi" } },
  env: [{ name: "LONG", value: "x".repeat(500) }],
};

async function makeNamespace({ api }: Cluster, name: string): Promise<void> {
  try {
    await api.post("/api/v1/namespaces", { metadata: { name } });
    // Without controllers nobody makes the account that the admission of pods asks for.
    await api.post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: "default" } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  }
}

/** Runs `work` for every item, `atOnce` at a time. */
async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
