import { afterEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../simulator/start-simulator.ts";
import { type ApiReader, apiReader, type Json } from "../testing/api-reader.ts";
import { type ExpectedRequest, expectedRequests, quantity } from "../testing/expected-request.ts";
import type { PodTruth } from "./pod-truth.ts";

const START = new Date("2026-03-04T09:00:00Z");
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const secondsOf = (text: string) => (Date.parse(text) - START.getTime()) / 1000;

let simulator: Simulator;
afterEach(() => simulator.stop());

describe("the truth agrees with what a watcher of the API can reckon", () => {
  test.each([
    ["a healthy cluster with spot nodes", 1],
    ["a cluster whose nodes go away", 5],
  ])("who ran where, when, and what it requested for how long, to the last nanocore-second: %s", async (_, index) => {
    const reader = await start({ load: "daily" }, index);
    const pods = new Map<string, SeenPod>();
    const list = await reader.get("/api/v1/pods");
    for (const pod of list.body.items) see(pods, pod, 0);
    const watch = await reader.watch(`/api/v1/pods?watch=true&resourceVersion=${list.body.metadata.resourceVersion}`);
    const hours = 8;
    let read = 0;
    for (let second = 10; second <= hours * 3600; second += 10) {
      simulator.advance(at(second));
      // So that events of this step are read before the next: a change without a time of its own is dated by it.
      cluster().put("pods", { metadata: { name: `mark-${second}`, namespace: "marks", uid: `mark-${second}` } });
      await watch.until(() => watch.events.at(-1)?.object.metadata.uid === `mark-${second}`);
      for (const { object } of watch.events.slice(read))
        if (object.metadata.namespace !== "marks") see(pods, object, second);
      read = watch.events.length;
    }
    watch.stop();
    const [from, to] = [600, hours * 3600];
    const truth = simulator.truth(cluster().name, at(from), at(to));
    const expected = [...pods.values()].flatMap((pod) => expectedTruth(pod, from, to) ?? []);
    const shown = truth.map(({ uid, node, start, end, seconds }) => ({
      uid,
      node,
      start: secondsOf(start),
      end: end && secondsOf(end),
      seconds,
    }));
    expect(byUid(shown)).toEqual(byUid(expected.map(({ requested: _, resized: __, ...rest }) => rest)));
    const unresized = new Map(expected.filter(({ resized }) => !resized).map((one) => [one.uid, one.requested]));
    expect(unresized.size).toBeGreaterThan(800);
    for (const { uid, requested } of truth) {
      const wanted = unresized.get(uid);
      if (wanted === undefined) continue;
      expect(requested).toMatchObject({ cpuNanocoreSeconds: wanted.cpu, memoryByteSeconds: wanted.memory });
    }
    const ends = expected.filter(({ end }) => end !== null);
    expect(ends.length).toBeGreaterThan(700);
    const resized = truth.filter(({ uid }) => pods.get(uid)?.resized);
    if (index === 1) expect(resized.length).toBeGreaterThan(0);
    for (const { uid, requests } of resized) {
      expect(requests.length).toBeGreaterThan(1);
      const { running } = expectedRequests(pods.get(uid)?.last);
      expect(requests.at(-1)).toMatchObject({ cpuNanocores: running.cpu, memoryBytes: running.memory });
    }
  });

  test.each(["daily", "flat"] as const)("what was used, from metrics of each minute (%s load)", async (load) => {
    const reader = await start({ load });
    const used = new Map<string, { cpu: bigint; memory: bigint; chargedCpu: bigint }>();
    const requests = new Map<string, bigint>();
    for (const pod of await reader.items("/api/v1/pods")) requests.set(nameOf(pod), expectedRequests(pod).running.cpu);
    for (let minute = 0; minute < 60; minute++) {
      simulator.advance(at(minute * 60 + 50));
      const { body } = await reader.get("/apis/metrics.k8s.io/v1beta1/pods");
      for (const pod of body.items) {
        const { cpu, memory } = usageOf(pod);
        const request = requests.get(nameOf(pod)) ?? 0n;
        const sum = used.get(nameOf(pod)) ?? { cpu: 0n, memory: 0n, chargedCpu: 0n };
        used.set(nameOf(pod), {
          cpu: sum.cpu + cpu * 60n,
          memory: sum.memory + memory * 60n,
          chargedCpu: sum.chargedCpu + (cpu > request ? cpu : request) * 60n,
        });
      }
    }
    simulator.advance(at(3600));
    const whole = simulator
      .truth(cluster().name, at(0), at(3600))
      .filter(
        ({ seconds, requests: { length }, start, node }) =>
          seconds === 3600 && length === 1 && secondsOf(start) < -60 && !/virtual|eklet/.test(node),
      );
    expect(whole.length).toBeGreaterThan(60);
    for (const { namespace, name, used: truth, charged } of whole) {
      expect(used.get(`${namespace}/${name}`)).toEqual({
        cpu: truth.cpuNanocoreSeconds,
        memory: truth.memoryByteSeconds,
        chargedCpu: charged.cpuNanocoreSeconds,
      });
    }
    if (load === "flat")
      expect(whole.some(({ used: u, requested: r }) => u.cpuNanocoreSeconds > r.cpuNanocoreSeconds)).toBe(true);
  });

  test("nodes' stays, spot nodes that were taken back included", async () => {
    const reader = await start({ load: "flat" }, 1);
    const first = await reader.items("/api/v1/nodes");
    simulator.advance(at(12 * 3600));
    const last = await reader.items("/api/v1/nodes");
    const truth = cluster().nodeTruth(at(0), at(12 * 3600));
    const uids = (nodes: readonly Json[]) => nodes.map(({ metadata }) => metadata.uid).sort();
    expect(
      truth
        .filter(({ start }) => secondsOf(start) < 0)
        .map(({ uid }) => uid)
        .sort(),
    ).toEqual(uids(first));
    expect(
      truth
        .filter(({ end }) => end === null)
        .map(({ uid }) => uid)
        .sort(),
    ).toEqual(uids(last));
    expect(truth.some(({ end, spot }) => end !== null && spot)).toBe(true);
  });

  test("windows add up: two halves are the whole", async () => {
    await start({ load: "daily" });
    simulator.advance(at(3600));
    const sum = (truth: readonly PodTruth[]) =>
      truth.reduce((total, { charged }) => total + charged.cpuNanocoreSeconds, 0n);
    const window = (from: number, to: number) => sum(simulator.truth(cluster().name, at(from), at(to)));
    expect(window(0, 1711) + window(1711, 3600)).toBe(window(0, 3600));
  });
});

async function start(options: { load: "daily" | "flat" }, index = 1): Promise<ApiReader> {
  simulator = await startSimulator({
    clusters: index + 1,
    seed: 3,
    startAt: START,
    tickMs: 0,
    truthSeconds: 86_400,
    ...options,
  });
  return apiReader(cluster());
}

/** The cluster under test: the last one (with spot nodes). */
function cluster() {
  const last = simulator.clusters.at(-1);
  if (last === undefined) throw new Error("no cluster");
  return last;
}

interface SeenPod {
  readonly uid: string;
  first: Json;
  last: Json;
  resized: boolean;
  node?: string;
  start?: number;
  initialized?: number;
  end?: number;
}

/** What a watcher learns of a pod from one sight of it. */
function see(pods: Map<string, SeenPod>, pod: Json, second: number): void {
  const seen: SeenPod = pods.get(pod.metadata.uid) ?? { uid: pod.metadata.uid, first: pod, last: pod, resized: false };
  seen.last = pod;
  pods.set(seen.uid, seen);
  const since = (type: string) =>
    pod.status.conditions?.find((one: Json) => one.type === type && one.status === "True")?.lastTransitionTime;
  if (pod.spec.nodeName !== undefined && since("PodScheduled") !== undefined) {
    seen.node = pod.spec.nodeName;
    seen.start = secondsOf(since("PodScheduled"));
  }
  if (since("Initialized") !== undefined) seen.initialized ??= secondsOf(since("Initialized"));
  const finished = pod.status.containerStatuses?.map((one: Json) => one.state.terminated?.finishedAt) ?? [];
  if (finished.length > 0 && finished.every((time: unknown) => time !== undefined))
    seen.end ??= secondsOf(finished.sort().at(-1));
  if (since("DisruptionTarget") !== undefined) seen.end ??= secondsOf(since("DisruptionTarget"));
  if (JSON.stringify(pod.spec.containers) !== JSON.stringify(seen.first.spec.containers) && second > 0)
    seen.resized = true;
}

function expectedTruth(pod: SeenPod, from: number, to: number) {
  if (pod.start === undefined || pod.node === undefined) return undefined;
  const begin = Math.max(from, pod.start);
  const end = Math.min(to, pod.end ?? to);
  if (end <= begin) return undefined;
  const { starting, running } = expectedRequests(pod.first);
  const initialized = Math.min(end, Math.max(begin, pod.initialized ?? end));
  const over = (amount: ExpectedRequest, seconds: number) => ({
    cpu: amount.cpu * BigInt(seconds),
    memory: amount.memory * BigInt(seconds),
  });
  const before = over(starting, initialized - begin);
  const after = over(running, end - initialized);
  return {
    uid: pod.uid,
    node: pod.node,
    start: pod.start,
    end: pod.end ?? null,
    seconds: end - begin,
    resized: pod.resized,
    requested: { cpu: before.cpu + after.cpu, memory: before.memory + after.memory },
  };
}

function byUid<T extends { readonly uid: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

function usageOf(pod: Json): { cpu: bigint; memory: bigint } {
  const sum = (name: string, nanos: bigint) =>
    pod.containers.reduce((total: bigint, { usage }: Json) => total + quantity(usage[name], nanos), 0n);
  return { cpu: sum("cpu", 1_000_000_000n), memory: sum("memory", 1n) };
}

function nameOf({ metadata }: Json): string {
  return `${metadata.namespace}/${metadata.name}`;
}
