import { decodeNodeBatch, decodeUsageBatch, encodeNodeBatch, encodeUsageBatch } from "@plimsoll/contracts/wire";
import { beforeEach, describe, expect, test } from "vitest";
import { attribute, ms, nodeOf, podOf, TestHub, time, usageOf } from "./testing-meter.ts";
import { createUsageMeter, type UsageMeter, type UsageMeterOptions } from "./usage-meter.ts";

let hub: TestHub;
let meter: UsageMeter;
beforeEach(() => {
  hub = new TestHub();
  start();
});

function start(options: Partial<UsageMeterOptions> = {}): void {
  meter = createUsageMeter({ mode: "push", attribute, ...options });
  meter.podsSeen(ms(0));
}

/** Flushes and gives the rows of that flush; the hub has taken them. */
function flush() {
  const rows = meter.flush();
  hub.take(rows);
  return rows;
}

/** The nine o'clock of the test's clock. */
const NINE = 1_200;

describe("a pod is billed", () => {
  test("ten seconds when it ran ten seconds, at whatever second the watch told of it", () => {
    meter.podsSeen(ms(101));
    meter.observePod(podOf({ uid: "job", start: 100, millicores: 500 }), ms(101));
    meter.podsSeen(ms(115));
    meter.observePod(podOf({ uid: "job", start: 100, millicores: 500, finishedAt: 110 }), ms(115));
    const [row] = flush().usage;
    expect(row).toMatchObject({ billedMs: 10_000, intervalEndMs: ms(110), intervalStartMs: ms(100), unseenMs: 0 });
    expect(row?.resources.get("cpu")).toEqual({
      request: 5_000_000_000n,
      usage: 0n,
      charged: 5_000_000_000n,
      usageCoveredMs: 0,
    });
  });

  test("up to the last sighting and no further while it runs", () => {
    meter.observePod(podOf({ uid: "p", start: 10, millicores: 1000 }), ms(12));
    meter.podsSeen(ms(70));
    expect(flush().usage).toMatchObject([{ billedMs: 60_000, asOfMs: ms(70), intervalEndMs: null }]);
  });

  test("in each UTC hour by a row of its own", () => {
    meter.observePod(podOf({ uid: "p", start: NINE - 100, millicores: 1000 }), ms(NINE - 99));
    meter.podsSeen(ms(NINE - 50));
    flush();
    meter.podsSeen(ms(NINE + 30));
    expect(flush().usage.map((row) => [row.hourStartMs - ms(NINE), row.asOfMs - ms(NINE), row.billedMs])).toEqual([
      [-3_600_000, 0, 100_000],
      [0, 30_000, 30_000],
    ]);
    expect(hub.total("p", "cpu").request).toBe(130_000_000_000n);
  });

  test("what its init container asks for until it is Initialized, and less from that very second on", () => {
    const pod = { uid: "p", start: 0, initMillicores: 2000, millicores: 100 };
    meter.observePod(podOf(pod), ms(1));
    meter.podsSeen(ms(60));
    flush();
    meter.observePod(podOf({ ...pod, initializedAt: 50 }), ms(61));
    meter.observePod(podOf({ ...pod, initializedAt: 50, finishedAt: 100 }), ms(102));
    flush();
    expect(hub.total("p", "cpu").request).toBe(50n * 2_000_000_000n + 50n * 100_000_000n);
  });

  test("by the larger of request and usage at each moment, not on average", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100, mebibytes: 1 }), ms(0));
    meter.observeUsage(usageOf({ p: [300_000_000, 4_194_304] }), ms(10));
    meter.observeUsage(usageOf({ p: [50_000_000, 524_288] }), ms(20));
    meter.podsSeen(ms(30));
    flush();
    expect(hub.total("p", "cpu")).toEqual({
      request: 3_000_000_000n,
      usage: 3_500_000_000n,
      charged: 1_000_000_000n + 3_000_000_000n + 1_000_000_000n,
      usageCoveredMs: 20_000,
      billedMs: 30_000,
    });
  });

  test("by its request where the last reading of usage is too old", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    meter.observeUsage(usageOf({ p: [300_000_000, 0] }), ms(0));
    meter.podsSeen(ms(250));
    flush();
    expect(hub.total("p", "cpu")).toMatchObject({
      usageCoveredMs: 150_000,
      charged: 150n * 300_000_000n + 100n * 100_000_000n,
    });
  });

  test("for GPUs that it holds, of which no usage is known", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 0, gpus: 2 }), ms(0));
    meter.podsSeen(ms(10));
    expect(flush().usage[0]?.resources.get("nvidia.com/gpu")).toMatchObject({
      charged: 20_000_000_000n,
      usageCoveredMs: 0,
    });
  });

  test("under a new key after an in-place resize, the sizes side by side", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    meter.podsSeen(ms(100));
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 400 }), ms(100));
    meter.podsSeen(ms(150));
    flush();
    expect(
      hub.of("p").map((row) => [row.intervalStartMs, row.intervalEndMs, row.resources.get("cpu")?.request]),
    ).toEqual([
      [ms(0), ms(100), 10_000_000_000n],
      [ms(100), null, 20_000_000_000n],
    ]);
  });

  test("to the last part of a unit: what an hour's row cannot show, the next one does", () => {
    const pod = podOf({ uid: "p", start: 0, millicores: 0, mebibytes: 0 });
    const resized = structuredClone(pod);
    Object.assign(resized.spec, { containers: [{ name: "c", resources: { requests: { memory: "3" } } }] });
    meter.observePod(pod, ms(0));
    meter.podsSeen(ms(NINE - 0.5));
    meter.observePod(resized, ms(NINE - 0.5));
    meter.podsSeen(ms(NINE + 0.5));
    flush();
    expect(hub.of("p").map((row) => row.resources.get("memory")?.request)).toEqual([undefined, 1n, 2n]);
  });

  test("twice when two pods of one name followed each other", () => {
    meter.observePods([podOf({ uid: "a", start: 0, millicores: 100 })], ms(10));
    meter.observePods([podOf({ uid: "b", start: 12, millicores: 100 })], ms(20));
    flush();
    expect(hub.of("a")).toMatchObject([{ intervalEndMs: ms(10), billedMs: 10_000, unseenMs: 10_000 }]);
    expect(hub.of("b")).toMatchObject([{ intervalEndMs: null, billedMs: 8_000 }]);
  });

  test("nothing when it ended long before its start, and the fault is told once", () => {
    const pod = podOf({ uid: "p", start: 100, millicores: 100, finishedAt: 90 });
    meter.observePod(pod, ms(101));
    meter.observePod({ ...pod }, ms(102));
    const { usage, faults } = flush();
    expect(usage).toEqual([]);
    expect(faults.map(({ code }) => code)).toEqual(["interval_end_before_start"]);
  });

  test("nothing any more when it was told as running and then turns out to have ended before its start", () => {
    meter.observePod(podOf({ uid: "p", start: 100, millicores: 100 }), ms(101));
    meter.podsSeen(ms(160));
    flush();
    meter.observePod(podOf({ uid: "p", start: 100, millicores: 100, finishedAt: 90 }), ms(161));
    flush();
    expect(hub.total("p", "cpu")).toMatchObject({ request: 0n, billedMs: 0 });
  });

  test("an empty interval, marked, when its end lies a clock's fault before its start", () => {
    meter.observePod(podOf({ uid: "p", start: 100, millicores: 100, finishedAt: 97 }), ms(101));
    expect(flush().usage).toMatchObject([{ clamped: true, billedMs: 0, intervalEndMs: ms(100) }]);
  });

  test("as long as it was seen running when nobody recorded its end", () => {
    const pod = podOf({ uid: "p", start: 0, millicores: 100 });
    meter.observePod(pod, ms(0));
    meter.podsSeen(ms(50));
    meter.observePod({ ...pod, status: { ...pod.status, phase: "Failed" } }, ms(50));
    expect(flush().usage).toMatchObject([{ intervalEndMs: ms(50), billedMs: 50_000 }]);
  });

  test("while pods next to it cannot be understood", () => {
    const bad = podOf({ uid: "bad", start: 0, millicores: 1 });
    const broken = { ...bad, spec: { ...bad.spec, overhead: { cpu: "1 m" } } };
    meter.observePods([broken, podOf({ uid: "good", start: 0, millicores: 100 })], ms(10));
    const { usage, faults } = flush();
    expect(usage.map((row) => row.podUid)).toEqual(["good"]);
    expect(faults).toMatchObject([{ code: "quantity_invalid" }]);
  });
});

