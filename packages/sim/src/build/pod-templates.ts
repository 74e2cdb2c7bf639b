import type { NonEmpty } from "../random/non-empty.ts";
import type { Random } from "../random/random.ts";
import type { Amounts } from "../records/amounts.ts";
import type {
  ContainerTemplate,
  InitContainerTemplate,
  Labels,
  PodTemplate,
  PoolClass,
  UsageProfile,
} from "../records/pod-template.ts";

const CPU_REQUESTS: NonEmpty<number> = [50, 100, 100, 200, 250, 250, 400, 500, 750, 1000];
const MEMORY_REQUESTS: NonEmpty<number> = [128, 256, 256, 384, 512, 512, 768, 1024, 1536, 2048];
/** What is used of what is requested at the peak: most ask for too much, a few for too little. */
const CPU_SHARES: NonEmpty<number> = [0.12, 0.2, 0.3, 0.35, 0.45, 0.6, 0.8, 1.25];
const MEMORY_SHARES: NonEmpty<number> = [0.3, 0.45, 0.5, 0.6, 0.7, 0.85, 1.1];
const NOTHING: Amounts = {};

const MESH_SIDECAR: InitContainerTemplate = {
  name: "mesh-proxy",
  image: "registry.example.com/mesh/proxy:1.26.2",
  requests: { cpuMillicores: 50, memoryMib: 64 },
  limits: { memoryMib: 256 },
  sidecar: true,
};
const LOG_SHIPPER: ContainerTemplate = {
  name: "log-shipper",
  image: "registry.example.com/logging/shipper:4.0.3",
  requests: { cpuMillicores: 20, memoryMib: 48 },
  limits: { cpuMillicores: 100, memoryMib: 96 },
};
const MIGRATION: InitContainerTemplate = {
  name: "migrate",
  image: "registry.example.com/tools/migrate:2.3.0",
  requests: { cpuMillicores: 1200, memoryMib: 384 },
  limits: { cpuMillicores: 1200, memoryMib: 384 },
  sidecar: false,
};

/** A service that answers requests: its load follows the day. */
export function serviceTemplate(random: Random, name: string, labels: Labels, pool: PoolClass): PodTemplate {
  const requests = { cpuMillicores: random.pick(CPU_REQUESTS), memoryMib: random.pick(MEMORY_REQUESTS) };
  const withoutRequests = random.chance(0.05);
  const main: ContainerTemplate = {
    name: "app",
    image: imageOf(random, name),
    requests: withoutRequests ? NOTHING : requests,
    limits: withoutRequests ? NOTHING : limitsFor(random, requests),
  };
  return {
    labels,
    containers: random.chance(0.2) ? [main, LOG_SHIPPER] : [main],
    initContainers: [...(random.chance(0.15) ? [MESH_SIDECAR] : []), ...(random.chance(0.12) ? [MIGRATION] : [])],
    ...(random.chance(0.04) ? { overhead: { cpuMillicores: 100, memoryMib: 120 }, runtimeClass: "sandboxed" } : {}),
    ...(random.chance(0.1) ? { priorityClass: "business-critical" } : {}),
    pool,
    usage: usageFor(random, requests, "daily"),
    serviceAccount: name,
  };
}

/** A store that keeps its data: few changes, much memory. */
export function storeTemplate(random: Random, image: string, labels: Labels, pool: PoolClass): PodTemplate {
  const requests = {
    cpuMillicores: random.pick([500, 1000, 1000, 1500]),
    memoryMib: random.pick([2048, 4096, 4096, 6144]),
  };
  return {
    labels,
    containers: [{ name: "server", image, requests, limits: { memoryMib: requests.memoryMib } }],
    initContainers: [],
    priorityClass: "business-critical",
    pool,
    usage: usageFor(random, requests, "steady"),
    serviceAccount: "default",
  };
}

