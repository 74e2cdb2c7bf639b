import type { CronJobRecord, DaemonSetRecord, JobRecord, ReplicatedRecord } from "../records/records.ts";
import { timestamp } from "../time/seconds.ts";
import type { KubeJson } from "./kube-json.ts";
import { presentCondition } from "./present-condition.ts";
import { presentMetadata } from "./present-metadata.ts";
import { presentTemplate } from "./present-pod-template.ts";

/** A Deployment, ReplicaSet or StatefulSet. */
export function presentReplicated(record: ReplicatedRecord, revision: number): KubeJson {
  const { replicas, ready, generation, template, labels, selector, owner } = record;
  const isSet = record.resource === "replicasets";
  const counts = { observedGeneration: generation, replicas, readyReplicas: ready, availableReplicas: ready };
  const more = { ...(record.resource === "deployments" ? deploymentStatus(record) : {}) };
  return {
    metadata: presentMetadata(record, revision, {
      labels,
      annotations:
        record.resource === "statefulsets" ? {} : { "deployment.kubernetes.io/revision": String(record.revision) },
      owner,
      generation,
    }),
    spec: {
      replicas,
      selector: { matchLabels: selector },
      template: presentTemplate(template, isSet ? labels : template.labels),
      ...(record.resource === "statefulsets" ? { serviceName: record.name, podManagementPolicy: "OrderedReady" } : {}),
    },
    status: { ...counts, ...more },
  };
}

function deploymentStatus({ replicas, ready, createdAt }: ReplicatedRecord): KubeJson {
  const available = ready >= replicas ? "True" : "False";
  return {
    updatedReplicas: replicas,
    unavailableReplicas: ready >= replicas ? undefined : replicas - ready,
    conditions: [
      presentCondition("Available", available, createdAt),
      presentCondition("Progressing", "True", createdAt),
    ],
  };
}

export function presentDaemonSet(record: DaemonSetRecord, revision: number): KubeJson {
  const { desired, ready, template, labels, selector } = record;
  return {
    metadata: presentMetadata(record, revision, { labels, generation: 1 }),
    spec: {
      selector: { matchLabels: selector },
      template: presentTemplate(template, template.labels),
      revisionHistoryLimit: 10,
    },
    status: {
      currentNumberScheduled: desired,
      desiredNumberScheduled: desired,
      numberMisscheduled: 0,
      numberReady: ready,
      numberAvailable: ready,
      updatedNumberScheduled: desired,
      observedGeneration: 1,
    },
  };
}

export function presentJob(record: JobRecord, revision: number): KubeJson {
  const { template, labels, owner, active, succeeded, failed, startedAt, finishedAt, outcome } = record;
  const count = (value: number) => (value === 0 ? undefined : value);
  return {
    metadata: presentMetadata(record, revision, { labels, owner, generation: 1 }),
    spec: {
      parallelism: Math.max(1, active + succeeded),
      completions: Math.max(1, active + succeeded),
      backoffLimit: 2,
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": record.uid } },
      template: presentTemplate(template, template.labels),
    },
    status: {
      active: count(active),
      succeeded: count(succeeded),
      failed: count(failed),
      ready: 0,
      startTime: timestamp(startedAt),
      completionTime: outcome === "Complete" && finishedAt !== null ? timestamp(finishedAt) : undefined,
      conditions: outcome === null || finishedAt === null ? undefined : [presentCondition(outcome, "True", finishedAt)],
    },
  };
}

export function presentCronJob(record: CronJobRecord, revision: number): KubeJson {
  const { template, labels, schedule, lastScheduleAt, active } = record;
  return {
    metadata: presentMetadata(record, revision, { labels, generation: 1 }),
    spec: {
      schedule,
      concurrencyPolicy: "Forbid",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        metadata: { labels },
        spec: { backoffLimit: 2, template: presentTemplate(template, template.labels) },
      },
    },
    status: {
      active: active.length === 0 ? undefined : active,
      lastScheduleTime: lastScheduleAt === null ? undefined : timestamp(lastScheduleAt),
    },
  };
}
