import type { CronSchedule } from "../controllers/cron-job.ts";
import type { WorkloadOrder } from "../controllers/workload-order.ts";
import type { NonEmpty } from "../random/non-empty.ts";
import type { Random } from "../random/random.ts";
import type { Labels, PodTemplate, PoolClass } from "../records/pod-template.ts";
import type { Seconds } from "../time/seconds.ts";
import type { TeamNamespace } from "./namespaces.ts";
import { inferenceTemplate, jobTemplate, serviceTemplate, storeTemplate, workerTemplate } from "./pod-templates.ts";

/** Pool classes that the cluster will have; "general" always is one. */
export type OfferedPools = ReadonlySet<PoolClass>;

/** A CronJob before it exists. */
interface CronOrder {
  readonly order: WorkloadOrder;
  readonly schedule: CronSchedule;
  readonly shortestSeconds: Seconds;
  readonly longestSeconds: Seconds;
}

/** A StatefulSet before it exists; `gib` is the size of each claim. */
interface StoreOrder {
  readonly order: WorkloadOrder;
  readonly gib: number;
}

/** What the teams of a cluster run. */
export interface WorkloadPlan {
  readonly services: readonly WorkloadOrder[];
  readonly stores: readonly StoreOrder[];
  readonly crons: readonly CronOrder[];
}

const STORES: NonEmpty<{ readonly name: string; readonly image: string }> = [
  { name: "postgres", image: "registry.example.com/stores/postgres:16.9" },
  { name: "redis", image: "registry.example.com/stores/redis:7.4.2" },
  { name: "kafka", image: "registry.example.com/stores/kafka:3.9.1" },
];

const CRONS: NonEmpty<{
  readonly name: string;
  readonly schedule: CronSchedule;
  readonly seconds: readonly [number, number];
}> = [
  { name: "sync", schedule: { everyMinutes: 1, atMinute: 0 }, seconds: [5, 40] },
  { name: "metrics-push", schedule: { everyMinutes: 5, atMinute: 0 }, seconds: [10, 90] },
  { name: "reconcile", schedule: { everyMinutes: 15, atMinute: 0 }, seconds: [60, 400] },
  { name: "digest", schedule: { everyMinutes: 60, atMinute: 7 }, seconds: [120, 900] },
  { name: "nightly-report", schedule: { everyMinutes: 1440, atMinute: 150 }, seconds: [600, 2400] },
];

/** Workloads of all kinds, until they have `pods` pods at the day's peak. */
export function planWorkloads(
  random: Random,
  namespaces: readonly TeamNamespace[],
  pools: OfferedPools,
  pods: number,
): WorkloadPlan {
  const services: WorkloadOrder[] = [];
  const stores = namespaces.slice(0, 2).map((namespace) => planStore(random, namespace, pools));
  const crons = namespaces.flatMap((namespace, index) => planCrons(random, namespace, index, pools));
  let planned = stores.reduce((sum, { order }) => sum + order.maxReplicas, 0);
  for (let round = 0; planned < pods; round++) {
    for (const namespace of namespaces) {
      const service = namespace.team.services[round % namespace.team.services.length] ?? "service";
      const name = round < namespace.team.services.length ? service : `${service}-${random.suffix(3)}`;
      const order = planService(random, namespace, name, pools, round);
      services.push(order);
      planned += order.maxReplicas;
      if (planned >= pods) break;
    }
  }
  return { services, stores, crons };
}

function planService(
  random: Random,
  namespace: TeamNamespace,
  name: string,
  pools: OfferedPools,
  round: number,
): WorkloadOrder {
  const labels = podLabels(random, namespace, name);
  const replicas = { minReplicas: random.integer(1, 3), maxReplicas: random.integer(3, 7) };
  const fixed = random.integer(1, 4);
  if (pools.has("gpu") && round === 0) {
    return workload(namespace, name, inferenceTemplate(random, name, labels), { minReplicas: 1, maxReplicas: 1 });
  }
  if (round % 4 === 3) {
    const pool = pools.has("spot") ? "spot" : "general";
    const size = { minReplicas: fixed, maxReplicas: fixed };
    return workload(namespace, `${name}-worker`, workerTemplate(random, name, labels, pool), size);
  }
  if (pools.has("virtual") && round === 1) {
    return workload(namespace, `${name}-burst`, serviceTemplate(random, name, labels, "virtual"), {
      minReplicas: 1,
      maxReplicas: 4,
    });
  }
  const size = random.chance(0.6) ? replicas : { minReplicas: fixed, maxReplicas: fixed };
  return workload(namespace, name, serviceTemplate(random, name, labels, "general"), size);
}

function planStore(random: Random, namespace: TeamNamespace, pools: OfferedPools): StoreOrder {
  const { name, image } = random.pick(STORES);
  const pool = pools.has("memory") ? "memory" : "general";
  const replicas = random.pick([1, 2, 3, 3]);
  const fullName = `${namespace.name}-${name}`;
  const template = storeTemplate(random, image, podLabels(random, namespace, fullName), pool);
  const order = workload(namespace, fullName, template, { minReplicas: replicas, maxReplicas: replicas });
  return { order, gib: random.pick([20, 50, 100, 200]) };
}

/** The first namespace has a job each minute; every one has two others. */
function planCrons(random: Random, namespace: TeamNamespace, index: number, pools: OfferedPools): CronOrder[] {
  const picked = index === 0 ? [CRONS[0], random.pick(CRONS)] : [random.pick(CRONS), random.pick(CRONS)];
  return [...new Set(picked)].map(({ name, schedule, seconds }) => {
    const fullName = `${namespace.name}-${name}`;
    const pool = pools.has("spot") && random.chance(0.5) ? "spot" : "general";
    const template = jobTemplate(random, fullName, podLabels(random, namespace, fullName), pool);
    const order = workload(namespace, fullName, template, { minReplicas: 1, maxReplicas: 1 });
    return { order, schedule, shortestSeconds: seconds[0], longestSeconds: seconds[1] };
  });
}

function workload(
  namespace: TeamNamespace,
  name: string,
  template: PodTemplate,
  size: { readonly minReplicas: number; readonly maxReplicas: number },
): WorkloadOrder {
  const selector = { "app.kubernetes.io/name": template.labels["app.kubernetes.io/name"] ?? name };
  const maxReplicas = Math.max(size.minReplicas, size.maxReplicas);
  return { namespace: namespace.name, name, template, labels: template.labels, selector, ...size, maxReplicas };
}

/** Two thirds of the pods say themselves who pays; the others leave it to their namespace. */
function podLabels(random: Random, { team, labels }: TeamNamespace, name: string): Labels {
  const whoPays: Labels = random.chance(0.66) ? { "cost-center": team.costCenter, "owner-team": team.name } : {};
  return {
    app: name,
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/part-of": team.name,
    ...whoPays,
    ...(labels.env !== undefined && random.chance(0.6) ? { env: labels.env } : {}),
  };
}
