import { expect, test } from "vitest";
import { planFleet } from "../fleet/fleet-plan.ts";
import { presentObject } from "../objects/present-object.ts";
import { RESOURCE_KINDS } from "../records/resource-kinds.ts";
import type { Json } from "../testing/api-reader.ts";
import { expectedRequests, quantity } from "../testing/expected-request.ts";
import { HOUR, MINUTE } from "../time/seconds.ts";
import type { ClusterWorld, WorldSettings } from "../world/cluster-world.ts";
import { buildWorld } from "./build-world.ts";

const START = Date.parse("2026-03-04T09:30:00Z") / 1000;
const SETTINGS: WorldSettings = {
  startAt: START,
  churn: true,
  load: "daily",
  podsPerCluster: 100,
  historySeconds: 300,
  truthSeconds: 100 * HOUR,
};
const worldsOf = (seed: string, count = 20, settings = SETTINGS) =>
  planFleet(seed, count, true).map((plan) => buildWorld(plan, settings));
const objectsOf = (world: ClusterWorld, resource: (typeof RESOURCE_KINDS)[number]["resource"]): Json[] =>
  world.store.list(resource).map((entry) => structuredClone(presentObject(world.plan.cloud, entry)));
const everything = (world: ClusterWorld) =>
  JSON.stringify(RESOURCE_KINDS.map(({ resource }) => objectsOf(world, resource)));

test("the same seed, start and time give the same objects with the same revisions, in whatever steps time goes", () => {
  const [atOnce] = worldsOf("steps", 1);
  const [inSteps] = worldsOf("steps", 1);
  atOnce?.advance(START + 2 * HOUR);
  for (let at = START; at <= START + 2 * HOUR; at += 7) inSteps?.advance(at);
  inSteps?.advance(START + 2 * HOUR);
  expect(inSteps?.store.revision).toBe(atOnce?.store.revision);
  if (atOnce && inSteps) expect(everything(inSteps)).toBe(everything(atOnce));
});

test("another seed gives another fleet, and a larger fleet begins with the same clusters", () => {
  const names = (seed: string, count: number) => planFleet(seed, count, true).map(({ name }) => name);
  expect(names("1", 20)).not.toEqual(names("2", 20));
  expect(names("1", 40).slice(0, 20)).toEqual(names("1", 20));
  expect(new Set(names("1", 500)).size).toBe(500);
});

test("no node ever holds more than it can give, over six hours", () => {
  for (const world of worldsOf("packing", 6).slice(2)) {
    for (let at = START; at < START + 6 * HOUR; at += 15 * MINUTE) {
      world.advance(at);
      expect(overfullNodes(world)).toEqual([]);
    }
  }
});

test("twenty clusters show eight distributions, spot, GPU and virtual nodes, and every kind of object", () => {
  const worlds = worldsOf("variety");
  expect(new Set(worlds.map(({ plan }) => plan.cloud.clusterType))).toEqual(
    new Set(["ACK", "EKS", "GKE", "TKE", "AKS", "SelfBuilt", "K3s", "RKE2"]),
  );
  const classes = new Set(worlds.flatMap((world) => world.nodes().map(({ pool }) => pool.class)));
  expect([...classes].sort()).toEqual(["control-plane", "general", "gpu", "memory", "spot", "virtual"]);
  for (const { resource } of RESOURCE_KINDS) {
    expect(
      worlds.some((world) => world.store.list(resource).length > 0),
      resource,
    ).toBe(true);
  }
});

test("every owner reference leads to an object that exists, up to the outermost controller", () => {
  for (const world of worldsOf("owners", 10)) {
    world.advance(START + 40 * MINUTE);
    const uids = new Set(RESOURCE_KINDS.flatMap(({ resource }) => objectsOf(world, resource)).map(uidOf));
    const owned = ["pods", "replicasets", "jobs"] as const;
    const dangling = owned
      .flatMap((resource) => objectsOf(world, resource))
      .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }: Json) => !uids.has(uid)));
    expect(dangling.map(({ metadata }) => metadata.name)).toEqual([]);
  }
});

test("a pod's times are in order and its conditions agree with its phase", () => {
  for (const world of worldsOf("times", 6).slice(1)) {
    for (let minute = 0; minute < 60; minute += 7) {
      world.advance(START + minute * MINUTE);
      for (const pod of objectsOf(world, "pods")) expectOrderedTimes(pod);
    }
  }
});

test("jobs come and go each minute, deployments roll and scale, spot nodes are taken back, requests are resized", () => {
  const worlds = worldsOf("churn", 8, { ...SETTINGS, podsPerCluster: 150 });
  const world = worlds.find((one) => one.nodes().some(({ pool }) => pool.spot));
  if (world === undefined) throw new Error("no cluster with spot nodes");
  const seen = {
    jobs: new Set<string>(),
    sets: new Set<string>(),
    nodes: new Set<string>(),
    resized: new Set<string>(),
  };
  const replicas = new Set<number>();
  for (let at = START; at < START + 24 * HOUR; at += MINUTE) {
    world.advance(at);
    for (const { record } of world.store.list("jobs")) seen.jobs.add(record.uid);
    for (const { record } of world.store.list("replicasets")) seen.sets.add(record.uid);
    for (const node of world.nodes()) if (node.pool.spot) seen.nodes.add(node.uid);
    for (const pod of world.pods()) if (pod.resized !== null) seen.resized.add(pod.uid);
    replicas.add(world.pods().length);
  }
  expect(seen.jobs.size).toBeGreaterThan(24 * 60);
  expect(seen.sets.size).toBeGreaterThan(world.store.list("deployments").length + 50);
  expect(seen.nodes.size).toBeGreaterThan(world.nodes().filter(({ pool }) => pool.spot).length + 4);
  expect(seen.resized.size).toBeGreaterThan(2);
  expect(Math.max(...replicas) - Math.min(...replicas)).toBeGreaterThan(15);
  expect(world.store.list("jobs").length).toBeLessThan(60);
});

