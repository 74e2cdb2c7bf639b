import { createHttpConnection, createProjectors, fixedCredential, systemClock } from "@plimsoll/collect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFaultProxy } from "./fault-proxy.ts";
import { startRealCluster } from "./real-cluster.ts";
import { listWatchSuite, startFollowing } from "./suite.ts";

listWatchSuite("a real API server", { bookmarks: true, expiry: false }, () => startRealCluster());

// With its watch cache the server itself remembers the last minutes, so that a compaction of etcd is felt much later.
listWatchSuite("a real API server without watch cache", { bookmarks: false, expiry: true }, () =>
  startRealCluster(["--watch-cache=false"]),
);

describe("5,000 pods of a real API server", () => {
  const PODS = 5_000;
  let cluster: Awaited<ReturnType<typeof startRealCluster>>;
  beforeAll(async () => {
    cluster = await startRealCluster();
    const names = Array.from({ length: PODS }, (_, i) => `pod-${i}`);
    await cluster.createPods("many", names);
  });
  afterAll(() => cluster?.stop());

  test("are listed in pages of 100, followed through cuts, and told once each", async () => {
    const proxy = await startFaultProxy(cluster.server, cluster.ca);
    const headers = { authorization: `Bearer ${cluster.token}` };
    const conn = createHttpConnection({
      server: proxy.url,
      context: "real",
      credentials: fixedCredential({ headers }),
      clock: systemClock,
      random: Math.random,
    });
    const project = createProjectors().pods;
    const pods = startFollowing(conn, { path: "/api/v1/pods", what: "pods", project, pageSize: 100 });
    await pods.until("a watch", () => pods.states.some((state) => state.kind === "watching"));
    expect(pods.store.size).toBe(PODS);
    expect(proxy.requests.filter((request) => !request.isWatch)).toHaveLength(PODS / 100);

    for (let round = 0; round < 10; round += 1) {
      proxy.cutInsideNextEvent();
      const name = `pod-${round}`;
      await cluster.changePod("many", name, `round-${round}`);
      await cluster.deletePod("many", name);
      await pods.until(`the deletion of ${name}`, () => pods.told().includes(`deleted ${name}`));
    }
    expect(proxy.fired.cut).toBeGreaterThanOrEqual(5);
    const told = pods.told();
    expect(told.filter((item) => item.startsWith("added"))).toHaveLength(PODS);
    expect(told.filter((item) => item.startsWith("deleted"))).toHaveLength(10);
    expect(new Set(told.filter((item) => item.startsWith("added"))).size).toBe(PODS);
    expect(pods.events.filter((event) => event.type === "synced")).toHaveLength(1);
    await pods.stop();
    conn.close();
    await proxy.close();
  });
});