describe("what is heard of late", () => {
  test.each([
    ["seconds ago falls exactly where it was", 170],
    ["an hour ago takes back the hours after it", NINE - 60],
  ])("an end %s", (_, finishedAt) => {
    const pod = { uid: "p", start: 100, millicores: 1000 };
    meter.observePod(podOf(pod), ms(100));
    const heard = finishedAt === 170 ? 180 : NINE + 3_000;
    for (let second = 100; second <= heard; second += 20) {
      meter.podsSeen(ms(second));
      if (second % 60 === 40) flush();
    }
    meter.observePod(podOf({ ...pod, finishedAt }), ms(heard));
    flush();
    expect(hub.total("p", "cpu")).toMatchObject({
      request: BigInt(finishedAt - 100) * 1_000_000_000n,
      charged: BigInt(finishedAt - 100) * 1_000_000_000n,
      billedMs: (finishedAt - 100) * 1_000,
    });
    expect(hub.of("p").every((row) => row.intervalEndMs === ms(finishedAt) || row.hourStartMs < ms(0))).toBe(true);
  });

  test("an end in time that is summed up already takes usage as evenly spread", () => {
    const pod = { uid: "p", start: 0, millicores: 100 };
    meter.observePod(podOf(pod), ms(0));
    for (let second = 0; second <= 1_000; second += 50) {
      meter.observeUsage(usageOf({ p: [300_000_000, 0] }), ms(second));
      meter.podsSeen(ms(second));
      flush();
    }
    meter.observePod(podOf({ ...pod, finishedAt: 400 }), ms(1_001));
    flush();
    expect(hub.total("p", "cpu")).toEqual({
      request: 40_000_000_000n,
      usage: 120_000_000_000n,
      charged: 120_000_000_000n,
      usageCoveredMs: 400_000,
      billedMs: 400_000,
    });
  });
});

