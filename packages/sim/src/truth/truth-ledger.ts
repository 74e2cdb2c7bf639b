import type { Request } from "../records/amounts.ts";
import type { NodeRecord } from "../records/records.ts";
import { type Seconds, timestamp } from "../time/seconds.ts";
import type { UsageModel } from "../world/pod-usage.ts";
import { integratePod, type PodLife } from "./integrate-pod.ts";
import type { NodeTruth, PodTruth } from "./pod-truth.ts";

interface NodeLife {
  readonly node: NodeRecord;
  end: Seconds | null;
}

/**
 * What really happened in a cluster, written down by the simulation itself before its API shows it. Shares no code with
 * the product, so that a test can hold the product's metering against it.
 */
export class TruthLedger {
  readonly #pods = new Map<string, PodLife>();
  readonly #nodes = new Map<string, NodeLife>();
  readonly #model: UsageModel;

  constructor(model: UsageModel) {
    this.#model = model;
  }

  /** A pod was bound to its node. */
  bind(life: Omit<PodLife, "end" | "runsFrom" | "stretches">, request: Request): void {
    this.#pods.set(life.uid, {
      ...life,
      end: null,
      runsFrom: null,
      stretches: [{ from: life.start, request }],
    });
  }

  /** Its containers run. */
  run(uid: string, at: Seconds): void {
    const life = this.#pods.get(uid);
    if (life !== undefined) life.runsFrom = at;
  }

  /** Its requests are others from `at` on. */
  request(uid: string, at: Seconds, request: Request): void {
    this.#pods.get(uid)?.stretches.push({ from: at, request });
  }

  /** It holds its node no longer. The first end counts. */
  end(uid: string, at: Seconds): void {
    const life = this.#pods.get(uid);
    if (life !== undefined) life.end ??= at;
  }

  nodeJoined(node: NodeRecord): void {
    this.#nodes.set(node.uid, { node, end: null });
  }

  nodeLeft(uid: string, at: Seconds): void {
    const life = this.#nodes.get(uid);
    if (life !== undefined) life.end ??= at;
  }

  /** Lives inside [from, to), by start and UID. */
  pods(from: Seconds, to: Seconds): readonly PodTruth[] {
    const truths = [...this.#pods.values()].flatMap((life) => integratePod(life, from, to, this.#model) ?? []);
    return truths.sort((a, b) => compare(a.start, b.start) || compare(a.uid, b.uid));
  }

  nodes(from: Seconds, to: Seconds): readonly NodeTruth[] {
    const truths = [...this.#nodes.values()].flatMap((life) => nodeTruth(life, from, to) ?? []);
    return truths.sort((a, b) => compare(a.start, b.start) || compare(a.uid, b.uid));
  }

  /** Forgets what ended before `horizon`. */
  forget(horizon: Seconds): void {
    for (const [uid, life] of this.#pods) if (life.end !== null && life.end < horizon) this.#pods.delete(uid);
    for (const [uid, life] of this.#nodes) if (life.end !== null && life.end < horizon) this.#nodes.delete(uid);
  }
}

function nodeTruth({ node, end }: NodeLife, from: Seconds, to: Seconds): NodeTruth | undefined {
  const seconds = Math.min(to, end ?? to) - Math.max(from, node.createdAt);
  if (seconds <= 0) return undefined;
  return {
    uid: node.uid,
    name: node.name,
    instanceType: node.pool.machine.name,
    pool: node.pool.name,
    spot: node.pool.spot,
    virtual: node.pool.class === "virtual",
    start: timestamp(node.createdAt),
    end: end === null ? null : timestamp(end),
    seconds,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
