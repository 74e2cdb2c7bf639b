import type { UsageIntegrals } from "@plimsoll/contracts/wire";
import type { ChargedProfile } from "./charged-profile.ts";
import {
  addStretch,
  carryOver,
  cutTotals,
  fromIntegrals,
  type HourTotals,
  type ResourceTotals,
  toIntegrals,
} from "./hour-totals.ts";
import { type DurationNanos, earlier, type InstantNanos, later } from "./instant.ts";
import { billedDuration } from "./usage-interval.ts";
import { HOUR, hourOf } from "./utc-hour.ts";
import { NO_AMOUNTS, type WireAmounts } from "./wire-amounts.ts";

/** What one interval comes to in one UTC hour, up to `asOf`. */
export interface HourFigures {
  readonly hour: InstantNanos;
  readonly asOf: InstantNanos;
  readonly billed: DurationNanos;
  readonly unseen: DurationNanos;
  readonly resources: ReadonlyMap<string, UsageIntegrals>;
}

interface Request {
  readonly from: InstantNanos;
  readonly amounts: WireAmounts;
}

/** A reading of usage; it holds until the next one, at most until it is too old. */
interface Reading {
  readonly from: InstantNanos;
  until: InstantNanos;
  readonly amounts: WireAmounts;
}

/**
 * One usage interval and its integrals, hour by hour. Everything up to `settled` is summed in `base`; what came later is
 * kept in detail, so that an end or an Initialized that is heard of late still falls where it happened. Hours are told
 * again, cumulative, until they cannot change any more.
 */
export class MeteredInterval {
  readonly start: InstantNanos;
  #end: InstantNanos | null = null;
  #clamped = false;
  /** It may have run on, unseen, until then. */
  #unseenUntil: InstantNanos;
  #requests: Request[] = [];
  #readings: Reading[] = [];
  #settled: InstantNanos;
  #base: HourTotals = new Map();
  /** How far it was told; before the first time its start. */
  #toldTo: InstantNanos;
  /** Rows of hours that reach beyond this instant differ from what was told. */
  #dirtyFrom: InstantNanos;
  #untold = true;

  /** Nothing before the UTC hour of `floor` is metered. */
  constructor(start: InstantNanos, floor: InstantNanos) {
    this.start = start;
    this.#settled = later(start, hourOf(floor));
    this.#unseenUntil = start;
    this.#toldTo = start;
    this.#dirtyFrom = this.#settled;
  }

  /** An open interval as its latest row left it, to be told again and continued. */
  static resume(start: InstantNanos, row: Pick<HourFigures, "hour" | "asOf" | "resources">): MeteredInterval {
    const interval = new MeteredInterval(start, row.hour);
    interval.#settled = later(row.asOf, interval.#settled);
    interval.#base = fromIntegrals(row.resources);
    interval.#toldTo = row.asOf;
    return interval;
  }

  get end(): InstantNanos | null {
    return this.#end;
  }

  get clamped(): boolean {
    return this.#clamped;
  }

  /** What is requested from `from` on, and less from the moment that init containers are done. */
  request(profile: ChargedProfile, from: InstantNanos): void {
    this.#requests = [{ from, amounts: profile.reserved }];
    this.initialized(profile, from);
  }

