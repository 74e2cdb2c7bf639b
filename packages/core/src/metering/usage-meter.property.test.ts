import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attribute, ms, type PodStory, podOf, TestHub, usageOf } from "./testing-meter.ts";
import { createUsageMeter, type MeterCheckpoint, type UsageMeter } from "./usage-meter.ts";

/** A life with the seconds after which the watch tells of each change. */
interface Life {
  readonly start: number;
  readonly initSeconds: number | null;
  readonly seconds: number;
  readonly millicores: number;
  readonly resizeAfter: number | null;
  /** How long after it happened the watch tells of start, Initialized and end. */
  readonly latency: readonly [number, number, number];
}

interface Reading {
  readonly at: number;
  /** Nanocores by pod. */
  readonly cpu: readonly number[];
}

interface World {
  readonly lives: readonly Life[];
  readonly readings: readonly Reading[];
}

const HOLD = 150;
const END = 9_000;
const INIT_MILLICORES = 1_500;

const life = (latency: number): fc.Arbitrary<Life> =>
  fc.record({
    start: fc.integer({ min: 1, max: 4_000 }),
    initSeconds: fc.option(fc.integer({ min: 0, max: 200 })),
    seconds: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 300, max: 4_900 })),
    millicores: fc.integer({ min: 1, max: 900 }),
    resizeAfter: fc.option(fc.integer({ min: 250, max: 2_000 })),
    latency: fc.tuple(
      fc.integer({ min: 0, max: latency }),
      fc.integer({ min: 0, max: latency }),
      fc.integer({ min: 0, max: latency }),
    ),
  });

const world = (latency: number): fc.Arbitrary<World> =>
  fc.record({
    lives: fc.array(life(latency), { minLength: 1, maxLength: 3 }),
    readings: fc
      .array(
        fc.record({
          at: fc.integer({ min: 0, max: END - 1 }),
          cpu: fc.tuple(amount(), amount(), amount()),
        }),
        { maxLength: 60 },
      )
      .map((readings) => readings.toSorted((a, b) => a.at - b.at).filter((r, i, all) => r.at !== all[i - 1]?.at)),
  });

const amount = () => fc.integer({ min: 0, max: 1_200_000_000 });
const times = (max: number) => fc.array(fc.integer({ min: 1, max: END * 1_000 }), { maxLength: max });

const endOf = ({ start, seconds }: Life): number => start + seconds;
const resizedAt = ({ start, resizeAfter, seconds, latency, initSeconds }: Life): number | null => {
  if (resizeAfter === null) return null;
  const at = start + resizeAfter;
  // A resize is told in its place among the changes of a pod.
  return at > start + latency[0] && at > start + (initSeconds ?? 0) + latency[1] && at < start + seconds ? at : null;
};

/** The pod as the API shows it at a second; undefined before it is told of. */
function shownAt(uid: string, it: Life, at: number): PodStory | undefined {
  const [told, initTold, endTold] = it.latency;
  if (at < it.start + told) return undefined;
  const resized = resizedAt(it);
  const finished = at >= endOf(it) + endTold;
  const initialized = it.initSeconds !== null && (at >= it.start + it.initSeconds + initTold || finished);
  return {
    uid,
    start: it.start,
    millicores: resized !== null && at >= resized ? it.millicores + 50 : it.millicores,
    ...(it.initSeconds !== null && { initMillicores: INIT_MILLICORES }),
    ...(initialized && it.initSeconds !== null && { initializedAt: it.start + it.initSeconds }),
    ...(finished && { finishedAt: endOf(it) }),
  };
}

/** What the pod asks for at a second, in nanocores; null = it does not run. */
function requestAt(it: Life, at: number): bigint | null {
  if (at < it.start || at >= endOf(it)) return null;
  const resized = resizedAt(it);
  const base = BigInt(resized !== null && at >= resized ? it.millicores + 50 : it.millicores) * 1_000_000n;
  const initializing = it.initSeconds !== null && at < it.start + it.initSeconds;
  return initializing ? BigInt(INIT_MILLICORES) * 1_000_000n : base;
}

/** Sums second by second: slow, and nothing of the meter in it. */
function truthOf(it: Life, index: number, readings: readonly Reading[]) {
  let [request, usage, charged, covered, billed] = [0n, 0n, 0n, 0, 0];
  for (let at = it.start; at < endOf(it) && at < END; at += 1) {
    const asked = requestAt(it, at) ?? 0n;
    const reading = readings.findLast((r) => r.at <= at && r.at >= it.start + it.latency[0]);
    const used = reading && at < reading.at + HOLD ? BigInt(reading.cpu[index] ?? 0) : undefined;
    request += asked;
    usage += used ?? 0n;
    charged += used !== undefined && used > asked ? used : asked;
    covered += used === undefined ? 0 : 1_000;
    billed += 1_000;
  }
  return { request, usage, charged, usageCoveredMs: covered, billedMs: billed };
}

