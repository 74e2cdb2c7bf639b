import { expect, test } from "vitest";
import type { Amounts } from "./amounts.ts";
import { type InitContainerTemplate, type PodTemplate, requestsOf } from "./pod-template.ts";

const container = (cpuMillicores: number) => ({
  name: "c",
  image: "i",
  requests: { cpuMillicores, memoryMib: cpuMillicores },
  limits: {},
});
const init = (cpuMillicores: number, sidecar: boolean): InitContainerTemplate => ({
  ...container(cpuMillicores),
  sidecar,
});
const pod = (containers: number[], initContainers: InitContainerTemplate[], overhead?: Amounts): PodTemplate => ({
  labels: {},
  containers: containers.map(container),
  initContainers,
  ...(overhead === undefined ? {} : { overhead }),
  pool: "general",
  usage: { cpuNanocores: 0, memoryKib: 0, shape: "steady" },
  serviceAccount: "default",
});

test.each<[string, PodTemplate, Amounts | undefined, number, number]>([
  ["containers add up", pod([100, 50], []), undefined, 150, 150],
  ["a sidecar adds for the pod's life", pod([10], [init(200, true)]), undefined, 210, 210],
  ["a large init container counts until it ended", pod([100], [init(500, false)]), undefined, 500, 100],
  ["a small one does not count", pod([100], [init(50, false)]), undefined, 100, 100],
  [
    "sidecars before an init container run beside it",
    pod([100], [init(200, true), init(500, false)]),
    undefined,
    700,
    300,
  ],
  ["sidecars after it do not", pod([100], [init(500, false), init(200, true)]), undefined, 500, 300],
  ["overhead comes on top", pod([100], [init(500, false)], { cpuMillicores: 20, memoryMib: 20 }), undefined, 520, 120],
  ["a resize replaces the first container's", pod([100, 50], []), { cpuMillicores: 400, memoryMib: 400 }, 450, 450],
])("%s", (_, template, first, starting, running) => {
  const requests = requestsOf(template, first);
  expect(requests.starting).toEqual({ cpuMillicores: starting, memoryMib: starting, gpus: 0 });
  expect(requests.running).toEqual({ cpuMillicores: running, memoryMib: running, gpus: 0 });
});