  /** The pod's ordinary init containers are done: from then on R is charged; from `seenAt` where nobody says when. */
  initialized({ running, initializedAt }: ChargedProfile, seenAt: InstantNanos): void {
    const first = this.#requests[0];
    if (!first || running === null || running === first.amounts) return;
    const at = later(initializedAt ?? seenAt, later(first.from, this.#settled));
    this.#requests = at === first.from ? [{ from: at, amounts: running }] : [first, { from: at, amounts: running }];
    this.#dirtyFrom = earlier(this.#dirtyFrom, at);
  }

  /** Usage as read at `from`. Readings come in order. */
  reading(from: InstantNanos, until: InstantNanos, amounts: WireAmounts): void {
    const last = this.#readings.at(-1);
    if (last && last.until > from) last.until = later(last.from, from);
    this.#readings.push({ from: later(from, this.#settled), until, amounts });
    this.#dirtyFrom = earlier(this.#dirtyFrom, from);
  }

  /** An interval of the same pod from `at` on; the usage that is known then goes on. */
  next(at: InstantNanos, floor: InstantNanos): MeteredInterval {
    const next = new MeteredInterval(at, floor);
    const held = this.#readings.findLast(({ from, until }) => from <= at && at < until);
    if (held) next.reading(at, held.until, held.amounts);
    return next;
  }

  /** Ends it. `unseenUntil` later than the end = nobody saw whether it ran on until then. */
  close(end: InstantNanos, options: { readonly clamped?: boolean; readonly unseenUntil?: InstantNanos } = {}): void {
    if (end < this.#settled) this.#reopen(end);
    this.#end = end;
    this.#clamped = options.clamped ?? false;
    this.#unseenUntil = later(end, options.unseenUntil ?? end);
    // The hour that the end lies in is told anew, even when it was told up to its very end.
    this.#dirtyFrom = earlier(this.#dirtyFrom, end - 1n);
    this.#untold = true;
  }

  /** Is it over, told, and of no hour that may be told again? */
  isPast(horizon: InstantNanos): boolean {
    return this.#end !== null && !this.#untold && this.#end <= horizon;
  }

  /** Must it be told now: new, closed, an hour over, or told longer ago than `resend`? */
  isDue(seen: InstantNanos, resend: DurationNanos): boolean {
    if (this.#end !== null) return this.#untold;
    const horizon = later(seen, this.start);
    if (this.#untold) return horizon > this.start;
    return horizon - this.#toldTo >= resend || this.#toldTo < hourOf(horizon);
  }

  /** The figures of every hour that differ from what was told before; from now on they count as told. */
  tell(seen: InstantNanos, late: DurationNanos): readonly HourFigures[] {
    if (this.#end === null) this.#settle(this.#toldTo - late);
    const figures = this.figures(seen).filter(({ hour }) => hour + HOUR > this.#dirtyFrom);
    this.#toldTo = later(this.#toldTo, this.#horizon(seen));
    this.#dirtyFrom = this.#toldTo;
    this.#untold = false;
    return figures;
  }

  /** The figures of every hour that may still change, and of those told last. */
  figures(seen: InstantNanos): readonly HourFigures[] {
    const asOf = later(seen, this.#end ?? this.start);
    const horizon = this.#horizon(seen);
    const hours = this.#hours(horizon, later(later(horizon, this.#unseenUntil), this.#toldTo));
    // An open interval has no row of an hour that it has not come to.
    return hours
      .filter(({ hour }) => this.#end !== null || hour < horizon)
      .map(({ hour, totals }) => ({
        hour,
        asOf: earlier(later(asOf, hour), hour + HOUR),
        billed: billedDuration({ start: this.start, end: horizon }, { start: hour, end: hour + HOUR }),
        unseen: this.#unseenIn(hour),
        resources: toIntegrals(totals),
      }));
  }

  #horizon(seen: InstantNanos): InstantNanos {
    return this.#end ?? later(seen, this.start);
  }

  #unseenIn(hour: InstantNanos): DurationNanos {
    if (this.#end === null) return 0n;
    return billedDuration({ start: this.#end, end: this.#unseenUntil }, { start: hour, end: hour + HOUR });
  }

  /** The totals of the hours up to `last`; nothing is added beyond `horizon`. */
  #hours(
    horizon: InstantNanos,
    last: InstantNanos,
  ): readonly { readonly hour: InstantNanos; readonly totals: HourTotals }[] {
    const hours: { hour: InstantNanos; totals: HourTotals }[] = [];
    let totals = new Map(this.#base);
    let from = this.#settled;
    for (let hour = hourOf(from); ; hour += HOUR) {
      this.#integrate(totals, from, earlier(hour + HOUR, horizon));
      hours.push({ hour, totals });
      if (hour + HOUR >= last) return hours;
      from = hour + HOUR;
      totals = carryOver(totals);
    }
  }

  /** Sums up what is older than `to`; it was told. */
  #settle(to: InstantNanos): void {
    if (to <= this.#settled) return;
    const last = this.#hours(to, to).at(-1);
    if (!last) return;
    this.#base = last.hour + HOUR === to ? carryOver(last.totals) : last.totals;
    this.#settled = to;
    this.#readings = this.#readings.filter(({ until }) => until > to);
  }

  /** An end in time that is summed up already: the sum is cut there. */
  #reopen(end: InstantNanos): void {
    const hour = hourOf(this.#settled);
    const begin = later(this.start, hour);
    if (hourOf(end) === hour && this.#settled > begin) {
      const request = this.#requestIn(begin, end);
      this.#base = cutTotals(this.#base, request, end > begin ? end - begin : 0n, this.#settled - begin);
      this.#settled = end;
    } else {
      // Usage of that hour is not known any more: the request is charged.
      this.#base = new Map();
      this.#settled = later(this.start, hourOf(end));
    }
    this.#readings = [];
  }

  #requestIn(from: InstantNanos, to: InstantNanos): ReadonlyMap<string, bigint> {
    const totals = new Map<string, ResourceTotals>();
    this.#integrate(totals, from, to);
    return new Map([...totals].map(([name, { request }]) => [name, request]));
  }

  #integrate(totals: Map<string, ResourceTotals>, from: InstantNanos, to: InstantNanos): void {
    for (let at = from; at < to; ) {
      const next = this.#nextChange(at, to);
      addStretch(totals, next - at, this.#requestAt(at), this.#usageAt(at));
      at = next;
    }
  }

  #nextChange(at: InstantNanos, to: InstantNanos): InstantNanos {
    let next = to;
    for (const { from } of this.#requests) if (from > at && from < next) next = from;
    for (const { from, until } of this.#readings) {
      if (from > at && from < next) next = from;
      if (until > at && until < next) next = until;
    }
    return next;
  }

  #requestAt(at: InstantNanos): WireAmounts {
    return this.#requests.findLast(({ from }) => from <= at)?.amounts ?? this.#requests[0]?.amounts ?? NO_AMOUNTS;
  }

  #usageAt(at: InstantNanos): WireAmounts | undefined {
    return this.#readings.findLast(({ from, until }) => from <= at && at < until)?.amounts;
  }
}
