import type { JobRecord, OwnerRecord, PodRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { createPod, deletePod, finishPod } from "../world/pod-lifecycle.ts";
import type { PodOwner } from "../world/pod-owner.ts";
import type { WorkloadOrder } from "./workload-order.ts";

const BACKOFF_LIMIT = 2;

/** How the pods of a job fare. */
export interface JobRun {
  /** How long the next pod runs. */
  seconds(): Seconds;
  /** Does the next pod fail? */
  fails(): boolean;
  readonly parallel: number;
}

/** A Job: runs its pods to the end, tries again when one fails, tells when it is done. */
export class Job implements PodOwner {
  readonly reference: OwnerRecord;
  readonly workload: PodOwner["workload"];
  readonly #world: ClusterWorld;
  readonly #order: WorkloadOrder;
  readonly #run: JobRun;
  readonly #owner: OwnerRecord | null;
  readonly #startedAt: Seconds;
  readonly #done: (job: Job) => void;
  readonly #pods = new Map<string, PodRecord>();
  #active = 0;
  #succeeded = 0;
  #failed = 0;
  #finishedAt: Seconds | null = null;
  #outcome: JobRecord["outcome"] = null;

  /** Starts at once. `owner` is the CronJob that makes it, null for one made by hand; `done` is called when it has ended. */
  constructor(
    world: ClusterWorld,
    order: WorkloadOrder,
    run: JobRun,
    owner: OwnerRecord | null,
    done: (job: Job) => void,
  ) {
    this.#world = world;
    this.#order = order;
    this.#run = run;
    this.#owner = owner;
    this.#done = done;
    this.#startedAt = world.now;
    this.reference = { apiVersion: "batch/v1", kind: "Job", name: order.name, uid: world.random.uuid() };
    this.workload = owner === null ? { kind: "Job", name: order.name } : { kind: owner.kind, name: owner.name };
    world.owners.set(this.reference.uid, this);
    this.#write();
    for (let i = 0; i < run.parallel; i++) this.#startPod();
    this.#write();
  }

  get outcome(): JobRecord["outcome"] {
    return this.#outcome;
  }

  /** Removes the job with its pods. */
  remove(): void {
    for (const pod of this.#pods.values()) deletePod(this.#world, pod);
    this.#world.owners.delete(this.reference.uid);
    this.#world.store.remove("jobs", this.#order.namespace, this.reference.name);
  }

  podStarted(pod: PodRecord): void {
    const phase = this.#run.fails() ? "Failed" : "Succeeded";
    this.#world.after(this.#run.seconds(), () => finishPod(this.#world, pod, phase));
  }

  podLeft(pod: PodRecord): void {
    if (this.#outcome !== null) return;
    this.#active--;
    if (pod.phase === "Succeeded") this.#succeeded++;
    else this.#failed++;
    if (pod.phase !== "Succeeded" && this.#failed <= BACKOFF_LIMIT) this.#startPod();
    if (this.#active === 0) this.#finish();
    else this.#write();
  }

  podGone(pod: PodRecord): void {
    this.#pods.delete(pod.uid);
  }

  #finish(): void {
    this.#outcome = this.#succeeded >= this.#run.parallel ? "Complete" : "Failed";
    this.#finishedAt = this.#world.now;
    this.#write();
    this.#done(this);
  }

  #startPod(): void {
    const { namespace, name, template } = this.#order;
    const labels = {
      ...template.labels,
      "batch.kubernetes.io/controller-uid": this.reference.uid,
      "batch.kubernetes.io/job-name": name,
      "job-name": name,
    };
    const podName = `${name}-${this.#world.random.suffix(5)}`;
    const pod = createPod(this.#world, { owner: this, namespace, name: podName, template, labels });
    this.#pods.set(pod.uid, pod);
    this.#active++;
  }

  #write(): void {
    const { namespace, name, template, labels } = this.#order;
    this.#world.store.put({
      resource: "jobs",
      namespace,
      name,
      uid: this.reference.uid,
      createdAt: this.#startedAt,
      template,
      labels,
      owner: this.#owner,
      active: this.#active,
      succeeded: this.#succeeded,
      failed: this.#failed,
      startedAt: this.#startedAt,
      finishedAt: this.#finishedAt,
      outcome: this.#outcome,
    });
  }
}