/** A worker that may be taken away at any time. */
export function workerTemplate(random: Random, name: string, labels: Labels, pool: PoolClass): PodTemplate {
  const requests = { cpuMillicores: random.pick([250, 500, 1000]), memoryMib: random.pick([512, 1024, 2048]) };
  return {
    labels,
    containers: [{ name: "worker", image: imageOf(random, name), requests, limits: limitsFor(random, requests) }],
    initContainers: [],
    pool,
    usage: usageFor(random, requests, "steady"),
    serviceAccount: name,
  };
}

/** Model serving on a GPU. */
export function inferenceTemplate(random: Random, name: string, labels: Labels): PodTemplate {
  const requests = { cpuMillicores: 2000, memoryMib: 8192, gpus: 1 };
  const limits = { memoryMib: 12_288, gpus: 1 };
  return {
    labels,
    containers: [{ name: "model", image: imageOf(random, name), requests, limits }],
    initContainers: [],
    pool: "gpu",
    usage: usageFor(random, requests, "daily"),
    serviceAccount: name,
  };
}

/** A job's pod. */
export function jobTemplate(random: Random, name: string, labels: Labels, pool: PoolClass): PodTemplate {
  const requests = { cpuMillicores: random.pick([100, 200, 250, 500]), memoryMib: random.pick([128, 256, 512]) };
  return {
    labels,
    containers: [{ name: "job", image: imageOf(random, name), requests, limits: limitsFor(random, requests) }],
    initContainers: random.chance(0.15) ? [{ ...MIGRATION, name: "fetch", requests: { cpuMillicores: 600 } }] : [],
    pool,
    usage: usageFor(random, requests, "batch"),
    serviceAccount: "jobs",
    runsOnce: true,
  };
}

/** A part of the system with fixed requests. */
export function systemTemplate(random: Random, part: SystemPart): PodTemplate {
  const requests = {
    ...(part.cpuMillicores > 0 ? { cpuMillicores: part.cpuMillicores } : {}),
    ...(part.memoryMib > 0 ? { memoryMib: part.memoryMib } : {}),
  };
  const reckoned = { cpuMillicores: Math.max(part.cpuMillicores, 20), memoryMib: Math.max(part.memoryMib, 40) };
  return {
    labels: part.labels,
    containers: [{ name: part.name, image: part.image, requests, limits: NOTHING }],
    initContainers: [],
    priorityClass: "system-cluster-critical",
    pool: part.pool,
    usage: usageFor(random, reckoned, "steady"),
    serviceAccount: part.name,
    ...(part.mirror ? { mirror: true, annotations: { "kubernetes.io/config.mirror": random.hex(32) } } : {}),
  };
}

/** A part of the system, see `systemTemplate`; amounts of 0 are not requested. */
export interface SystemPart {
  readonly name: string;
  readonly image: string;
  readonly labels: Labels;
  readonly cpuMillicores: number;
  readonly memoryMib: number;
  readonly pool: PoolClass;
  readonly mirror?: boolean;
}

function usageFor(
  random: Random,
  { cpuMillicores = 100, memoryMib = 128 }: Amounts,
  shape: UsageProfile["shape"],
): UsageProfile {
  return {
    cpuNanocores: Math.floor(cpuMillicores * 1_000_000 * random.pick(CPU_SHARES)),
    memoryKib: Math.floor(memoryMib * 1024 * random.pick(MEMORY_SHARES)),
    shape,
  };
}

/** Memory is limited by most, cpu by some, nothing by a few. */
function limitsFor(random: Random, { cpuMillicores = 0, memoryMib = 0 }: Amounts): Amounts {
  const style = random.unit();
  if (style < 0.1) return NOTHING;
  if (style < 0.5) return { memoryMib: memoryMib * 2 };
  return { cpuMillicores: cpuMillicores * 2, memoryMib: memoryMib * 2 };
}

function imageOf(random: Random, name: string): string {
  return `registry.example.com/apps/${name}:${random.integer(1, 9)}.${random.integer(0, 40)}.${random.integer(0, 9)}`;
}
