import type { CronJob } from "../controllers/cron-job.ts";
import type { Deployment } from "../controllers/deployment.ts";
import { Job } from "../controllers/job.ts";
import type { StatefulSet } from "../controllers/stateful-set.ts";
import type { Amounts } from "../records/amounts.ts";
import { HOUR, MINUTE, type Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { loadAt } from "../world/load-curve.ts";
import type { Nodes } from "../world/node-lifecycle.ts";

/** What of a cluster changes as time goes by. */
export interface Changing {
  readonly deployments: readonly Deployment[];
  readonly statefulSets: readonly StatefulSet[];
  readonly cronJobs: readonly CronJob[];
}

/** A node that comes and goes is away this long, this often. */
const FLAP_PERIOD_SECONDS = 15 * MINUTE;
const FLAP_SECONDS = 3 * MINUTE;

/** Plans everything that happens by itself in a cluster, for ever. */
export function startChurn(world: ClusterWorld, nodes: Nodes, { deployments, statefulSets, cronJobs }: Changing): void {
  const { random } = world;
  nodes.startHeartbeats();
  for (const cronJob of cronJobs) cronJob.start();
  world.every(5 * MINUTE, () => followLoad(world, deployments));
  repeat(world, 12 * MINUTE, () => pickOne(world, deployments)?.roll());
  repeat(world, 20 * MINUTE, () => runJobByHand(world, deployments));
  repeat(world, 3 * HOUR, () => pickOne(world, statefulSets)?.restartOne());
  repeat(world, 2 * HOUR, () => pickOne(world, statefulSets)?.resizeOne(random.chance(0.5) ? larger : smaller));
  repeat(world, 5 * MINUTE, () => restartContainer(world));
  repeat(world, 2 * HOUR, () => reclaimSpotNode(world, nodes));
  if (world.plan.sickness === "nodes-not-ready") fallIll(world, nodes);
}

/** Deployments follow the load curve of their region, as an autoscaler would have them. */
function followLoad(world: ClusterWorld, deployments: readonly Deployment[]): void {
  const load = loadAt(world.now, world.plan.region.utcOffsetHours);
  for (const deployment of deployments) {
    const { minReplicas, maxReplicas } = deployment.order;
    if (minReplicas < maxReplicas) deployment.scaleTo(Math.round(minReplicas + (maxReplicas - minReplicas) * load));
  }
}

/** A job that somebody starts once; it goes five minutes after its end. */
function runJobByHand(world: ClusterWorld, deployments: readonly Deployment[]): void {
  const { random } = world;
  const order = pickOne(world, deployments)?.order;
  if (order === undefined || order.template.pool !== "general") return;
  const name = `${order.name}-backfill-${random.suffix(5)}`;
  const { containers } = order.template;
  const template = { ...order.template, containers, initContainers: [], runsOnce: true };
  const run = {
    seconds: () => random.integer(20, 200),
    fails: () => random.chance(0.05),
    parallel: random.integer(1, 3),
  };
  const jobOrder = { ...order, name, template };
  new Job(world, jobOrder, run, null, (job) => world.after(5 * MINUTE, () => job.remove()));
}

function restartContainer(world: ClusterWorld): void {
  const pod = pickOne(world, world.pods());
  if (pod === undefined || pod.phase !== "Running" || pod.deletionAt !== null || pod.template.runsOnce) return;
  world.store.put({ ...pod, restarts: pod.restarts + 1 });
}

function reclaimSpotNode(world: ClusterWorld, nodes: Nodes): void {
  const node = pickOne(
    world,
    world.nodes().filter(({ pool, ready, unschedulable }) => pool.spot && ready && !unschedulable),
  );
  if (node !== undefined) nodes.reclaim(node);
}

/** One node is away from now on, another is away for some minutes of each quarter of an hour. */
function fallIll(world: ClusterWorld, nodes: Nodes): void {
  const [away, flapping] = world.nodes().filter(({ pool }) => pool.class === "general");
  if (away !== undefined) nodes.setReady(away.name, false);
  if (flapping === undefined) return;
  world.after(5 * MINUTE, () => {
    world.every(FLAP_PERIOD_SECONDS, () => {
      nodes.setReady(flapping.name, false);
      world.after(FLAP_SECONDS, () => nodes.setReady(flapping.name, true));
    });
  });
}

/** Runs again and again, after a time that varies between half and one and a half of `mean`. */
function repeat(world: ClusterWorld, mean: Seconds, run: () => void): void {
  world.after(world.random.integer(Math.floor(mean / 2), Math.floor(mean * 1.5)), () => {
    run();
    repeat(world, mean, run);
  });
}

function pickOne<T>(world: ClusterWorld, items: readonly T[]): T | undefined {
  return items[world.random.integer(0, Math.max(0, items.length - 1))];
}

function larger({ cpuMillicores = 500, memoryMib = 1024 }: Amounts): Amounts {
  return { cpuMillicores: Math.floor(cpuMillicores * 1.5), memoryMib };
}

function smaller({ cpuMillicores = 500, memoryMib = 1024 }: Amounts): Amounts {
  return { cpuMillicores: Math.floor(cpuMillicores / 2), memoryMib };
}
