import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { collectCluster, createHttpConnection, fixedCredential } from "@plimsoll/collect";
import { ClusterList, ClusterView, NodeList } from "@plimsoll/contracts/rest";
import { lookAtCluster } from "@plimsoll/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { type SimulatedCluster, type Simulator, startSimulator } from "../../../sim/src/index.ts";
import { presentWatermarks } from "../inventory/cluster-view.ts";
import { startTestHub, type TestHub } from "../testing/test-hub.ts";

/** Waits of the pace between requests pass by themselves; longer ones wait for `advance`. */
const INSTANT_MS = 3_000;
const WAIT = { timeout: 15_000, interval: 20 };

let clock: ManualClock;
let simulator: Simulator;
let member: SimulatedCluster;
let hub: TestHub;
beforeEach(async () => {
  clock = createManualClock(Date.now(), INSTANT_MS);
  const startAt = new Date(clock.now() - 3_600_000);
  simulator = await startSimulator({ clusters: 2, sickness: false, podsPerCluster: 40, tickMs: 0, startAt, clock });
  simulator.step();
  member = at(simulator.clusters, 0);
  hub = await startTestHub({}, { clock });
});
afterEach(async () => {
  await hub.remove();
  await simulator.stop();
});

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}

function add(change: Record<string, unknown> = {}) {
  const body = { kubeconfig: simulator.kubeconfig(), context: member.name, name: "prod-eu", ...change };
  return hub.ask("/api/v1/clusters", { method: "POST", body });
}

const view = () => hub.get("/api/v1/clusters/prod-eu", ClusterView);

/** Waits until a round that began at or after a moment has been taken over. */
async function read(sinceMs: number): Promise<ClusterView> {
  return vi.waitFor(async () => {
    const shown = await view();
    expect(Date.parse(shown.observedAt ?? "")).toBeGreaterThanOrEqual(sinceMs);
    return shown;
  }, WAIT);
}

/** Lets time pass to the next round. */
async function nextRound(): Promise<ClusterView> {
  clock.advance(60_000);
  simulator.step();
  return read(clock.now() - INSTANT_MS);
}

describe("a cluster that is added by a kubeconfig", () => {
  test("is read at once, and shows what a scan of the same moment finds", async () => {
    const began = clock.now();
    const added = await add({ labels: { env: "prod" } });
    expect([added.status, ClusterView.parse(added.body).mode]).toEqual([201, "pull"]);
    const shown = await read(began);
    const connection = createHttpConnection({
      server: member.server,
      context: member.name,
      credentials: fixedCredential({ headers: { authorization: `Bearer ${member.token}` } }),
      clock,
      random: Math.random,
    });
    const facts = await collectCluster(connection, { name: member.name, deadlineMs: 30_000, clock });
    connection.close();
    const look = lookAtCluster(facts, null);
    expect(shown.connectivity).toMatchObject({ state: "online", beatSeconds: 60, unknownAfterSeconds: 240 });
    expect(shown.watermarks).toEqual(presentWatermarks(look.capacity?.resources ?? {}));
    const { health_status: _, ...layer } = look.layer;
    expect(shown.record).toMatchObject({ ...layer, fingerprint: look.fingerprint, environment: "production" });
  });

  test("is metered: its batches take the way of an agent's, and its nodes are shown", async () => {
    await add();
    await read(0);
    for (let round = 0; round < 7; round += 1) await nextRound();
    const metrics = (await hub.ask("/metrics")).text;
    for (const kind of ["usage", "node", "sample"]) {
      const rows = new RegExp(`plimsoll_ingest_rows_total\\{kind="${kind}"\\} (\\d+)`).exec(metrics)?.[1];
      expect([kind, Number(rows) > 0]).toEqual([kind, true]);
    }
    const nodes = await hub.get("/api/v1/nodes?cluster=prod-eu&limit=1000", NodeList);
    expect(nodes.total).toBe(Number((await view()).record.node_count));
    expect(nodes.items.filter(({ cpuRequested }) => cpuRequested !== null).length).toBeGreaterThan(0);
  });

  test("is read on after a restart of the hub, with credentials that no file shows", async () => {
    await add();
    await read(0);
    await hub.stop();
    for (const name of readdirSync(hub.dataDir, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name)).includes(member.token)).toBe(false);
    }
    clock.advance(30_000);
    simulator.step();
    hub = await startTestHub({ dataDir: hub.dataDir }, { clock, random: () => 0 });
    const began = clock.now();
    clock.advance(1);
    expect((await read(began)).connectivity.state).toBe("online");
  });

  test("whose API server calls itself not ready for half a minute is unhealthy, with the reason, until it recovers", async () => {
    await add();
    expect((await read(0)).record.health_status).not.toBe("unhealthy");
    const fault = member.inject({ does: "answer", status: 500, path: "/readyz", times: Number.POSITIVE_INFINITY });
    await nextRound();
    expect((await nextRound()).record).toMatchObject({
      health_status: "unhealthy",
      health_reasons: expect.arrayContaining(["/readyz answers 500"]),
    });
    fault.remove();
    expect(fault.fired).toBe(2);
    await nextRound();
    expect((await nextRound()).record.health_status).not.toBe("unhealthy");
  });

  test("that stops answering is late, then offline, says why, and comes back", async () => {
    await add();
    await read(0);
    const fault = member.inject({ does: "answer", status: 401, times: Number.POSITIVE_INFINITY });
    for (const state of ["online", "late", "late", "offline"]) {
      const before = fault.fired;
      clock.advance(60_000);
      simulator.step();
      await vi.waitFor(async () => {
        expect(fault.fired).toBeGreaterThan(before);
        expect((await view()).connectivity.state).toBe(state);
      }, WAIT);
    }
    await vi.waitFor(async () => {
      const { errors } = await hub.get("/api/v1/clusters", ClusterList);
      expect(errors).toMatchObject([{ code: "cluster_unauthorized" }]);
    }, WAIT);
    fault.remove();
    expect(fault.fired).toBeGreaterThan(3);
    expect((await nextRound()).connectivity.state).toBe("online");
    await vi.waitFor(async () => {
      expect((await hub.get("/api/v1/clusters", ClusterList)).errors).toEqual([]);
    }, WAIT);
  });
});

