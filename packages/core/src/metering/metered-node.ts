import type { NodeRow } from "@plimsoll/contracts/wire";
import type { NodeFacts } from "../nodes/node-facts.ts";
import { isCordonedNode, isReadyNode } from "../nodes/node-state.ts";
import { type DurationNanos, earlier, type InstantNanos, later, tryParseInstant } from "./instant.ts";
import { billedDuration, type UsageInterval } from "./usage-interval.ts";
import { fromMillis, HOUR, hourOf, toMillis } from "./utc-hour.ts";
import { toWireAmounts } from "./wire-amounts.ts";

/** What a node row says besides times. */
export type NodeDescription = Omit<NodeRow, "hourStartMs" | "asOfMs" | "deletedMs" | "presentMs" | "schedulableMs">;

/** Describes a node as it is now. `created` is when it came, by its creationTimestamp. */
export function describeNode(facts: NodeFacts, created: InstantNanos): NodeDescription {
  const allocatable = toWireAmounts(facts.allocatable);
  const quantities = [...toWireAmounts(facts.capacity)].map(
    ([name, capacity]) => [name, { capacity, allocatable: allocatable.get(name) ?? 0n }] as const,
  );
  return {
    nodeUid: facts.node.metadata.uid,
    nodeName: facts.name,
    createdMs: toMillis(created),
    instanceType: facts.instanceType,
    region: facts.region,
    zone: facts.zone,
    pool: facts.pool,
    // No label that providers agree on says it.
    machineDeployment: null,
    providerId: facts.node.spec.providerID ?? null,
    spot: facts.spot,
    virtual: facts.virtual,
    resources: new Map(quantities),
  };
}

/** Is the node Ready and not cordoned, and since when at the latest; null = nobody says. */
export function schedulableState({ node }: NodeFacts): { readonly on: boolean; readonly since: InstantNanos | null } {
  const changed = node.status?.conditions?.find((c) => c.type === "Ready")?.lastTransitionTime;
  return { on: isReadyNode(node) && !isCordonedNode(node), since: (changed && tryParseInstant(changed)) || null };
}

/** One node, hour by hour: how long it was there, and how long it was schedulable. */
export class MeteredNode {
  #description: NodeDescription;
  #deleted: InstantNanos | null = null;
  /** Stretches in which it was schedulable; the last may be open. */
  #spans: UsageInterval[] = [];
  /** Schedulable time by hour, as an earlier run told it. */
  readonly #before = new Map<InstantNanos, DurationNanos>();
  /** From here on its state is known. */
  #knownFrom: InstantNanos;
  #rowsFrom: InstantNanos;
  #toldTo: InstantNanos;
  #untold = true;
  #looked = false;

  /** Nothing before the UTC hour of `floor` is metered. */
  constructor(description: NodeDescription, floor: InstantNanos) {
    this.#description = description;
    this.#knownFrom = later(fromMillis(description.createdMs), hourOf(floor));
    this.#rowsFrom = this.#knownFrom;
    this.#toldTo = this.#knownFrom;
  }

  /** A node as its latest rows left it, in order of hours: to be told again and continued. */
  static resume(rows: readonly NodeRow[]): MeteredNode | undefined {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return undefined;
    const node = new MeteredNode(last, fromMillis(first.hourStartMs));
    for (const row of rows) node.#before.set(fromMillis(row.hourStartMs), BigInt(row.schedulableMs) * 1_000_000n);
    node.#knownFrom = fromMillis(last.asOfMs);
    node.#deleted = last.deletedMs === null ? null : fromMillis(last.deletedMs);
    return node;
  }

  get name(): string {
    return this.#description.nodeName;
  }

  get uid(): string {
    return this.#description.nodeUid;
  }

  get deleted(): InstantNanos | null {
    return this.#deleted;
  }

  /** Takes a newer look at it. `spot` stays what it was at first: a label that is taken off later changes no price. */
  update(description: NodeDescription, { on, since }: ReturnType<typeof schedulableState>, at: InstantNanos): void {
    const { spot, createdMs } = this.#description;
    this.#description = { ...description, spot, createdMs };
    const open = this.#spans.at(-1)?.end === null;
    // At the first look it is taken to have stood so since its last change; when it was cordoned nobody says.
    const from = this.#looked ? at : later(since ?? this.#knownFrom, this.#knownFrom);
    this.#looked = true;
    if (on && !open) this.#spans.push({ start: earlier(from, at), end: null });
    if (!on && open) this.#endSpan(at);
  }

  /** It has gone at `at`. */
  delete(at: InstantNanos): void {
    this.#deleted = later(at, fromMillis(this.#description.createdMs));
    this.#endSpan(this.#deleted);
    this.#untold = true;
  }

  /** Must it be told now: new, gone, an hour over, or told longer ago than `resend`? */
  isDue(seen: InstantNanos, resend: DurationNanos): boolean {
    if (this.#untold) return this.#deleted !== null || seen > this.#toldTo;
    return this.#deleted === null && (seen - this.#toldTo >= resend || this.#toldTo < hourOf(seen));
  }

  /** Rows of every hour since the last telling; from now on they count as told. */
  tell(seen: InstantNanos): readonly NodeRow[] {
    this.#rowsFrom = this.#toldTo;
    this.#spans = this.#spans.filter(({ end }) => end === null || end > hourOf(this.#rowsFrom));
    const rows = this.rows(seen);
    this.#toldTo = later(this.#toldTo, this.#deleted ?? seen);
    this.#untold = false;
    return rows;
  }

  /** The rows that the last telling gave, or would give, as of `seen`. */
  rows(seen: InstantNanos): readonly NodeRow[] {
    const horizon = this.#deleted ?? seen;
    const rows: NodeRow[] = [];
    for (let hour = hourOf(this.#rowsFrom); ; hour += HOUR) {
      if (hour < horizon || this.#deleted !== null) rows.push(this.#row(hour, horizon, seen));
      if (hour + HOUR >= horizon) return rows;
    }
  }

  /** Is it gone, told, and of no hour that may be told again? */
  isPast(horizon: InstantNanos): boolean {
    return this.#deleted !== null && !this.#untold && this.#deleted <= horizon;
  }

  #row(hour: InstantNanos, horizon: InstantNanos, seen: InstantNanos): NodeRow {
    const window = { start: hour, end: earlier(hour + HOUR, later(horizon, hour)) };
    const spans = this.#spans.reduce((sum, span) => sum + billedDuration(span, window), 0n);
    const created = fromMillis(this.#description.createdMs);
    return {
      ...this.#description,
      hourStartMs: toMillis(hour),
      asOfMs: toMillis(earlier(later(seen, hour), hour + HOUR)),
      deletedMs: this.#deleted === null ? null : toMillis(this.#deleted),
      presentMs: toMillis(billedDuration({ start: created, end: horizon }, window)),
      schedulableMs: toMillis(spans + (this.#before.get(hour) ?? 0n)),
    };
  }

  #endSpan(at: InstantNanos): void {
    const last = this.#spans.at(-1);
    if (last?.end === null) this.#spans[this.#spans.length - 1] = { start: last.start, end: later(at, last.start) };
  }
}
