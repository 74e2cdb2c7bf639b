import { PlimsollError } from "@plimsoll/contracts";
import { listen } from "../api/http-server.ts";
import { planFleet } from "../fleet/fleet-plan.ts";
import { createRandom } from "../random/random.ts";
import type { SimulatorClock } from "../time/clock.ts";
import { type Seconds, secondsOf } from "../time/seconds.ts";
import type { PodTruth } from "../truth/pod-truth.ts";
import { kubeconfigText } from "./kubeconfig-text.ts";
import { type ClusterContext, SimulatedCluster } from "./simulated-cluster.ts";
import {
  type CompleteOptions,
  completeOptions,
  SIMULATOR_COMMAND,
  type SimulatorOptions,
} from "./simulator-options.ts";

/** A running simulated fleet. */
export interface Simulator {
  /** http://HOST:PORT */
  readonly address: string;
  readonly clusters: readonly SimulatedCluster[];
  /** The cluster of this name; fails when there is none. */
  cluster(name: string): SimulatedCluster;
  /** Text of a kubeconfig with one context per cluster. */
  kubeconfig(): string;
  /** Simulated time. */
  now(): Date;
  /** Lets everything happen up to `to`; an earlier time changes nothing. */
  advance(to: Date): void;
  /** Catches up with the clock once (what the timer does each `tickMs`). */
  step(): void;
  /** What really happened in a cluster, see `SimulatedCluster.truth`. */
  truth(cluster: string, from: Date, to: Date): readonly PodTruth[];
  /** Ends timer, server and connections. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a fleet of simulated Kubernetes APIs in this process: a function of seed, start and time. Fails with
 * option_invalid for a bad option or a port that is taken.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const complete = completeOptions(options);
  const { clock, host, tickMs } = complete;
  let now = secondsOf(complete.startAt);
  const served = new Map<string, SimulatedCluster>();
  const server = await listenOrExplain(served, host, complete.port);
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  for (const cluster of makeClusters(complete, address, () => now)) served.set(cluster.name, cluster);
  const clusters = [...served.values()];
  const advance = (to: Date) => {
    now = Math.max(now, secondsOf(to));
    for (const one of clusters) one.catchUp();
  };
  const step = () => advance(new Date(clock.now()));
  const stopTicking = tickMs === 0 ? () => undefined : tick(clock, tickMs, step);
  return {
    address,
    clusters,
    cluster: (name) => findCluster(served, name),
    kubeconfig: () => kubeconfigText(clusters),
    now: () => new Date(now * 1000),
    advance,
    step,
    truth: (name, from, to) => findCluster(served, name).truth(from, to),
    stop: async () => {
      stopTicking();
      await server.close();
    },
  };
}

function makeClusters(options: CompleteOptions, address: string, now: () => Seconds): SimulatedCluster[] {
  const { churn, load, podsPerCluster, historySeconds, truthSeconds, clock, bookmarkSeconds } = options;
  const startAt = secondsOf(options.startAt);
  const settings = { startAt, churn, load, podsPerCluster, historySeconds, truthSeconds };
  const context: ClusterContext = { settings, clock, bookmarkSeconds, now };
  return planFleet(String(options.seed), options.clusters, options.sickness).map((plan) => {
    const token = options.token ?? `sim-${createRandom(`${plan.seed}/token`).hex(32)}`;
    return new SimulatedCluster(plan, `${address}/clusters/${plan.name}`, token, context);
  });
}

function findCluster(clusters: ReadonlyMap<string, SimulatedCluster>, name: string): SimulatedCluster {
  const found = clusters.get(name);
  if (found !== undefined) return found;
  throw new PlimsollError("context_unknown", { context: name, known: [...clusters.keys()].join(", ") });
}

async function listenOrExplain(served: ReadonlyMap<string, SimulatedCluster>, host: string, port: number) {
  try {
    return await listen(served, host, port);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const expected =
      reason === "EADDRINUSE" ? "a port that nobody listens on" : `a port to listen on at ${host} (${reason})`;
    throw new PlimsollError(
      "option_invalid",
      { option: "port", value: port, expected, command: SIMULATOR_COMMAND },
      { cause: error },
    );
  }
}

/** Runs `run` each `ms` until the returned function is called. */
function tick(clock: SimulatorClock, ms: number, run: () => void): () => void {
  let cancel = clock.setTimer(ms, again);
  function again(): void {
    run();
    cancel = clock.setTimer(ms, again);
  }
  return () => cancel();
}