describe("rows are sent", () => {
  test("at once when an interval opens or ends, again after five minutes while it runs, and not in between", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    const sent: number[] = [];
    for (let second = 60; second <= 720; second += 60) {
      meter.podsSeen(ms(second));
      if (flush().usage.length > 0) sent.push(second);
    }
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100, finishedAt: 730 }), ms(735));
    meter.podsSeen(ms(780));
    if (flush().usage.length > 0) sent.push(780);
    meter.podsSeen(ms(840));
    if (flush().usage.length > 0) sent.push(840);
    expect(sent).toEqual([60, 360, 660, 780]);
  });

  test("in a form that the wire takes", () => {
    meter.observeNodes([nodeOf("n1", -4_000)], ms(5));
    meter.observePod(podOf({ uid: "p", start: -5_000, millicores: 100 }), ms(5));
    meter.observePod(podOf({ uid: "q", start: 3, millicores: 100, finishedAt: 1 }), ms(5));
    meter.podsSeen(ms(10));
    const { usage, nodes } = flush();
    expect(decodeUsageBatch(encodeUsageBatch(usage))).toEqual(usage);
    expect(decodeNodeBatch(encodeNodeBatch(nodes))).toEqual(nodes);
    expect(usage.map((row) => row.nodeUid)).toEqual(["uid-n1", "uid-n1"]);
  });

  test("of a pod whose owner has gone with the attribution of when it was known", () => {
    let known = true;
    start({
      attribute: () => {
        const { attribution } = attribute();
        return { complete: known, attribution: { ...attribution, workloadName: known ? "cart" : "cart-5f7b" } };
      },
    });
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    meter.podsSeen(ms(60));
    flush();
    known = false;
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100, finishedAt: 70 }), ms(71));
    expect(flush().usage).toMatchObject([{ attribution: { workloadName: "cart" } }]);
  });
});

