import type { Random } from "./random.ts";

/** A pod as plain JSON: also with the nulls, numbers and blanks that hand-made files have. */
export interface PodJson {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly spec: {
    readonly containers: readonly ContainerJson[];
    readonly initContainers?: readonly ContainerJson[];
    readonly [field: string]: unknown;
  };
  readonly status?: { readonly [field: string]: unknown };
}

interface ContainerJson {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources?: ResourcesJson | null;
}

type ResourcesJson = { readonly requests?: ListJson | null; readonly limits?: ListJson | null };
type ListJson = Readonly<Record<string, string | number | null>>;

const RESOURCES = ["cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "nvidia.com/gpu", "example.com/fpga"];
const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  cpu: ["100m", "250m", "1", "2", "1500m", "0.5", "1u", "0", 2, 0.25, "119999922n"],
  memory: ["64Mi", "1Gi", "512M", "100m", "0.5Gi", "128974848", "1e9", 1048576, " 32Mi ", "123.456Ki"],
  "ephemeral-storage": ["1Gi", "10G", "0", "500Mi"],
  "hugepages-2Mi": ["2Mi", "100Mi", "1Gi"],
  "nvidia.com/gpu": ["1", "2", "8"],
  "example.com/fpga": ["1", "1k", "9223372036854775807"],
};
const INVALID_VALUES = ["1 Gi", "100mi", "", "1K", "two", "1e3m"];

/** A pod with any mixture of what changes its requests; about one in fifty holds a value that is no quantity. */
export function generatePod(random: Random, index: number): PodJson {
  const names = (kind: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${kind}${i}`);
  const regular = names("c", random.int(random.chance(0.02) ? 0 : 1, 4)).map((name) => container(random, name, 0.05));
  const init = names("i", random.int(0, 4)).map((name) => container(random, name, 0.45));
  return {
    metadata: { name: `pod-${index}`, namespace: "generated", uid: `uid-${index}` },
    spec: {
      containers: regular,
      ...(init.length > 0 || random.chance(0.1) ? { initContainers: init } : {}),
      ...(random.chance(0.25) ? { overhead: random.chance(0.05) ? null : list(random) } : {}),
      ...(random.chance(0.3) ? { resources: resources(random) } : {}),
    },
    ...(random.chance(0.85) ? { status: status(random, regular, init) } : {}),
  };
}

function container(random: Random, name: string, always: number): ContainerJson {
  return {
    name,
    ...(random.chance(always) ? { restartPolicy: "Always" } : {}),
    ...(random.chance(0.9) ? { resources: resources(random) } : {}),
  };
}

function status(random: Random, regular: readonly ContainerJson[], init: readonly ContainerJson[]): PodJson["status"] {
  return {
    phase: "Running",
    ...(random.chance(0.5) ? { conditions: conditions(random) } : {}),
    ...(random.chance(0.6) ? { containerStatuses: statuses(random, regular) } : {}),
    ...(random.chance(0.6) ? { initContainerStatuses: statuses(random, init) } : {}),
    ...(random.chance(0.3) ? { resources: resources(random) } : {}),
    ...(random.chance(0.3) ? { allocatedResources: list(random) } : {}),
  };
}

/** Statuses of some containers, now and then one of a stranger or a second of the same. */
function statuses(random: Random, containers: readonly ContainerJson[]): readonly object[] {
  const named = containers.map(({ name }) => name).filter(() => random.chance(0.8));
  const names = random.chance(0.1) ? [...named, random.pick(["c0", "i0", "stranger"])] : named;
  return names.map((name) => ({
    name,
    ...(random.chance(0.6) ? { allocatedResources: list(random) } : {}),
    ...(random.chance(0.7) ? { resources: resources(random) } : {}),
  }));
}

function conditions(random: Random): readonly object[] {
  const pending = (): object => ({
    type: "PodResizePending",
    status: random.pick(["True", "True", "False"]),
    reason: random.pick(["Infeasible", "Infeasible", "Deferred", ""]),
  });
  const initialized = { type: "Initialized", status: random.pick(["True", "False"]) };
  return random.pick([[initialized], [pending(), initialized], [initialized, pending()], [pending(), pending()], []]);
}

function resources(random: Random): ResourcesJson | null {
  if (random.chance(0.03)) return null;
  return {
    ...(random.chance(0.85) ? { requests: random.chance(0.03) ? null : list(random) } : {}),
    ...(random.chance(0.7) ? { limits: random.chance(0.03) ? null : list(random) } : {}),
  };
}

function list(random: Random): ListJson {
  const names = RESOURCES.filter((name) => random.chance(name === "cpu" || name === "memory" ? 0.8 : 0.15));
  return Object.fromEntries(names.map((name) => [name, value(random, name)]));
}

function value(random: Random, name: string): string | number | null {
  if (random.chance(0.0005)) return random.pick(INVALID_VALUES);
  if (random.chance(0.005)) return null;
  return random.pick(VALUES[name] ?? ["1"]);
}
