import type { KubeNode, KubePod, PlimsollError, Usage } from "@plimsoll/contracts";
import type { MeteringMode, NodeRow, UsageRow } from "@plimsoll/contracts/wire";
import { createErrorLog } from "../report/error-log.ts";
import { readUsage } from "../report/read-usage.ts";
import { FaultLog } from "./fault-log.ts";
import { type InstantNanos, later } from "./instant.ts";
import type { MeterTiming } from "./meter-timing.ts";
import { NodeLedger } from "./node-ledger.ts";
import type { PodAttribution } from "./pod-attribution.ts";
import { PodLedger } from "./pod-ledger.ts";
import { fromMillis, toMillis } from "./utc-hour.ts";

/** How a meter works. Lengths in milliseconds. */
export interface UsageMeterOptions {
  readonly mode: MeteringMode;
  /** Whom a pod belongs to, asked when its rows are made: `podAttribution` over the objects of the moment. */
  readonly attribute: (pod: KubePod) => PodAttribution;
  /** Running intervals are told again after this (default 300,000). */
  readonly resendMs?: number;
  /** A reading of usage holds until the next one, at most this long (default 150,000); beyond it usage is unknown. */
  readonly usageHoldMs?: number;
  /** An end or Initialized heard of this late still falls exactly where it happened (default 180,000). */
  readonly lateMs?: number;
  /** Where an earlier run stopped. Default: none, intervals resume from status timestamps, from the present hour on. */
  readonly resume?: MeterCheckpoint;
}

/** What a restart needs to tell the same intervals on: keep it before the rows of the same flush are spooled. */
export interface MeterCheckpoint {
  /** Milliseconds since 1970 UTC up to which pods and nodes had been seen; null = never. */
  readonly podsSeenMs: number | null;
  readonly nodesSeenMs: number | null;
  readonly usage: readonly UsageRow[];
  readonly nodes: readonly NodeRow[];
}

/** What a flush gives. Rows replace earlier ones of their key. */
export interface MeterFlush {
  readonly usage: readonly UsageRow[];
  readonly nodes: readonly NodeRow[];
  /** Objects that could not be metered, each told once: bad quantities, bad times, an end long before the start. */
  readonly faults: readonly PlimsollError[];
}

/**
 * Turns what is seen of pods and nodes, and readings of their usage, into rows with cumulative integrals per UTC hour. Pure:
 * time comes with each call, in milliseconds since 1970 UTC by hub time; a time before an earlier one counts as that.
 *
 * Presence is known up to the last sighting (`observePods`, `podsSeen`), and nothing is billed beyond it. A pod that is gone
 * is charged to its `finishedAt`, else to the last sighting, and may have run unseen until it was missed.
 */
export interface UsageMeter {
  /** Every pod that exists: a list. */
  observePods(pods: Iterable<KubePod>, atMs: number): void;
  /** One pod, added or changed. */
  observePod(pod: KubePod, atMs: number): void;
  /** One pod, gone, in its last state. */
  removePod(pod: KubePod, atMs: number): void;
  /** A watch lives: all pods that are not known to be gone were there at `atMs`. Say so before an event is told. */
  podsSeen(atMs: number): void;
  observeNodes(nodes: Iterable<KubeNode>, atMs: number): void;
  observeNode(node: KubeNode, atMs: number): void;
  removeNode(node: KubeNode, atMs: number): void;
  nodesSeen(atMs: number): void;
  /** Usage of pods as read at `atMs`; a pod that is not in it reported nothing. */
  observeUsage(usage: Usage, atMs: number): void;
  /** Rows of what opened, ended, or ran longer than `resendMs` since it was told last. */
  flush(): MeterFlush;
  checkpoint(): MeterCheckpoint;
  /** Changes how often running intervals are told again, and how long a reading of usage holds. */
  configure(timing: Pick<UsageMeterOptions, "resendMs" | "usageHoldMs">): void;
  figures(): { readonly openIntervals: number; readonly faults: number };
}

/** A meter that has seen nothing yet, or continues from a checkpoint. */
export function createUsageMeter(options: UsageMeterOptions): UsageMeter {
  return new Meter(options);
}

