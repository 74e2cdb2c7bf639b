import type { KubePod } from "@plimsoll/contracts";
import type { MeteringMode, UsageRow } from "@plimsoll/contracts/wire";
import { podUsageKey, type UsageFigures } from "../capacity/usage-figures.ts";
import { chargedProfile } from "./charged-profile.ts";
import type { FaultLog } from "./fault-log.ts";
import { earlier, type InstantNanos, later } from "./instant.ts";
import type { MeterTiming } from "./meter-timing.ts";
import { MeteredInterval } from "./metered-interval.ts";
import { MeteredPod } from "./metered-pod.ts";
import type { PodAttribution } from "./pod-attribution.ts";
import { type PodInterval, podInterval } from "./pod-interval.ts";
import { type ResumedEnd, resumePods } from "./resume-pods.ts";
import { HOUR, hourOf } from "./utc-hour.ts";
import { toWireAmounts } from "./wire-amounts.ts";

/** How a ledger of pods works. */
export interface PodLedgerOptions {
  readonly mode: MeteringMode;
  readonly timing: MeterTiming;
  readonly attribute: (pod: KubePod) => PodAttribution;
  readonly nodeUid: (nodeName: string) => string | null;
  readonly faults: FaultLog;
}

/** Longer silence than this is a gap of its own, not unseen time of single pods. */
const MOST_UNSEEN = HOUR;

/** The ledger of pod intervals, keyed by UID. Times are of one clock that does not go back. */
export class PodLedger {
  readonly #options: PodLedgerOptions;
  readonly #open = new Map<string, MeteredPod>();
  /** Ended pods, while their end lies in an hour that may still be told. */
  readonly #ended = new Map<string, MeteredPod>();
  readonly #endedBefore = new Map<string, ResumedEnd>();
  /** Rows of an earlier run that may not have been spooled; told once, and kept until the next time. */
  #pending: readonly UsageRow[] = [];
  #pendingTold = false;
  #seen: InstantNanos | undefined;
  #floor: InstantNanos | undefined;

  constructor(options: PodLedgerOptions) {
    this.#options = options;
  }

  /** Continues where an earlier run stopped: its rows as checkpointed, and how far it had seen. */
  resume(rows: readonly UsageRow[], seen: InstantNanos): void {
    const { open, ended, pending } = resumePods(rows);
    for (const pod of open) this.#open.set(pod.identity.uid, pod);
    for (const [uid, end] of ended) this.#endedBefore.set(uid, end);
    this.#pending = pending;
    this.#seen = seen;
    this.#floor = hourOf(seen - this.#options.timing.late);
  }

  /** How many pods run. */
  get open(): number {
    return this.#open.size;
  }

  /** Up to when the presence of every pod is known. */
  get seen(): InstantNanos | undefined {
    return this.#seen;
  }