describe("a pod that vanished between two sightings", () => {
  test("is charged to the last of them, the rest is unseen", () => {
    meter.observePods([podOf({ uid: "p", start: 0, millicores: 100 })], ms(60));
    meter.observePods([], ms(180));
    expect(flush().usage).toMatchObject([{ billedMs: 60_000, unseenMs: 120_000, intervalEndMs: ms(60) }]);
  });

  test("is unseen in every hour that the silence touches, for an hour at most", () => {
    meter.observePods([podOf({ uid: "p", start: NINE - 600, millicores: 100 })], ms(NINE - 300));
    meter.observePods([], ms(NINE + 90_000));
    expect(flush().usage.map((row) => [row.billedMs, row.unseenMs])).toEqual([
      [300_000, 300_000],
      [0, 3_300_000],
    ]);
  });

  test("is charged in full when its last state says when it ended", () => {
    meter.observePods([podOf({ uid: "p", start: 0, millicores: 100 })], ms(60));
    meter.removePod(podOf({ uid: "p", start: 0, millicores: 100, finishedAt: 100 }), ms(180));
    expect(flush().usage).toMatchObject([{ billedMs: 100_000, unseenMs: 0, intervalEndMs: ms(100) }]);
  });
});

describe("after a restart", () => {
  const long = { uid: "p", start: -7_000, millicores: 1000 };

  test("without a checkpoint the present hour is told whole, from status timestamps, usage from now on", () => {
    meter.observePods([podOf(long)], ms(300));
    meter.observeUsage(usageOf({ p: [2_000_000_000, 0] }), ms(300));
    meter.podsSeen(ms(360));
    expect(flush().usage).toMatchObject([
      { billedMs: 2_760_000, hourStartMs: ms(-2_400), intervalStartMs: ms(-7_000) },
    ]);
    expect(hub.total("p", "cpu")).toMatchObject({ request: 2_760_000_000_000n, usageCoveredMs: 60_000 });
  });

  test("pods that ended in an earlier hour are not told again", () => {
    start();
    meter.observePods([podOf({ ...long, finishedAt: -3_000 })], ms(10));
    expect(flush().usage).toEqual([]);
  });

  test("usage that was measured before is kept by the checkpoint, the time in between is not covered", () => {
    meter.observePod(podOf(long), ms(0));
    meter.observeUsage(usageOf({ p: [2_000_000_000, 0] }), ms(0));
    meter.podsSeen(ms(100));
    flush();
    start({ resume: meter.checkpoint() });
    meter.observePods([podOf(long)], ms(130));
    meter.observeUsage(usageOf({ p: [2_000_000_000, 0] }), ms(130));
    meter.podsSeen(ms(190));
    flush();
    expect(hub.total("p", "cpu")).toMatchObject({
      billedMs: 2_590_000,
      usageCoveredMs: 160_000,
      usage: 320_000_000_000n,
      charged: 2_590_000_000_000n + 160_000_000_000n,
    });
  });

  test("a resized pod goes on under the key of its resize and is not counted twice", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    meter.podsSeen(ms(100));
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 400 }), ms(100));
    meter.podsSeen(ms(200));
    flush();
    start({ resume: meter.checkpoint() });
    meter.observePods([podOf({ uid: "p", start: 0, millicores: 400 })], ms(300));
    flush();
    expect(hub.total("p", "cpu")).toMatchObject({
      billedMs: 300_000,
      request: 100n * 100_000_000n + 200n * 400_000_000n,
    });
  });

  test("a pod that vanished meanwhile ends at the last sighting before", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    meter.podsSeen(ms(100));
    flush();
    start({ resume: meter.checkpoint() });
    meter.observePods([], ms(300));
    flush();
    expect(hub.of("p")).toMatchObject([{ intervalEndMs: ms(100), billedMs: 100_000, unseenMs: 200_000 }]);
  });

  test("hours that passed meanwhile are told for pods that ran through them", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 1000 }), ms(0));
    meter.podsSeen(ms(100));
    flush();
    start({ resume: meter.checkpoint() });
    meter.observePods([podOf({ uid: "p", start: 0, millicores: 1000 })], ms(8_000));
    flush();
    expect(hub.of("p").map((row) => row.billedMs)).toEqual([1_200_000, 3_600_000, 3_200_000]);
    expect(hub.total("p", "cpu").request).toBe(8_000_000_000_000n);
  });

  test("a pod that had ended is not told as running from its start, with less usage than before", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    meter.observeUsage(usageOf({ p: [300_000_000, 0] }), ms(0));
    meter.podsSeen(ms(60));
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100, finishedAt: 50 }), ms(60));
    flush();
    const before = hub.of("p");
    start({ resume: meter.checkpoint() });
    meter.observePods([podOf({ uid: "p", start: 0, millicores: 100, finishedAt: 50 })], ms(120));
    flush();
    expect(hub.of("p")).toEqual(before);
    expect(before).toMatchObject([{ billedMs: 50_000 }]);
  });

  test("rows that were not spooled any more before the crash are told again", () => {
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100 }), ms(0));
    meter.podsSeen(ms(60));
    meter.observePod(podOf({ uid: "p", start: 0, millicores: 100, finishedAt: 50 }), ms(60));
    const lost = meter.flush();
    start({ resume: meter.checkpoint() });
    expect(flush().usage).toEqual(lost.usage);
    start({ resume: meter.checkpoint() });
    expect(flush().usage).toEqual(lost.usage);
  });
});