test("a day later clusters are as full as before: nothing piles up", () => {
  for (const world of worldsOf("day", 8)) {
    const before = { pods: world.pods().length, owners: world.owners.size };
    world.advance(START + 24 * HOUR);
    expect(world.pods().length, world.plan.name).toBeLessThan(before.pods * 1.5);
    expect(world.pods().filter(({ node }) => node === null).length, world.plan.name).toBeLessThan(10);
    expect(world.owners.size, world.plan.name).toBeLessThan(before.owners + 80);
  }
});

test("pods of a node that stays away start again elsewhere, and are terminating until it is back", () => {
  const [plan] = planFleet("away", 6, true).slice(5);
  if (plan?.sickness !== "nodes-not-ready") throw new Error("not the sick cluster");
  const world = buildWorld(plan, SETTINGS);
  const away = world.nodes().find(({ ready }) => !ready);
  const there = world.pods().filter(({ node }) => node === away?.name);
  const moving = there.filter(({ owner }) => owner.kind === "ReplicaSet");
  expect(there.every(({ unreachableSince }) => unreachableSince !== null)).toBe(true);
  expect(moving.length).toBeGreaterThan(0);
  for (const { deletionAt, finishedAt } of moving) expect([typeof deletionAt, finishedAt]).toEqual(["number", null]);
  for (const { owner } of moving) {
    const set = world.store.get("replicasets", moving[0]?.namespace ?? "", owner.name)?.record;
    if (set?.resource === "replicasets") expect(set.ready).toBe(set.replicas);
  }
});

test("without churn nothing ever changes", () => {
  const [world] = worldsOf("still", 1, { ...SETTINGS, churn: false });
  const before = world?.store.revision;
  world?.advance(START + 24 * HOUR);
  expect(world?.store.revision).toBe(before);
});

test("kube-system says that the cluster is simulated, by label and annotation", () => {
  for (const world of worldsOf("mark")) {
    const system = objectsOf(world, "namespaces").find(({ metadata }) => metadata.name === "kube-system");
    expect(system.metadata.labels["plimsoll.dev/simulated"]).toBe("true");
    expect(system.metadata.annotations["plimsoll.dev/simulated"]).toBe("true");
  }
});

test("some namespaces and pods do not say who pays, and some environments are spelled as nobody agreed", () => {
  const worlds = worldsOf("gaps");
  const teams = worlds
    .flatMap((world) => objectsOf(world, "namespaces"))
    .filter(({ metadata }) => metadata.labels["owner-team"]);
  const spellings = new Set(teams.flatMap(({ metadata }) => metadata.labels.env ?? []));
  expect(teams.some(({ metadata }) => metadata.labels["cost-center"] === undefined)).toBe(true);
  expect([...spellings].some((text) => !["prod", "staging", "dev", "test"].includes(text))).toBe(true);
  const pods = worlds.flatMap((world) => objectsOf(world, "pods"));
  const unlabelled = pods.filter(({ metadata }) => metadata.labels["cost-center"] === undefined).length;
  expect(unlabelled / pods.length).toBeGreaterThan(0.2);
  expect(unlabelled / pods.length).toBeLessThan(0.9);
});

/** Nodes on which live pods request more than is allocatable, by their JSON alone. */
function overfullNodes(world: ClusterWorld): string[] {
  const held = new Map<string, { cpu: bigint; memory: bigint; pods: number }>();
  for (const pod of objectsOf(world, "pods")) {
    const node = pod.spec.nodeName;
    if (node === undefined || ["Succeeded", "Failed"].includes(pod.status.phase)) continue;
    const { starting } = expectedRequests(pod);
    const sum = held.get(node) ?? { cpu: 0n, memory: 0n, pods: 0 };
    held.set(node, { cpu: sum.cpu + starting.cpu, memory: sum.memory + starting.memory, pods: sum.pods + 1 });
  }
  return objectsOf(world, "nodes").flatMap(({ metadata, status }) => {
    const sum = held.get(metadata.name) ?? { cpu: 0n, memory: 0n, pods: 0 };
    const fits =
      sum.cpu <= quantity(status.allocatable.cpu, 1_000_000_000n) &&
      sum.memory <= quantity(status.allocatable.memory, 1n) &&
      sum.pods <= Number(status.allocatable.pods);
    return fits
      ? []
      : [`${metadata.name}: ${sum.cpu} of ${status.allocatable.cpu}, ${sum.memory} of ${status.allocatable.memory}`];
  });
}

function expectOrderedTimes(pod: Json): void {
  const condition = (type: string) => pod.status.conditions?.find((one: Json) => one.type === type);
  const state = pod.status.containerStatuses?.[0]?.state ?? {};
  const times = [
    pod.metadata.creationTimestamp,
    condition("PodScheduled")?.status === "True" ? condition("PodScheduled").lastTransitionTime : undefined,
    condition("Initialized")?.status === "True" ? condition("Initialized").lastTransitionTime : undefined,
    state.running?.startedAt ?? state.terminated?.startedAt,
    state.terminated?.finishedAt,
  ].filter((time) => time !== undefined);
  expect(times, pod.metadata.name).toEqual([...times].sort());
  const ready = condition("Ready")?.status === "True";
  if (ready) expect(pod.status.phase).toBe("Running");
  if (pod.status.phase === "Succeeded" || pod.status.phase === "Failed") expect(ready).toBe(false);
}

function uidOf({ metadata }: Json): string {
  return metadata.uid;
}
