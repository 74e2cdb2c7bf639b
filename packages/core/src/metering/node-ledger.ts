import type { KubeNode } from "@plimsoll/contracts";
import type { NodeRow } from "@plimsoll/contracts/wire";
import { readNode } from "../nodes/node-facts.ts";
import type { FaultLog } from "./fault-log.ts";
import { type InstantNanos, later, parseInstant } from "./instant.ts";
import type { MeterTiming } from "./meter-timing.ts";
import { describeNode, MeteredNode, schedulableState } from "./metered-node.ts";
import { hourOf } from "./utc-hour.ts";

/** The ledger of node intervals, keyed by UID. Times are of one clock that does not go back. */
export class NodeLedger {
  readonly #timing: MeterTiming;
  readonly #faults: FaultLog;
  readonly #nodes = new Map<string, MeteredNode>();
  readonly #uids = new Map<string, string>();
  #seen: InstantNanos | undefined;
  #floor: InstantNanos | undefined;

  constructor(timing: MeterTiming, faults: FaultLog) {
    this.#timing = timing;
    this.#faults = faults;
  }

  /** Continues where an earlier run stopped: its rows as checkpointed, and how far it had seen. */
  resume(rows: readonly NodeRow[], seen: InstantNanos): void {
    const sorted = rows.toSorted((a, b) => a.hourStartMs - b.hourStartMs);
    for (const [uid, ofNode] of Map.groupBy(sorted, (row) => row.nodeUid)) {
      const node = MeteredNode.resume(ofNode);
      if (node) this.#keep(uid, node);
    }
    this.#seen = seen;
    this.#floor = hourOf(seen);
  }

  /** Up to when the presence of every node is known. */
  get seen(): InstantNanos | undefined {
    return this.#seen;
  }

  /** UID of the node of a name that is there, or was there last; null = none is known. */
  uidOf(name: string): string | null {
    return this.#uids.get(name) ?? null;
  }

  /** Every node that exists at `at`. */
  observeAll(nodes: Iterable<KubeNode>, at: InstantNanos): void {
    const present = new Set<string>();
    for (const node of nodes) {
      present.add(node.metadata.uid);
      this.observe(node, at);
    }
    for (const [uid, { deleted }] of this.#nodes) if (deleted === null && !present.has(uid)) this.remove(uid, at);
    this.sight(at);
  }

  /** One node as it is at `at`. */
  observe(node: KubeNode, at: InstantNanos): void {
    const { uid, name, creationTimestamp } = node.metadata;
    this.#faults.attempt(uid, () => {
      const facts = readNode(node);
      const created = creationTimestamp ? parseInstant(creationTimestamp, `Node/${name} creationTimestamp`) : at;
      const description = describeNode(facts, created);
      const held = this.#nodes.get(uid) ?? this.#keep(uid, new MeteredNode(description, this.#floor ?? at));
      if (held.deleted === null) held.update(description, schedulableState(facts), at);
    });
  }

  /** A node is gone; it counts up to the last time that it was seen. */
  remove(uid: string, at: InstantNanos): void {
    const held = this.#nodes.get(uid);
    if (held?.deleted === null) held.delete(this.#seen ?? at);
  }

  /** Every node that is not known to have gone was there at `at`. */
  sight(at: InstantNanos): void {
    this.#floor ??= hourOf(at);
    this.#seen = this.#seen === undefined ? at : later(this.#seen, at);
  }

  /** Rows that must be told now. */
  tell(): readonly NodeRow[] {
    const seen = this.#seen;
    if (seen === undefined) return [];
    // Before, not after: what is told now must still be in the checkpoint.
    for (const [uid, node] of this.#nodes) if (node.isPast(hourOf(seen))) this.#forget(uid, node);
    const due = [...this.#nodes.values()].filter((node) => node.isDue(seen, this.#timing.resend));
    return due.flatMap((node) => node.tell(seen));
  }

  /** Rows that a restart needs. */
  checkpoint(): readonly NodeRow[] {
    const seen = this.#seen;
    return seen === undefined ? [] : [...this.#nodes.values()].flatMap((node) => node.rows(seen));
  }

  #forget(uid: string, node: MeteredNode): void {
    this.#nodes.delete(uid);
    if (this.#uids.get(node.name) === uid) this.#uids.delete(node.name);
  }

  #keep(uid: string, node: MeteredNode): MeteredNode {
    this.#nodes.set(uid, node);
    this.#uids.set(node.name, uid);
    return node;
  }
}