describe("a node is counted", () => {
  test("from its creation to its last sighting, hour by hour", () => {
    meter.observeNodes([nodeOf("n1", NINE - 200)], ms(NINE - 190));
    meter.nodesSeen(ms(NINE + 100));
    meter.removeNode(nodeOf("n1", NINE - 200), ms(NINE + 130));
    expect(flush().nodes.map((row) => [row.presentMs, row.schedulableMs, row.deletedMs])).toEqual([
      [200_000, 200_000, ms(NINE + 100)],
      [100_000, 100_000, ms(NINE + 100)],
    ]);
  });

  test("as schedulable only while it is Ready and not cordoned", () => {
    meter.observeNodes([nodeOf("n1", 0)], ms(10));
    meter.observeNode(nodeOf("n1", 0, { unschedulable: true }), ms(100));
    meter.observeNode(nodeOf("n1", 0), ms(150));
    meter.nodesSeen(ms(200));
    expect(flush().nodes).toMatchObject([{ presentMs: 200_000, schedulableMs: 150_000 }]);
  });

  test("as spot for good once it was first seen as that", () => {
    const spot = nodeOf("n1", 0);
    const labels = { "karpenter.sh/capacity-type": "spot" };
    meter.observeNodes([{ ...spot, metadata: { ...spot.metadata, labels } }], ms(10));
    meter.observeNode(spot, ms(20));
    meter.nodesSeen(ms(30));
    expect(flush().nodes).toMatchObject([{ spot: true, nodeName: "n1", createdMs: ms(0) }]);
  });

  test("with what an earlier run told of the hour", () => {
    meter.observeNodes([nodeOf("n1", 0, { unschedulable: true })], ms(10));
    meter.observeNode(nodeOf("n1", 0), ms(100));
    meter.nodesSeen(ms(200));
    flush();
    start({ resume: meter.checkpoint() });
    meter.observeNodes([nodeOf("n1", 0)], ms(260));
    flush();
    expect([...hub.nodes.values()]).toMatchObject([{ presentMs: 260_000, schedulableMs: 160_000 }]);
  });

  test("again each five minutes, and at the end of an hour", () => {
    meter.observeNodes([nodeOf("n1", 0)], ms(0));
    const sent: number[] = [];
    for (let second = 60; second <= NINE + 300; second += 60) {
      meter.nodesSeen(ms(second));
      if (flush().nodes.length > 0) sent.push(second);
    }
    expect(sent).toEqual([60, 360, 660, 960, NINE, NINE + 300]);
    expect([...hub.nodes.values()].map((row) => row.presentMs)).toEqual([1_200_000, 300_000]);
  });
});

test("a clock that goes back bills nothing twice and takes nothing back", () => {
  meter.observePod(podOf({ uid: "p", start: 0, millicores: 1000 }), ms(0));
  meter.podsSeen(ms(100));
  flush();
  meter.podsSeen(ms(40));
  meter.observePod(podOf({ uid: "p", start: 0, millicores: 500 }), ms(50));
  meter.podsSeen(ms(110));
  flush();
  expect(hub.total("p", "cpu")).toMatchObject({ billedMs: 110_000, request: 100_000_000_000n + 5_000_000_000n });
  expect(time(0)).toBe("2026-01-31T08:40:00Z");
});
