import { afterEach, expect, test } from "vitest";
import type { SimulatorClock } from "../time/clock.ts";
import type { SimulatorOptions } from "./simulator-options.ts";
import { type Simulator, startSimulator } from "./start-simulator.ts";

const running: Simulator[] = [];
afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.stop();
});

async function start(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await startSimulator({ podsPerCluster: 40, ...options });
  running.push(simulator);
  return simulator;
}

test.each<[keyof SimulatorOptions, Partial<SimulatorOptions>]>([
  ["clusters", { clusters: 0 }],
  ["clusters", { clusters: 1.5 }],
  ["podsPerCluster", { podsPerCluster: 5 }],
  ["port", { port: 70_000 }],
  ["tickMs", { tickMs: Number.NaN }],
  ["startAt", { startAt: new Date("nonsense") }],
])("a bad %s is refused by name", async (option, bad) => {
  await expect(startSimulator({ clusters: 1, ...bad })).rejects.toMatchObject({
    code: "option_invalid",
    fields: { option },
  });
});

test("a port that is taken is said to be", async () => {
  const first = await start({ clusters: 1 });
  const port = Number(new URL(first.address).port);
  await expect(startSimulator({ clusters: 1, port })).rejects.toThrow(/takes a port that nobody listens on/);
});

test("a kubeconfig has a context per cluster, with address and token", async () => {
  const simulator = await start({ clusters: 3, tickMs: 0 });
  const text = simulator.kubeconfig();
  for (const { name, server, token } of simulator.clusters) {
    expect(text).toContain(`- name: "${name}"\n  cluster:\n    server: "${server}"`);
    expect(text).toContain(`- name: "${name}"\n  user:\n    token: "${token}"`);
    const answer = await fetch(`${server}/api/v1/nodes`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  }
  expect(new Set(simulator.clusters.map(({ token }) => token)).size).toBe(3);
});

test("time follows the clock by ticks, and step catches up at once", async () => {
  const clock = handClock("2026-03-04T09:00:00Z");
  const simulator = await start({ clusters: 1, clock });
  const world = simulator.clusters[0]?.world();
  const before = world?.store.revision ?? 0;
  clock.pass(600_000);
  expect(simulator.now()).toEqual(new Date("2026-03-04T09:10:00Z"));
  expect(world?.store.revision).toBeGreaterThan(before);
  clock.skip(5_000);
  simulator.step();
  expect(simulator.now()).toEqual(new Date("2026-03-04T09:10:05Z"));
  simulator.advance(new Date("2026-03-04T08:00:00Z"));
  expect(simulator.now()).toEqual(new Date("2026-03-04T09:10:05Z"));
});

test("a cluster that nobody looked at before is the same as one that was watched all the time", async () => {
  const startAt = new Date("2026-03-04T09:00:00Z");
  const options = { clusters: 1, seed: "lazy", startAt, tickMs: 0 };
  const [watched, late] = [await start(options), await start(options)];
  watched.clusters[0]?.world();
  for (const simulator of [watched, late]) simulator.advance(new Date("2026-03-04T09:30:00Z"));
  expect(late.clusters[0]?.world().store.revision).toBe(watched.clusters[0]?.world().store.revision);
});

test("stop ends running watches and frees the port, also when called twice", async () => {
  const simulator = await start({ clusters: 1, token: "" });
  const answer = await fetch(`${simulator.clusters[0]?.server}/api/v1/pods?watch=true`);
  const ended = expect(answer.text()).rejects.toThrow();
  await simulator.stop();
  await simulator.stop();
  await ended;
  await start({ clusters: 1, port: Number(new URL(simulator.address).port) });
});

test("an empty token lets everybody read, and a lone cluster is at the root too", async () => {
  const simulator = await start({ clusters: 1, token: "" });
  const answer = await fetch(`${simulator.address}/api/v1/nodes?limit=1`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-plimsoll-simulated")).toBe("true");
  expect(await (await fetch(simulator.address)).text()).toMatch(/None of them is real/);
});

test("an unknown cluster is refused with the names that exist", async () => {
  const simulator = await start({ clusters: 2 });
  expect(() => simulator.cluster("none")).toThrow(/it has pay-/);
});

/** A clock moved by hand: `pass` fires the timers that come due, `skip` does not. */
function handClock(start: string): SimulatorClock & { pass(ms: number): void; skip(ms: number): void } {
  let now = Date.parse(start);
  const timers = new Set<{ readonly at: number; readonly fire: () => void }>();
  return {
    now: () => now,
    setTimer: (ms, fire) => {
      const timer = { at: now + ms, fire };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    skip: (ms) => {
      now += ms;
    },
    pass: (ms) => {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.fire();
      }
      now = end;
    },
  };
}
