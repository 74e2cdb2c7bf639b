import type { NewObject, OwnerReference, StringMap } from "./object-types.ts";
import { type PodOptions, podTemplate } from "./pods.ts";

/** A workload: its pods, how many, and labels of the workload itself. */
export interface WorkloadOptions {
  readonly namespace: string;
  readonly name: string;
  /** Deployment, StatefulSet: default 1. */
  readonly replicas?: number;
  readonly labels?: StringMap;
  readonly pod?: PodOptions;
}

/** A Deployment; its pods carry the label app=NAME. */
export function deployment(options: WorkloadOptions): NewObject {
  const { selector, template } = selected(options);
  return appsObject("Deployment", options, { replicas: options.replicas ?? 1, selector, template });
}

/** A StatefulSet that starts its pods at once; `storage` makes a claim data-NAME-N of that size for each. */
export function statefulSet(
  options: WorkloadOptions & { readonly storage?: string; readonly storageClass?: string },
): NewObject {
  const { selector, template } = selected(options);
  const claim = {
    metadata: { name: "data" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: options.storageClass ?? "standard",
      resources: { requests: { storage: options.storage ?? "1Gi" } },
    },
  };
  return appsObject("StatefulSet", options, {
    replicas: options.replicas ?? 1,
    serviceName: options.name,
    podManagementPolicy: "Parallel",
    selector,
    template,
    ...(options.storage === undefined ? {} : { volumeClaimTemplates: [claim] }),
  });
}

/** A DaemonSet. */
export function daemonSet(options: WorkloadOptions): NewObject {
  return appsObject("DaemonSet", options, selected(options));
}

/** A Job whose pods end at once: as Succeeded, or as Failed with `pod.phase`. `owner`: the CronJob that made it. */
export function job(
  options: WorkloadOptions & { readonly completions?: number; readonly owner?: OwnerReference },
): NewObject {
  const { namespace, name, labels, owner } = options;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { namespace, name, labels: labels ?? {}, ...(owner === undefined ? {} : { ownerReferences: [owner] }) },
    spec: jobSpec(options),
  };
}

/** A suspended CronJob, so that a settled cluster stays as it is; runs of it are made with `job({owner})`. */
export function cronJob(options: WorkloadOptions & { readonly schedule?: string }): NewObject {
  const { namespace, name, labels } = options;
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { namespace, name, labels: labels ?? {} },
    spec: { schedule: options.schedule ?? "0 3 * * *", suspend: true, jobTemplate: { spec: jobSpec(options) } },
  };
}

function jobSpec(options: WorkloadOptions & { readonly completions?: number }) {
  const template = podTemplate({ phase: "Succeeded", ...options.pod });
  return {
    completions: options.completions ?? 1,
    parallelism: options.completions ?? 1,
    backoffLimit: 0,
    template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
  };
}

function selected({ name, pod = {} }: WorkloadOptions) {
  return {
    selector: { matchLabels: { app: name } },
    template: podTemplate({ ...pod, labels: { ...pod.labels, app: name } }),
  };
}

function appsObject(kind: string, { namespace, name, labels }: WorkloadOptions, spec: object): NewObject {
  return { apiVersion: "apps/v1", kind, metadata: { namespace, name, labels: labels ?? {} }, spec };
}
