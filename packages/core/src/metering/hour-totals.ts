import type { UsageIntegrals } from "@plimsoll/contracts/wire";
import { type DurationNanos, NANOS_PER_SECOND } from "./instant.ts";
import { toMillis } from "./utc-hour.ts";
import type { WireAmounts } from "./wire-amounts.ts";

/** Integrals of one resource: wire units × nanoseconds, exact. `covered` = how long usage was known. */
export interface ResourceTotals {
  readonly request: bigint;
  readonly usage: bigint;
  readonly charged: bigint;
  readonly covered: DurationNanos;
}

/** Integrals of one hour by resource, with what the hours before left over of a whole unit-second. */
export type HourTotals = ReadonlyMap<string, ResourceTotals>;

const ZERO: ResourceTotals = { request: 0n, usage: 0n, charged: 0n, covered: 0n };

/** Adds a stretch of time in which request and usage did not change; `usage` undefined = unknown: the request is charged. */
export function addStretch(
  totals: Map<string, ResourceTotals>,
  length: DurationNanos,
  request: WireAmounts,
  usage: WireAmounts | undefined,
): void {
  for (const [name, amount] of request) addTo(totals, name, length, amount, usage?.get(name));
  for (const [name, amount] of usage ?? []) if (!request.has(name)) addTo(totals, name, length, 0n, amount);
}

function addTo(
  totals: Map<string, ResourceTotals>,
  name: string,
  length: DurationNanos,
  request: bigint,
  usage: bigint | undefined,
): void {
  const held = totals.get(name) ?? ZERO;
  const used = usage ?? 0n;
  totals.set(name, {
    request: held.request + request * length,
    usage: held.usage + used * length,
    charged: held.charged + (used > request ? used : request) * length,
    covered: held.covered + (usage === undefined ? 0n : length),
  });
}

/** What the next hour starts with: the parts of a unit-second that this hour's row could not show. */
export function carryOver(totals: HourTotals): Map<string, ResourceTotals> {
  const rest = (value: bigint): bigint => value % NANOS_PER_SECOND;
  const carried = new Map<string, ResourceTotals>();
  for (const [name, { request, usage, charged }] of totals) {
    const left = { request: rest(request), usage: rest(usage), charged: rest(charged), covered: 0n };
    if (left.request + left.usage + left.charged > 0n) carried.set(name, left);
  }
  return carried;
}

/** Totals as a row shows them: whole unit-seconds, rounded down once; what is lost here the next hour carries. */
export function toIntegrals(totals: HourTotals): ReadonlyMap<string, UsageIntegrals> {
  const integrals = new Map<string, UsageIntegrals>();
  for (const [name, { request, usage, charged, covered }] of totals) {
    const shown = {
      request: request / NANOS_PER_SECOND,
      usage: usage / NANOS_PER_SECOND,
      charged: charged / NANOS_PER_SECOND,
      usageCoveredMs: toMillis(covered),
    };
    if (shown.request + shown.usage + shown.charged > 0n || covered > 0n) integrals.set(name, shown);
  }
  return integrals;
}

/** The totals that a row stands for. */
export function fromIntegrals(integrals: ReadonlyMap<string, UsageIntegrals>): HourTotals {
  const exact = ({ request, usage, charged, usageCoveredMs }: UsageIntegrals): ResourceTotals => ({
    request: request * NANOS_PER_SECOND,
    usage: usage * NANOS_PER_SECOND,
    charged: charged * NANOS_PER_SECOND,
    covered: BigInt(usageCoveredMs) * 1_000_000n,
  });
  return new Map([...integrals].map(([name, value]) => [name, exact(value)]));
}

/**
 * Totals of the first `part` of a time `whole` whose details are gone: `request` is exact, usage and what was charged above
 * the request are taken as evenly spread.
 */
export function cutTotals(
  totals: HourTotals,
  request: ReadonlyMap<string, bigint>,
  part: DurationNanos,
  whole: DurationNanos,
): Map<string, ResourceTotals> {
  const share = (value: bigint): bigint => (value * part) / whole;
  return new Map(
    [...totals].map(([name, held]) => {
      const requested = request.get(name) ?? 0n;
      const above = held.charged - held.request;
      const charged = requested + share(above);
      return [name, { request: requested, usage: share(held.usage), charged, covered: share(held.covered) }];
    }),
  );
}
