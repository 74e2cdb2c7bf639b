import { PlimsollError } from "@plimsoll/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { silentLog } from "../log/hub-log.ts";
import { PullLoop, type PullLoopConfig } from "./pull-loop.ts";

/** A cluster whose rounds end when the test says so. */
class FakeCluster {
  readonly running: { end: () => void; fail: (error: Error) => void }[] = [];
  rounds = 0;
  closed = false;

  round(signal: AbortSignal): Promise<void> {
    this.rounds += 1;
    return new Promise((resolve, reject) => {
      this.running.push({ end: resolve, fail: reject });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  close(): void {
    this.closed = true;
  }
}

let clock: ManualClock;
let clusters: Map<string, FakeCluster>;
let opened: string[];
let unwanted: Set<string>;
beforeEach(() => {
  clock = createManualClock();
  clusters = new Map();
  opened = [];
  unwanted = new Set();
});

function loopOf(change: Partial<PullLoopConfig> = {}): PullLoop {
  return new PullLoop({
    clock,
    random: () => 0,
    log: silentLog,
    intervalMs: 60_000,
    concurrency: 4,
    isWanted: (id) => !unwanted.has(id),
    open: async (id) => {
      opened.push(id);
      const cluster = new FakeCluster();
      clusters.set(id, cluster);
      return cluster;
    },
    onRound: () => {},
    ...change,
  });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const cluster = (id: string) => clusters.get(id) ?? new FakeCluster();
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await turn();
}
async function end(id: string): Promise<void> {
  cluster(id).running.shift()?.end();
  await turn();
}
async function fail(id: string, error: Error): Promise<void> {
  cluster(id).running.shift()?.fail(error);
  await turn();
}

describe("rounds", () => {
  test("come an interval after the one before began, however long it took", async () => {
    const loop = loopOf();
    loop.add("a");
    await advance(0);
    expect(cluster("a").rounds).toBe(1);
    await advance(20_000);
    await end("a");
    await advance(39_999);
    expect(cluster("a").rounds).toBe(1);
    await advance(1);
    expect(cluster("a").rounds).toBe(2);
    await loop.stop();
  });

  test("of one cluster never overlap: one that takes longer than the interval delays the next", async () => {
    const loop = loopOf();
    loop.add("a");
    await advance(0);
    await advance(300_000);
    expect(cluster("a").rounds).toBe(1);
    await end("a");
    await advance(0);
    expect(cluster("a").rounds).toBe(2);
    await loop.stop();
  });

  test("run so many at once and no more", async () => {
    const loop = loopOf({ concurrency: 2 });
    for (const id of ["a", "b", "c"]) loop.add(id);
    await advance(0);
    expect(opened).toEqual(["a", "b"]);
    await end("a");
    expect(opened).toEqual(["a", "b", "c"]);
    await loop.stop();
  });

  test("of clusters that hang take no lane from those that answer", async () => {
    const loop = loopOf({ concurrency: 4 });
    for (const id of ["bad-1", "bad-2", "bad-3", "bad-4"]) loop.add(id);
    await advance(0);
    for (const id of ["bad-1", "bad-2", "bad-3", "bad-4"]) await fail(id, new PlimsollError("cluster_timeout", {}));
    await advance(60_000);
    // They hang again, one at a time; a good one begins at once.
    loop.add("good");
    await advance(0);
    expect(cluster("good").rounds).toBe(1);
    expect(["bad-1", "bad-2", "bad-3", "bad-4"].map((id) => cluster(id).rounds)).toEqual([2, 1, 1, 1]);
    await loop.stop();
  });
});

describe("a fault", () => {
  test("is told with its code and since when, until a round works", async () => {
    const loop = loopOf();
    loop.add("a");
    await advance(0);
    expect(loop.faultOf("a")).toBeNull();
    const began = clock.now();
    await fail("a", new PlimsollError("cluster_unauthorized", { server: "s", context: "c" }));
    expect(loop.faultOf("a")).toMatchObject({ code: "cluster_unauthorized", sinceMs: began });
    await advance(60_000);
    await fail("a", new PlimsollError("cluster_unauthorized", { server: "s", context: "c" }));
    expect(loop.faultOf("a")).toMatchObject({ sinceMs: began });
    await advance(60_000);
    await end("a");
    expect(loop.faultOf("a")).toBeNull();
    await loop.stop();
  });

  test("of opening is one too, and opening is tried again", async () => {
    const loop = loopOf({ open: () => Promise.reject(new PlimsollError("sealing_key_wrong", { key: "k" })) });
    loop.add("a");
    await advance(0);
    expect(loop.faultOf("a")).toMatchObject({ code: "sealing_key_wrong" });
    await loop.stop();
  });
});

test("a cluster that is not wanted any more is closed and not read again", async () => {
  const loop = loopOf();
  loop.add("a");
  await advance(0);
  unwanted.add("a");
  await end("a");
  expect([loop.size, cluster("a").closed]).toEqual([0, true]);
  await advance(600_000);
  expect(cluster("a").rounds).toBe(1);
});

test("stopping ends the rounds that run, and closes", async () => {
  const loop = loopOf();
  loop.add("a");
  await advance(0);
  await loop.stop();
  expect(cluster("a").closed).toBe(true);
  expect(loop.faultOf("a")).toBeNull();
});
