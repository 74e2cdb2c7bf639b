import type { OwnerRecord } from "../records/records.ts";
import { MINUTE, type Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { Job, type JobRun } from "./job.ts";
import type { WorkloadOrder } from "./workload-order.ts";

const KEPT_COMPLETE = 3;
const KEPT_FAILED = 1;

/** Runs every `everyMinutes` minutes of the day, `atMinute` minutes after its start. */
export interface CronSchedule {
  readonly everyMinutes: 1 | 5 | 15 | 60 | 1440;
  readonly atMinute: number;
}

/** A CronJob: starts a Job each time its schedule comes and the one before has ended; keeps the last ones. */
export class CronJob {
  readonly #world: ClusterWorld;
  readonly #order: WorkloadOrder;
  readonly #schedule: CronSchedule;
  readonly #run: JobRun;
  readonly #createdAt: Seconds;
  readonly #reference: OwnerRecord;
  #active: Job[] = [];
  #ended: Job[] = [];
  #lastScheduleAt: Seconds | null;

  constructor(world: ClusterWorld, order: WorkloadOrder, schedule: CronSchedule, run: JobRun, createdAt: Seconds) {
    this.#world = world;
    this.#order = order;
    this.#schedule = schedule;
    this.#run = run;
    this.#createdAt = createdAt;
    this.#lastScheduleAt = nextRun(schedule, world.now) - schedule.everyMinutes * MINUTE;
    this.#reference = { apiVersion: "batch/v1", kind: "CronJob", name: order.name, uid: world.random.uuid() };
    this.#write();
  }

  /** Lets it run from now on. */
  start(): void {
    this.#world.at(nextRun(this.#schedule, this.#world.now), () => {
      this.#fire();
      this.start();
    });
  }

  #fire(): void {
    if (this.#active.length > 0) return;
    const name = `${this.#order.name}-${Math.floor(this.#world.now / MINUTE)}`;
    this.#lastScheduleAt = this.#world.now;
    const order = { ...this.#order, name, labels: this.#order.template.labels };
    this.#active.push(new Job(this.#world, order, this.#run, this.#reference, (job) => this.#jobEnded(job)));
    this.#write();
  }

  #jobEnded(job: Job): void {
    this.#active = this.#active.filter((other) => other !== job);
    this.#ended.push(job);
    this.#write();
    this.#forget("Complete", KEPT_COMPLETE);
    this.#forget("Failed", KEPT_FAILED);
  }

  #forget(outcome: Job["outcome"], kept: number): void {
    const same = this.#ended.filter((job) => job.outcome === outcome);
    for (const job of same.slice(0, Math.max(0, same.length - kept))) {
      this.#ended.splice(this.#ended.indexOf(job), 1);
      job.remove();
    }
  }

  #write(): void {
    const { namespace, name, template, labels } = this.#order;
    this.#world.store.put({
      resource: "cronjobs",
      namespace,
      name,
      uid: this.#reference.uid,
      createdAt: this.#createdAt,
      template,
      labels,
      schedule: cronText(this.#schedule),
      lastScheduleAt: this.#lastScheduleAt,
      active: this.#active.map((job) => job.reference),
    });
  }
}

/** The first run after `now`. */
function nextRun({ everyMinutes, atMinute }: CronSchedule, now: Seconds): Seconds {
  const period = everyMinutes * MINUTE;
  const offset = atMinute * MINUTE;
  return (Math.floor((now - offset) / period) + 1) * period + offset;
}

/** The schedule as cron writes it. */
function cronText({ everyMinutes, atMinute }: CronSchedule): string {
  if (everyMinutes === 1) return "* * * * *";
  if (everyMinutes === 1440) return `${atMinute % 60} ${Math.floor(atMinute / 60)} * * *`;
  return everyMinutes === 60 ? `${atMinute} * * * *` : `*/${everyMinutes} * * * *`;
}
