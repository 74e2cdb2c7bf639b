import { startSimulator } from "@plimsoll/sim";
import { listWatchSuite, type SuiteCluster } from "./suite.ts";

listWatchSuite("a simulated cluster", { bookmarks: true, expiry: true }, startSimulatedCluster);

/** One cluster of the simulator, whose own pods come and go beside those of the suite. */
async function startSimulatedCluster(): Promise<SuiteCluster> {
  const simulator = await startSimulator({ clusters: 1, seed: "list-watch", podsPerCluster: 50, tickMs: 100 });
  const cluster = simulator.cluster(simulator.clusters[0]?.name ?? "");
  const put = (namespace: string, name: string, labels: Readonly<Record<string, string>>) => {
    const containers = [{ name: "main", image: "registry.example/main:1" }];
    cluster.put("pods", { metadata: { name, namespace, labels }, spec: { containers }, status: { phase: "Pending" } });
  };
  return {
    // A lone simulated cluster is served at the root too.
    server: simulator.address,
    token: cluster.token,
    createPods: async (namespace, names) => {
      for (const name of names) put(namespace, name, { app: "list-watch" });
    },
    changePod: async (namespace, name, value) => put(namespace, name, { app: "list-watch", value }),
    deletePod: async (namespace, name) => cluster.remove("pods", namespace, name),
    touchOther: async () => put("elsewhere", `other-${cluster.world().store.revision}`, {}),
    compact: async () => {
      cluster.compact();
    },
    stop: () => simulator.stop(),
  };
}