  /** Every pod that exists at `at`: one that was there before and is not in it has gone since it was last seen. */
  observeAll(pods: Iterable<KubePod>, at: InstantNanos): void {
    const present = new Set<string>();
    for (const pod of pods) {
      present.add(pod.metadata.uid);
      this.observe(pod, at);
    }
    for (const uid of [...this.#open.keys()]) if (!present.has(uid)) this.remove(uid, at);
    this.sight(at);
  }

  /** One pod as it is at `at`. */
  observe(pod: KubePod, at: InstantNanos): void {
    const { uid } = pod.metadata;
    if (this.#ended.has(uid) || this.#endedBefore.has(uid) || this.#open.get(uid)?.pod === pod) return;
    this.#options.faults.attempt(uid, () => {
      const interval = podInterval(pod);
      if (interval) this.#apply(pod, interval, at);
    });
  }

  /** A pod is gone; `last` is its last state where that is known. It is charged to the last time that it was seen. */
  remove(uid: string, at: InstantNanos, last?: KubePod): void {
    if (last) this.observe(last, at);
    const held = this.#open.get(uid);
    if (!held?.last) return;
    const end = later(held.last.start, this.#seen ?? at);
    this.#close(held, end, { unseenUntil: earlier(later(end, at), end + MOST_UNSEEN) });
  }

  /** Every pod that is not known to have gone was there at `at`. */
  sight(at: InstantNanos): void {
    this.#floor ??= hourOf(at);
    this.#seen = this.#seen === undefined ? at : later(this.#seen, at);
  }

  /** Usage of pods by `podUsageKey`, nano-units, as read at `at`. */
  usage(pods: UsageFigures["pods"], at: InstantNanos): void {
    for (const metered of this.#open.values()) {
      const metadata = metered.pod?.metadata;
      const used = metadata && pods.get(podUsageKey(metadata.namespace ?? "default", metadata.name));
      if (used) metered.reading(at, at + this.#options.timing.hold, toWireAmounts(used));
    }
  }

  /** Rows that must be told now. */
  tell(): readonly UsageRow[] {
    const seen = this.#seen;
    if (seen === undefined) return [];
    // Before, not after: what is told now must still be in the checkpoint.
    this.#forgetPast();
    const rows = this.#takePending();
    for (const pod of [...this.#open.values(), ...this.#ended.values()]) this.#tellPod(pod, seen, rows);
    return rows;
  }

  /** Rows that a restart needs: of every pod that runs, or ended in an hour that may still be told. */
  checkpoint(): readonly UsageRow[] {
    const seen = this.#seen;
    if (seen === undefined) return [];
    const pods = [...this.#open.values(), ...this.#ended.values()];
    const rows = pods.flatMap((pod) =>
      pod.intervals.flatMap((interval) =>
        interval.figures(seen).flatMap((figures) => pod.row(interval, figures, this.#options.mode) ?? []),
      ),
    );
    // Those of pods that had ended are in both: once is enough.
    const before = new Set([...this.#pending, ...[...this.#endedBefore.values()].flatMap((ended) => ended.rows)]);
    return [...before, ...rows];
  }

  #apply(pod: KubePod, { checked, endSource }: PodInterval, at: InstantNanos): void {
    const held = this.#open.get(pod.metadata.uid);
    if (checked.status === "quarantined") {
      // It was told as running: nothing of it is billed after all.
      if (held?.last) this.#close(held, held.last.start);
      throw checked.error;
    }
    const { start, end } = checked.interval;
    if (!held && end !== null && end <= this.#horizon(at)) return;
    const profile = chargedProfile(pod);
    const metered = held ?? this.#admit(pod, start, at);
    metered.update(pod, profile, at, this.#floor ?? at);
    if (end === null) return;
    // Nobody recorded when it ended: it ran as long as it was seen running.
    const known = held && endSource === "unknown" ? later(start, this.#seen ?? start) : end;
    this.#close(metered, known, { clamped: checked.status === "clamped" });
  }

  #admit(pod: KubePod, start: InstantNanos, at: InstantNanos): MeteredPod {
    const { uid, name } = pod.metadata;
    const interval = new MeteredInterval(start, this.#floor ?? hourOf(at));
    const metered = new MeteredPod({ uid, name, nodeName: pod.spec.nodeName ?? "" }, [interval]);
    this.#open.set(uid, metered);
    return metered;
  }

  #close(pod: MeteredPod, end: InstantNanos, options: { clamped?: boolean; unseenUntil?: InstantNanos } = {}): void {
    pod.attribute(this.#options.attribute);
    const { last } = pod;
    last?.close(later(end, last.start), options);
    this.#open.delete(pod.identity.uid);
    this.#ended.set(pod.identity.uid, pod);
  }

  #takePending(): UsageRow[] {
    const rows = this.#pendingTold ? [] : [...this.#pending];
    if (this.#pendingTold) this.#pending = [];
    this.#pendingTold = true;
    return rows;
  }

  #tellPod(pod: MeteredPod, seen: InstantNanos, rows: UsageRow[]): void {
    const { mode, timing, attribute, nodeUid } = this.#options;
    const due = pod.intervals.filter((interval) => interval.isDue(seen, timing.resend));
    if (due.length === 0) return;
    if (pod.end === null) pod.attribute(attribute);
    pod.nodeUid ??= nodeUid(pod.identity.nodeName);
    for (const interval of due) {
      for (const figures of interval.tell(seen, timing.late)) {
        const row = pod.row(interval, figures, mode);
        if (row) rows.push(row);
      }
    }
  }

  #forgetPast(): void {
    const horizon = this.#horizon(0n);
    for (const pod of this.#open.values()) pod.forget(horizon);
    for (const [uid, { last }] of this.#ended) if (last?.isPast(horizon)) this.#ended.delete(uid);
    for (const [uid, { end }] of this.#endedBefore) if (end <= horizon) this.#endedBefore.delete(uid);
  }

  /** A pod that ended before it, and is not known to run, was told long ago. */
  #horizon(at: InstantNanos): InstantNanos {
    const floor = this.#floor ?? hourOf(at);
    return this.#seen === undefined ? floor : later(floor, hourOf(this.#seen - this.#options.timing.late));
  }
}
