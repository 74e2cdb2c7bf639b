import { CronJob } from "../controllers/cron-job.ts";
import { Deployment } from "../controllers/deployment.ts";
import { StatefulSet } from "../controllers/stateful-set.ts";
import type { ClusterPlan } from "../fleet/fleet-plan.ts";
import { add, NO_REQUEST } from "../records/amounts.ts";
import { DAY, HOUR, MINUTE, type Seconds } from "../time/seconds.ts";
import { ClusterWorld, type WorldSettings } from "../world/cluster-world.ts";
import { loadAt } from "../world/load-curve.ts";
import { Nodes } from "../world/node-lifecycle.ts";
import { type Changing, startChurn } from "./churn.ts";
import { createQuota, createServices } from "./create-services.ts";
import { createDaemonSets, createStaticPods, createSystem, everyNodeAddOns } from "./create-system.ts";
import { createNamespaces, type TeamNamespace } from "./namespaces.ts";
import { offerPools, planPools } from "./plan-pools.ts";
import { planWorkloads, type WorkloadPlan } from "./plan-workloads.ts";
import { claimMaker, createOrphanVolume } from "./volume-claims.ts";

/** Jobs, rollouts and restarts of this long have happened already when a world starts. */
const WARM_UP_SECONDS = 15 * MINUTE;
/** Pods of add-ons: they count in `podsPerCluster` too. */
const SYSTEM_SHARE = 0.42;

/** The cluster of `plan` at `settings.startAt`, with a past: old objects, ended jobs, pods of all ages. */
export function buildWorld(plan: ClusterPlan, settings: WorldSettings): ClusterWorld {
  const bornAt = settings.startAt - (settings.churn ? WARM_UP_SECONDS : 0);
  const world = new ClusterWorld(plan, { ...settings, startAt: bornAt });
  const since = bornAt - DAY * world.random.integer(60, 900);
  const namespaces = createNamespaces(world, since);
  const pools = offerPools(plan, world.random);
  const workloads = planWorkloads(world.random, namespaces, pools, settings.podsPerCluster * (1 - SYSTEM_SHARE));
  const nodes = createNodes(world, workloads, pools, since);
  const changing = createWorkloads(world, workloads, namespaces, since);
  if (settings.churn) startChurn(world, nodes, changing);
  world.advance(settings.startAt);
  world.store.compact();
  return world;
}

function createNodes(
  world: ClusterWorld,
  workloads: WorkloadPlan,
  offered: ReturnType<typeof offerPools>,
  since: Seconds,
): Nodes {
  const { plan, random } = world;
  const everyNode = everyNodeAddOns(plan.cloud.addOns).reduce(add, NO_REQUEST);
  const daemonSets = createDaemonSets(world, since);
  const nodes = new Nodes(world, (node, at) => {
    for (const daemonSet of daemonSets) daemonSet.nodeJoined(node, at);
  });
  for (const { pool, nodes: count } of planPools(plan, random, offered, workloads, everyNode)) {
    for (let i = 0; i < count; i++) {
      const youngest = pool.spot ? HOUR : DAY;
      const node = nodes.addOld(pool, world.now - random.integer(youngest, youngest * 40));
      if (pool.class === "control-plane" && plan.cloud.clusterType !== "K3s") createStaticPods(world, node);
    }
  }
  return nodes;
}

function createWorkloads(
  world: ClusterWorld,
  { services, stores, crons }: WorkloadPlan,
  namespaces: readonly TeamNamespace[],
  since: Seconds,
): Changing {
  const { random } = world;
  const claimOf = claimMaker(world, since);
  createSystem(world, since, claimOf);
  const statefulSets = stores.map(
    ({ order, gib }) =>
      new StatefulSet(world, order, world.now - random.integer(DAY, 50 * DAY), (pod) => claimOf(order, pod, gib)),
  );
  const load = loadAt(world.now, world.plan.region.utcOffsetHours);
  const deployments = services.map((order) => {
    const createdAt = world.now - random.integer(2 * DAY, 300 * DAY);
    const replicas = Math.round(order.minReplicas + (order.maxReplicas - order.minReplicas) * load);
    const since = () => world.now - random.integer(10 * MINUTE, 2 * DAY);
    return new Deployment(world, order, createdAt, replicas, since);
  });
  const cronJobs = crons.map(({ order, schedule, shortestSeconds, longestSeconds }) => {
    const run = {
      seconds: () => random.integer(shortestSeconds, longestSeconds),
      fails: () => random.chance(0.04),
      parallel: 1,
    };
    return new CronJob(world, order, schedule, run, since);
  });
  createServices(world, [...services, ...stores.map(({ order }) => order)], since);
  for (const { name } of namespaces.slice(0, 2)) createQuota(world, name, since);
  const first = namespaces[0];
  if (first !== undefined && random.chance(0.3)) createOrphanVolume(world, first.name, since);
  return { deployments, statefulSets, cronJobs };
}
