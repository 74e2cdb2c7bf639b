import { hashText } from "../random/hash.ts";
import type { ContainerTemplate, InitContainerTemplate } from "../records/pod-template.ts";
import { hasOrdinaryInit } from "../records/pod-template.ts";
import type { PodRecord } from "../records/records.ts";
import { timestamp } from "../time/seconds.ts";
import type { KubeJson } from "./kube-json.ts";
import { presentResources } from "./present-amounts.ts";
import { presentCondition } from "./present-condition.ts";

/** A pod's status. */
export function presentPodStatus(pod: PodRecord): KubeJson {
  const shared = { phase: pod.phase, qosClass: qosClassOf(pod), conditions: conditionsOf(pod) };
  if (pod.node === null) return shared;
  // The kubelet took the pod up; between binding and that, a status has no start time.
  return {
    ...shared,
    ...(pod.disruptedAt === null ? {} : { reason: "NodeShutdown", message: "The node is gone." }),
    hostIP: pod.nodeAddress,
    hostIPs: [{ ip: pod.nodeAddress }],
    ...(pod.initializedAt === null ? {} : { podIP: pod.address, podIPs: [{ ip: pod.address }] }),
    startTime: pod.scheduledAt === null ? undefined : timestamp(pod.scheduledAt),
    initContainerStatuses: initStatuses(pod),
    containerStatuses: pod.template.containers.map((container, index) => containerStatus(pod, container, index)),
  };
}

function conditionsOf(pod: PodRecord): readonly KubeJson[] {
  const { scheduledAt, initializedAt, startedAt, finishedAt, createdAt } = pod;
  if (scheduledAt === null) {
    if (pod.unschedulableSince === null) return [];
    const message = "0 nodes are available: insufficient cpu or memory.";
    return [presentCondition("PodScheduled", "False", pod.unschedulableSince, { reason: "Unschedulable", message })];
  }
  const running = startedAt !== null && finishedAt === null && pod.disruptedAt === null;
  const readyChange = finishedAt ?? startedAt ?? scheduledAt;
  const completed = { reason: pod.phase === "Succeeded" ? "PodCompleted" : "ContainersNotReady" };
  const unready = running ? {} : completed;
  return [
    ...(pod.disruptedAt === null ? [] : [disrupted(pod.disruptedAt)]),
    presentCondition("Initialized", initializedAt === null ? "False" : "True", initializedAt ?? createdAt),
    presentCondition(
      "Ready",
      running && pod.unreachableSince === null ? "True" : "False",
      pod.unreachableSince ?? readyChange,
      unready,
    ),
    presentCondition("ContainersReady", running ? "True" : "False", readyChange, unready),
    presentCondition("PodScheduled", "True", scheduledAt),
  ];
}

function disrupted(at: number): KubeJson {
  const message = "PodGC: node no longer exists";
  return presentCondition("DisruptionTarget", "True", at, { reason: "DeletionByPodGC", message });
}

function containerStatus(pod: PodRecord, container: ContainerTemplate, index: number): KubeJson {
  const { startedAt, finishedAt } = pod;
  const running = startedAt !== null && finishedAt === null;
  const requests = index === 0 && pod.resized !== null ? pod.resized : container.requests;
  return {
    name: container.name,
    image: container.image,
    imageID: `${container.image.split(":")[0]}@sha256:${digestOf(container.image)}`,
    ready: running,
    started: running,
    restartCount: index === 0 ? pod.restarts : 0,
    lastState: {},
    state: stateOf(pod),
    ...(startedAt === null ? {} : { containerID: `containerd://${digestOf(pod.uid + container.name)}` }),
    ...(running ? reportedResources(requests, container) : {}),
  };
}

/** What kubelets from 1.33 on report as really given. */
function reportedResources(requests: ContainerTemplate["requests"], container: ContainerTemplate): KubeJson {
  const resources = presentResources(requests, container.limits);
  return resources.requests === undefined ? {} : { allocatedResources: resources.requests, resources };
}

function stateOf(pod: PodRecord): KubeJson {
  const { startedAt, finishedAt } = pod;
  if (startedAt === null) {
    const reason =
      pod.initializedAt === null && hasOrdinaryInit(pod.template) ? "PodInitializing" : "ContainerCreating";
    return { waiting: { reason } };
  }
  if (finishedAt === null) return { running: { startedAt: timestamp(startedAt) } };
  const failed = pod.phase === "Failed";
  return {
    terminated: {
      exitCode: failed ? 1 : 0,
      reason: failed ? "Error" : "Completed",
      startedAt: timestamp(startedAt),
      finishedAt: timestamp(finishedAt),
    },
  };
}

function initStatuses(pod: PodRecord): readonly KubeJson[] | undefined {
  const { initContainers } = pod.template;
  return initContainers.length === 0 ? undefined : initContainers.map((container) => initStatus(pod, container));
}

function initStatus(pod: PodRecord, { name, image, sidecar, requests, limits }: InitContainerTemplate): KubeJson {
  const ended = sidecar ? pod.finishedAt : pod.initializedAt;
  const begun = pod.scheduledAt;
  const shared = {
    name,
    image,
    imageID: "",
    restartCount: 0,
    lastState: {},
    resources: sidecar ? presentResources(requests, limits) : undefined,
  };
  if (begun === null) return { ...shared, ready: false, state: { waiting: { reason: "PodInitializing" } } };
  if (ended === null)
    return { ...shared, ready: sidecar, started: true, state: { running: { startedAt: timestamp(begun + 1) } } };
  const times = { startedAt: timestamp(Math.min(begun + 1, ended)), finishedAt: timestamp(ended) };
  return {
    ...shared,
    ready: !sidecar,
    started: false,
    state: { terminated: { exitCode: 0, reason: "Completed", ...times } },
  };
}

function qosClassOf({ template }: PodRecord): string {
  const containers = [...template.containers, ...template.initContainers];
  const names = (amounts: object) => Object.keys(amounts).length;
  if (containers.every(({ requests, limits }) => names(requests) + names(limits) === 0)) return "BestEffort";
  const guaranteed = containers.every(
    ({ requests, limits }) =>
      limits.cpuMillicores !== undefined &&
      limits.memoryMib !== undefined &&
      limits.cpuMillicores === (requests.cpuMillicores ?? limits.cpuMillicores) &&
      limits.memoryMib === (requests.memoryMib ?? limits.memoryMib),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}

/** A made-up digest that is the same for the same text. */
function digestOf(text: string): string {
  let digest = "";
  for (let i = 0; i < 8; i++) digest += hashText(`${text}/${i}`).toString(16).padStart(8, "0");
  return digest;
}
