import { roundSample, type SampleRow } from "@plimsoll/contracts/wire";

/** Size of the facts: every part of the bench gets exactly these values, 2,000,000 unless a smaller fleet is asked for. */
const NODES = 200;
export const TICKS = 10;
export const TICK_MS = 300_000;
const RESOURCES = ["cpu", "memory", "pods", "ephemeral-storage", "nvidia.com/gpu"] as const;
/** The numbers of one window; each is one value here and one sample of a series of its own at the peers. */
export const VALUES = ["requested", "used_min", "used_avg", "used_max"] as const;
export const VALUES_PER_TICK = NODES * RESOURCES.length * VALUES.length;

const GIB = 2 ** 30;

/** What one cluster measured. */
export interface ClusterFacts {
  readonly clusterId: string;
  /** UIDs. */
  readonly nodes: readonly string[];
  /** Start of the first window, milliseconds since 1970 UTC. */
  readonly startMs: number;
  /** One list of rows for each tick, ordered by node, then resource. Nothing is unknown. */
  readonly ticks: readonly (readonly SampleRow[])[];
}

/**
 * The facts of a cluster for one hour, the same for the same number and hour; its nodes are the same in every hour. The
 * figures of each node wander around a level of its own.
 */
export function clusterFacts(clusterId: string, number: number, startMs: number): ClusterFacts {
  const random = randomOf(number + 1);
  const wandering = randomOf(number + startMs);
  const int = (below: number) => Math.floor(random() * below);
  const nodes = Array.from({ length: NODES }, () => {
    const digits = Array.from({ length: 32 }, () => int(16).toString(16)).join("");
    const uid = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
    return { uid, level: 0.1 + 0.8 * random(), cores: [8, 16, 32, 64][int(4)] ?? 8 };
  });
  const ticks = Array.from({ length: TICKS }, (_, tick) =>
    nodes.flatMap(({ uid, level, cores }) =>
      RESOURCES.map((resource): SampleRow => {
        const whole = resource === "pods" || resource === "nvidia.com/gpu";
        const capacity = capacityOf(resource, cores);
        const figure = (share: number) =>
          whole ? Math.round((capacity * share) / 1e9) * 1e9 : Math.round(capacity * share);
        const avg = Math.min(0.97, level * (0.9 + 0.2 * wandering()));
        return roundSample({
          scope: "node",
          subject: uid,
          resource,
          windowStartMs: startMs + tick * TICK_MS,
          windowMs: TICK_MS,
          requested: figure(Math.round(level * 20) / 20),
          usedMin: figure(avg * (0.85 + 0.15 * wandering())),
          usedAvg: figure(avg),
          usedMax: figure(Math.min(1, avg * (1 + 0.3 * wandering()))),
          readings: 5,
        });
      }),
    ),
  );
  return { clusterId, nodes: nodes.map(({ uid }) => uid), startMs, ticks };
}

/** What a value's metric is called at the peers. */
export function metricOf(value: (typeof VALUES)[number]): string {
  return `plimsoll_node_${value}`;
}

/** The four values of a row, in the order of `VALUES`. */
export function valuesOf({ requested, usedMin, usedAvg, usedMax }: SampleRow): readonly number[] {
  return [requested ?? 0, usedMin ?? 0, usedAvg ?? 0, usedMax ?? 0];
}

/** Sum of all values of a cluster: what a peer is asked for to see that it holds them. */
export function sumOf({ ticks }: ClusterFacts): number {
  return ticks.flat().reduce((sum, row) => sum + valuesOf(row).reduce((a, b) => a + b, 0), 0);
}

function capacityOf(resource: (typeof RESOURCES)[number], cores: number): number {
  switch (resource) {
    case "cpu":
      return cores * 1e9;
    case "memory":
      return cores * 4 * GIB;
    case "pods":
      return 110e9;
    case "ephemeral-storage":
      return 100 * GIB;
    case "nvidia.com/gpu":
      return 8e9;
  }
}

function randomOf(start: number): () => number {
  let seed = start;
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