describe("adding is refused", () => {
  const kubeconfig = (user: Record<string, unknown>, cluster: Record<string, unknown> = {}) =>
    JSON.stringify({
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: member.server, ...cluster } }],
      users: [{ name: "u", user }],
    });
  const exec = {
    exec: { apiVersion: "client.authentication.k8s.io/v1", command: "touch", args: ["/tmp/plimsoll-was-here"] },
  };

  const cases: readonly [string, () => Record<string, unknown>, number, string][] = [
    ["credential plug-ins", () => ({ kubeconfig: kubeconfig(exec), context: "c" }), 400, "kubeconfig_plugin_refused"],
    [
      "auth-providers",
      () => ({ kubeconfig: kubeconfig({ "auth-provider": { name: "gcp" } }), context: "c" }),
      400,
      "kubeconfig_plugin_refused",
    ],
    [
      "token files of the hub's machine",
      () => ({ kubeconfig: kubeconfig({ tokenFile: "/etc/passwd" }), context: "c" }),
      400,
      "kubeconfig_file_refused",
    ],
    [
      "key files",
      () => ({ kubeconfig: kubeconfig({ "client-key": "k.pem", "client-certificate": "c.pem" }), context: "c" }),
      400,
      "kubeconfig_file_refused",
    ],
    [
      "CA files",
      () => ({ kubeconfig: kubeconfig({ token: "t" }, { "certificate-authority": "ca.crt" }), context: "c" }),
      400,
      "kubeconfig_file_refused",
    ],
    ["another context than it has", () => ({ context: "nowhere" }), 404, "context_unknown"],
    [
      "several contexts and none in use",
      () => ({ kubeconfig: simulator.kubeconfig().replace(/^current-context:.*$/m, ""), context: undefined }),
      400,
      "context_ambiguous",
    ],
    ["what is no kubeconfig", () => ({ kubeconfig: "hello: world" }), 400, "kubeconfig_invalid"],
    ["nothing", () => ({ kubeconfig: "" }), 400, "kubeconfig_invalid"],
    ["a number", () => ({ kubeconfig: 5 }), 400, "parameter_invalid"],
    [
      "a wrong token",
      () => ({ kubeconfig: kubeconfig({ token: "wrong" }), context: "c" }),
      401,
      "cluster_unauthorized",
    ],
    [
      "a dead address",
      () => ({ kubeconfig: kubeconfig({ token: "t" }, { server: "http://127.0.0.1:1" }), context: "c" }),
      502,
      "cluster_unreachable",
    ],
    ["a bad name", () => ({ name: "Prod EU" }), 400, "cluster_name_invalid"],
    ["a bad label", () => ({ labels: { "-": "" } }), 400, "parameter_invalid"],
    ["a field too many", () => ({ colour: "red" }), 400, "parameter_unknown"],
  ];
  test.each(cases)("with %s", async (_, change, status, code) => {
    const answer = await add(change());
    expect([answer.status, answer.body]).toMatchObject([status, { code }]);
    expect(answer.text).not.toContain(member.token);
    expect((await hub.get("/api/v1/clusters", ClusterList)).total).toBe(0);
  });

  test("under another name than it has, and under the name of another", async () => {
    await add();
    expect((await add({ name: "prod-us" })).body).toMatchObject({ code: "cluster_already_registered" });
    const other = at(simulator.clusters, 1).name;
    expect((await add({ context: other })).body).toMatchObject({ code: "cluster_name_taken" });
  });
});

test("a cluster that an agent joins is not read any more, and one that is added has no agent any more", async () => {
  await add();
  const { fingerprint } = (await read(0)).record;
  const joined = await hub.join("prod-eu", { fingerprint: String(fingerprint) });
  expect(await view()).toMatchObject({ id: joined.clusterId, mode: "push" });
  const requests = () => Object.values(member.requests).reduce((sum, count) => sum + count, 0);
  clock.advance(60_000);
  const before = requests();
  clock.advance(60_000);
  expect(requests()).toBe(before);
  expect((await add()).status).toBe(201);
  expect(await view()).toMatchObject({ id: joined.clusterId, mode: "pull" });
});