class Meter implements UsageMeter {
  readonly #faults = new FaultLog();
  readonly #timing: MeterTiming;
  readonly #nodes: NodeLedger;
  readonly #pods: PodLedger;
  #now: InstantNanos = 0n;

  constructor(options: UsageMeterOptions) {
    const { mode, attribute, resendMs = 300_000, usageHoldMs = 150_000, lateMs = 180_000, resume } = options;
    this.#timing = { resend: fromMillis(resendMs), hold: fromMillis(usageHoldMs), late: fromMillis(lateMs) };
    this.#nodes = new NodeLedger(this.#timing, this.#faults);
    this.#pods = new PodLedger({
      mode,
      timing: this.#timing,
      attribute,
      nodeUid: (name) => this.#nodes.uidOf(name),
      faults: this.#faults,
    });
    if (resume) this.#resume(resume);
  }

  observePods(pods: Iterable<KubePod>, atMs: number): void {
    this.#pods.observeAll(pods, this.#at(atMs));
  }

  observePod(pod: KubePod, atMs: number): void {
    this.#pods.observe(pod, this.#at(atMs));
  }

  removePod(pod: KubePod, atMs: number): void {
    this.#pods.remove(pod.metadata.uid, this.#at(atMs), pod);
  }

  podsSeen(atMs: number): void {
    this.#pods.sight(this.#at(atMs));
  }

  observeNodes(nodes: Iterable<KubeNode>, atMs: number): void {
    this.#nodes.observeAll(nodes, this.#at(atMs));
  }

  observeNode(node: KubeNode, atMs: number): void {
    this.#nodes.observe(node, this.#at(atMs));
  }

  removeNode(node: KubeNode, atMs: number): void {
    this.#nodes.remove(node.metadata.uid, this.#at(atMs));
  }

  nodesSeen(atMs: number): void {
    this.#nodes.sight(this.#at(atMs));
  }

  observeUsage(usage: Usage, atMs: number): void {
    // What is no quantity is reported with the capacity figures; here it only counts as no reading.
    this.#pods.usage(readUsage({ ...usage, nodes: [] }, createErrorLog("usage")).pods, this.#at(atMs));
  }

  flush(): MeterFlush {
    return { nodes: this.#nodes.tell(), usage: inOrder(this.#pods.tell()), faults: this.#faults.take() };
  }

  checkpoint(): MeterCheckpoint {
    return {
      podsSeenMs: this.#pods.seen === undefined ? null : toMillis(this.#pods.seen),
      nodesSeenMs: this.#nodes.seen === undefined ? null : toMillis(this.#nodes.seen),
      usage: this.#pods.checkpoint(),
      nodes: this.#nodes.checkpoint(),
    };
  }

  configure({ resendMs, usageHoldMs }: Pick<UsageMeterOptions, "resendMs" | "usageHoldMs">): void {
    if (resendMs !== undefined) this.#timing.resend = fromMillis(resendMs);
    if (usageHoldMs !== undefined) this.#timing.hold = fromMillis(usageHoldMs);
  }

  figures(): { readonly openIntervals: number; readonly faults: number } {
    return { openIntervals: this.#pods.open, faults: this.#faults.total };
  }

  #resume({ podsSeenMs, nodesSeenMs, usage, nodes }: MeterCheckpoint): void {
    if (podsSeenMs !== null) this.#pods.resume(usage, this.#at(podsSeenMs));
    if (nodesSeenMs !== null) this.#nodes.resume(nodes, this.#at(nodesSeenMs));
  }

  #at(ms: number): InstantNanos {
    this.#now = later(this.#now, fromMillis(ms));
    return this.#now;
  }
}

/** Rows of one workload next to each other: they compress best so. */
function inOrder(rows: readonly UsageRow[]): readonly UsageRow[] {
  return rows.toSorted((a, b) => compare(a, b) || a.hourStartMs - b.hourStartMs);
}

function compare(a: UsageRow, b: UsageRow): number {
  const [left, right] = [a.attribution, b.attribution];
  return (
    compareTexts(left.namespace, right.namespace) ||
    compareTexts(left.workloadName, right.workloadName) ||
    compareTexts(a.podName, b.podName)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
