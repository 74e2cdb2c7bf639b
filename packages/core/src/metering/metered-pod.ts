import type { KubePod } from "@plimsoll/contracts";
import type { Attribution, MeteringMode, UsageRow } from "@plimsoll/contracts/wire";
import { type ChargedProfile, isResized } from "./charged-profile.ts";
import type { InstantNanos } from "./instant.ts";
import type { HourFigures, MeteredInterval } from "./metered-interval.ts";
import type { PodAttribution } from "./pod-attribution.ts";
import { toMillis } from "./utc-hour.ts";
import type { WireAmounts } from "./wire-amounts.ts";

/** What a row says of a pod besides figures. */
export interface PodIdentity {
  readonly uid: string;
  readonly name: string;
  readonly nodeName: string;
}

/** One pod with its intervals: the last may be open; those before it ended by an in-place resize. */
export class MeteredPod {
  readonly identity: PodIdentity;
  readonly intervals: MeteredInterval[];
  nodeUid: string | null;
  #attribution: PodAttribution | undefined;
  #pod: KubePod | undefined;
  #profile: ChargedProfile | undefined;

  constructor(
    identity: PodIdentity,
    intervals: MeteredInterval[],
    known: Partial<Pick<UsageRow, "nodeUid" | "attribution">> = {},
  ) {
    this.identity = identity;
    this.intervals = intervals;
    this.nodeUid = known.nodeUid ?? null;
    this.#attribution = known.attribution && { attribution: known.attribution, complete: false };
  }

  /** The object as last seen; undefined after a restart, until it is seen again. */
  get pod(): KubePod | undefined {
    return this.#pod;
  }

  /** The interval that is open, or the last one. */
  get last(): MeteredInterval | undefined {
    return this.intervals.at(-1);
  }

  /** When it ended; null while it runs. */
  get end(): InstantNanos | null {
    return this.last?.end ?? null;
  }

  /** Takes a newer look at the object: an in-place resize opens a new interval at `at`. */
  update(pod: KubePod, profile: ChargedProfile, at: InstantNanos, floor: InstantNanos): void {
    const { last } = this;
    const before = this.#profile;
    this.#pod = pod;
    this.#profile = profile;
    if (!last) return;
    if (!before) last.request(profile, last.start);
    else if (isResized(before, profile)) this.#resize(last, profile, at, floor);
    else if (before.running === null) last.initialized(profile, at);
  }

  /** Lets go of intervals, ended by a resize, that cannot be told any more. */
  forget(horizon: InstantNanos): void {
    while (this.intervals.length > 1 && this.intervals[0]?.isPast(horizon)) this.intervals.shift();
  }

  /** Usage as read at `from`, for the open interval. */
  reading(from: InstantNanos, until: InstantNanos, amounts: WireAmounts): void {
    if (this.last?.end === null) this.last.reading(from, until, amounts);
  }

  /** Asks again whom it belongs to; an answer that knows less than the one before does not replace it. */
  attribute(ask: (pod: KubePod) => PodAttribution): void {
    if (!this.#pod) return;
    const answer = ask(this.#pod);
    if (answer.complete || !this.#attribution?.complete) this.#attribution = answer;
  }

  /** A row of one of its intervals; undefined before anybody said whom it belongs to. */
  row(interval: MeteredInterval, figures: HourFigures, mode: MeteringMode): UsageRow | undefined {
    const attribution: Attribution | undefined = this.#attribution?.attribution;
    return (
      attribution && {
        podUid: this.identity.uid,
        intervalStartMs: toMillis(interval.start),
        hourStartMs: toMillis(figures.hour),
        asOfMs: toMillis(figures.asOf),
        intervalEndMs: interval.end === null ? null : toMillis(interval.end),
        clamped: interval.clamped,
        billedMs: toMillis(figures.billed),
        unseenMs: toMillis(figures.unseen),
        mode,
        podName: this.identity.name,
        nodeName: this.identity.nodeName,
        nodeUid: this.nodeUid,
        attribution,
        resources: figures.resources,
      }
    );
  }

  #resize(last: MeteredInterval, profile: ChargedProfile, at: InstantNanos, floor: InstantNanos): void {
    // Two sizes within one instant: the later one counts.
    if (at <= last.start) {
      last.request(profile, last.start);
      return;
    }
    const next = last.next(at, floor);
    last.close(at);
    next.request(profile, at);
    this.intervals.push(next);
  }
}
