import { createHttpConnection, createProjectors, fixedCredential, type KubeConnection } from "@plimsoll/collect";
import type { KubePod } from "@plimsoll/contracts";
import { type Simulator, startSimulator } from "@plimsoll/sim";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { WatchedResource } from "./watched-resource.ts";

const START = Date.UTC(2026, 0, 31, 8);
let clock: ManualClock;
let simulator: Simulator;
let connection: KubeConnection;
let controller: AbortController;
let told: string[];
let watched: WatchedResource<"pods">;
let running: Promise<void>;

beforeEach(async () => {
  clock = createManualClock(START);
  simulator = await startSimulator({
    clusters: 1,
    podsPerCluster: 20,
    churn: false,
    sickness: false,
    tickMs: 0,
    clock,
  });
  for (const pod of cluster().truth(new Date(START), new Date(START + 1_000)))
    cluster().remove("pods", pod.namespace, pod.name);
  cluster().put("pods", object("a"));
  const { server, token } = cluster();
  const credentials = fixedCredential({ headers: { authorization: `Bearer ${token}` } });
  connection = createHttpConnection({ server, context: "sim", credentials, clock, random: () => 0.5 });
  controller = new AbortController();
  told = [];
});
afterEach(async () => {
  controller.abort();
  await running;
  connection.close();
  await simulator.stop();
});

function cluster() {
  const [first] = simulator.clusters;
  if (!first) throw new Error("no cluster");
  return first;
}

const object = (name: string) => ({
  metadata: { name, namespace: "default" },
  spec: { nodeName: "n1", containers: [{ name: "c" }] },
});

function start(): void {
  const named = (pods: Iterable<KubePod>): string =>
    [...pods]
      .map((pod) => pod.metadata.name)
      .filter((name) => name.length === 1)
      .sort()
      .join("");
  watched = new WatchedResource({
    connection,
    resource: "pods",
    project: createProjectors().pods,
    clock,
    random: () => 0.5,
    now: () => clock.now(),
    listener: {
      all: (pods) => told.push(`all ${named(pods)}`),
      seen: () => told.push("seen"),
      changed: (pod) => told.push(`changed ${pod.metadata.name}`),
      removed: (pod) => told.push(`removed ${pod.metadata.name}`),
    },
    signal: controller.signal,
  });
  running = watched.run();
}

/** What was told, as soon as the last of it is `last`; said once where it was said again and again. */
async function until(last: string): Promise<string[]> {
  await expect.poll(() => told.at(-1)).toBe(last);
  return told.splice(0).filter((line, index, all) => line !== all[index - 1]);
}

describe("a watched resource", () => {
  test("is unknown until it was listed whole, then current", async () => {
    start();
    expect(watched.reading()).toMatchObject({ known: false });
    expect(watched.state()).toMatchObject({ state: "unknown", observedAtMs: null });
    expect(await until("seen")).toEqual(["all a", "seen"]);
    expect(watched.reading()).toMatchObject({ known: true, value: [{ metadata: { name: "a" } }] });
    expect(watched.state()).toMatchObject({ state: "current", errorCode: null });
  });

  test("tells that everything was seen before it tells of a change", async () => {
    start();
    await expect.poll(() => cluster().openWatches).toBe(1);
    await until("seen");
    cluster().put("pods", object("b"));
    expect(await until("changed b")).toEqual(["seen", "changed b"]);
    cluster().remove("pods", "default", "a");
    expect(await until("removed a")).toEqual(["seen", "removed a"]);
    expect([...watched.objects()].map((pod) => pod.metadata.name)).toEqual(["b"]);
  });

  test("is seen by a bookmark too, when nothing happens", async () => {
    start();
    await expect.poll(() => cluster().openWatches).toBe(1);
    await until("seen");
    clock.advance(61_000);
    expect(await until("seen")).toEqual(["seen"]);
    expect(watched.seenMs).toBe(clock.now());
  });

  test("tells after a cut what happened meanwhile, but claims to have seen nothing before a bookmark", async () => {
    start();
    await expect.poll(() => cluster().openWatches).toBe(1);
    await until("seen");
    const outage = cluster().inject({ does: "answer", status: 503, verb: "watch", times: Number.POSITIVE_INFINITY });
    cluster().cutWatches();
    await expect.poll(() => watched.state().state).toBe("stale");
    cluster().put("pods", object("b"));
    cluster().remove("pods", "default", "a");
    outage.remove();
    clock.advance(60_000);
    expect(await until("removed a")).toEqual(["changed b", "removed a"]);
    clock.advance(61_000);
    await expect.poll(() => told).toContain("seen");
  });
});