/** A run of the meter over a world: what it is told, by a watch or by lists, and when it flushes. */
class Run {
  readonly hub = new TestHub();
  #meter: UsageMeter;
  #kept: MeterCheckpoint | undefined;
  readonly #shown = new Map<number, string>();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.#meter = this.#start();
    this.#meter.podsSeen(ms(0));
  }

  #start(resume?: MeterCheckpoint): UsageMeter {
    return createUsageMeter({ mode: "push", attribute, usageHoldMs: HOLD * 1_000, lateMs: 180_000, resume });
  }

  /** Tells of the changes of one second, as a live watch does. */
  watch(second: number): void {
    this.#world.lives.forEach((it, index) => {
      const story = shownAt(`p${index}`, it, second);
      const text = JSON.stringify(story);
      if (!story || this.#shown.get(index) === text) return;
      this.#shown.set(index, text);
      this.#meter.podsSeen(ms(second));
      this.#meter.observePod(podOf(story), ms(second));
    });
  }

  list(second: number): void {
    const stories = this.#world.lives.flatMap((it, index) => shownAt(`p${index}`, it, second) ?? []);
    this.#meter.observePods(stories.map(podOf), ms(second));
  }

  read(second: number): void {
    const reading = this.#world.readings.find(({ at }) => at === second);
    if (!reading) return;
    const entries = reading.cpu.map((cpu, index) => [`p${index}`, [cpu, 0] as const] as const);
    this.#meter.observeUsage(usageOf(Object.fromEntries(entries)), ms(second));
  }

  see(milli: number): void {
    this.#meter.podsSeen(ms(0) + milli);
  }

  flush(spooled = true): void {
    const rows = this.#meter.flush();
    this.#kept = this.#meter.checkpoint();
    if (spooled) this.hub.take(rows);
  }

  /** A crash right after a flush: what is not in the checkpoint is forgotten. */
  restart(): void {
    this.#meter = this.#start(this.#kept);
    this.#shown.clear();
  }
}

/** Calls `step` for each second, and `at` for each of the given milliseconds, in order of time. */
function play(step: (second: number) => void, millis: readonly number[], at: (milli: number) => void): void {
  const sorted = millis.toSorted((a, b) => a - b);
  let next = 0;
  for (let second = 0; second <= END; second += 1) {
    step(second);
    for (; next < sorted.length && (sorted[next] ?? 0) < (second + 1) * 1_000; next += 1) at(sorted[next] ?? 0);
  }
}

describe("whatever happens, the totals are those of an independent sum over seconds", () => {
  test("with a watch, for any moments of sightings and flushes", () => {
    fc.assert(
      fc.property(world(60), times(40), times(120), (given, flushes, sightings) => {
        const run = new Run(given);
        const flushAt = new Set(flushes);
        const step = (second: number): void => {
          run.watch(second);
          run.read(second);
        };
        play(step, [...flushAt, ...sightings], (milli) => (flushAt.has(milli) ? run.flush() : run.see(milli)));
        run.see(END * 1_000);
        run.flush();
        given.lives.forEach((it, index) => {
          expect(run.hub.total(`p${index}`, "cpu")).toEqual(truthOf(it, index, given.readings));
        });
      }),
      { numRuns: 60 },
    );
  });

  test("with lists alone, for any moments of lists, as far as starts and ends can be read", () => {
    fc.assert(
      fc.property(world(0), times(60), (given, lists) => {
        const run = new Run({ ...given, readings: [] });
        const seconds = new Set(lists.map((milli) => Math.floor(milli / 1_000)));
        for (const second of [...seconds].sort((a, b) => a - b)) {
          run.list(second);
          run.flush();
        }
        run.list(END);
        run.flush();
        given.lives.forEach((it, index) => {
          // When a resize happened a list cannot tell, and an ordinary init container's part of it neither.
          if (it.resizeAfter !== null) return;
          const { billedMs, request } = run.hub.total(`p${index}`, "cpu");
          const truth = truthOf(it, index, []);
          expect({ billedMs, request }).toEqual({ billedMs: truth.billedMs, request: truth.request });
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe("a crash at any flush, its rows spooled or not, then a list", () => {
  test("neither loses nor doubles a second, and claims no usage that was not measured", () => {
    fc.assert(
      fc.property(world(0), times(30), fc.array(fc.boolean(), { maxLength: 30 }), (given, flushes, lost) => {
        const run = new Run(given);
        let count = 0;
        const step = (second: number): void => {
          run.watch(second);
          run.read(second);
        };
        play(step, flushes, (milli) => {
          const crash = lost[count++];
          const second = Math.floor(milli / 1_000);
          run.see(second * 1_000);
          run.flush(crash !== true);
          if (crash === undefined) return;
          run.restart();
          run.list(second);
        });
        run.see(END * 1_000);
        run.flush();
        given.lives.forEach((it, index) => {
          const total = run.hub.total(`p${index}`, "cpu");
          const truth = truthOf(it, index, given.readings);
          expect({ request: total.request, billedMs: total.billedMs }).toEqual({
            request: truth.request,
            billedMs: truth.billedMs,
          });
          expect(total.usageCoveredMs).toBeLessThanOrEqual(truth.usageCoveredMs);
          expect(total.usage <= truth.usage).toBe(true);
          expect(total.charged >= truth.request && total.charged <= truth.charged).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });

  test("at any other moment, with a time of silence after it: the same, but for resizes that nobody saw", () => {
    const crashes = fc.array(fc.tuple(fc.integer({ min: 1, max: END }), fc.integer({ min: 0, max: 3_000 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(world(0), times(60), crashes, (given, flushes, silences) => {
        const run = new Run(given);
        run.flush();
        const isSilent = (second: number): boolean =>
          silences.some(([from, length]) => second >= from && second < from + length);
        const step = (second: number): void => {
          if (isSilent(second)) return;
          if (isSilent(second - 1)) {
            run.restart();
            run.list(second);
          }
          run.watch(second);
          run.read(second);
        };
        play(step, flushes, (milli) => {
          if (!isSilent(Math.floor(milli / 1_000))) run.flush();
        });
        run.restart();
        run.list(END * 2);
        run.flush();
        given.lives.forEach((it, index) => {
          const total = run.hub.total(`p${index}`, "cpu");
          const truth = truthOf(it, index, given.readings);
          expect(total.billedMs).toBe(truth.billedMs);
          expect(total.usageCoveredMs).toBeLessThanOrEqual(truth.usageCoveredMs);
          if (resizedAt(it) !== null) return;
          expect(total.request).toBe(truth.request);
          expect(total.charged <= truth.charged).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });
});
