import fc from "fast-check";
import { GAP_REASONS, type GapRow } from "../gap-row.ts";
import { HOUR_MS } from "../limits.ts";
import type { NodeRow } from "../node-row.ts";
import type { SampleRow } from "../sample-row.ts";
import { type Attribution, LABEL_SOURCES, METERING_MODES, type UsageIntegrals, type UsageRow } from "../usage-row.ts";

/** Rows as agents may make them, the borders of every range among them: inputs of the property tests. */

const MAX_INT64 = 2n ** 63n - 1n;
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: "grapheme", maxLength: 8 }), fc.constant(""));
const optionalText = fc.option(text, { nil: null });
const identifier = fc.oneof({ weight: 4, arbitrary: fc.uuid() }, { weight: 1, arbitrary: text });
const int64 = fc.oneof(fc.bigInt(0n, MAX_INT64), fc.bigInt(0n, 10n ** 13n), fc.constantFrom(0n, 1n, MAX_INT64));
const safe = fc.oneof(fc.maxSafeNat(), fc.nat(1000), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
const time = fc.integer({ min: EARLIEST, max: LATEST });
const hour = fc.integer({ min: EARLIEST / HOUR_MS, max: LATEST / HOUR_MS - 1 }).map((hours) => hours * HOUR_MS);
const withinHour = fc.nat(HOUR_MS);
const resource = fc.oneof(fc.constantFrom("cpu", "memory", "nvidia.com/gpu", "ephemeral-storage"), text);

function endOf(start: number): fc.Arbitrary<number | null> {
  return fc.option(fc.nat(LATEST - start), { nil: null }).map((length) => (length === null ? null : start + length));
}

function mapOf<V>(value: fc.Arbitrary<V>): fc.Arbitrary<ReadonlyMap<string, V>> {
  return fc.array(fc.tuple(resource, value), { maxLength: 4 }).map((pairs) => new Map(pairs));
}

const attribution: fc.Arbitrary<Attribution> = fc.record({
  namespace: text,
  workloadType: fc.constantFrom("Deployment", "CronJob", "Pod"),
  workloadName: text,
  costCenter: optionalText,
  env: optionalText,
  ownerTeam: optionalText,
  labelSource: fc.constantFrom(...LABEL_SOURCES),
  labels: fc.dictionary(fc.oneof(text, fc.constant("__proto__")), text, { maxKeys: 5, noNullPrototype: true }),
});

const integrals: fc.Arbitrary<UsageIntegrals> = fc.record({
  request: int64,
  usage: int64,
  charged: int64,
  usageCoveredMs: withinHour,
});

const usageRow: fc.Arbitrary<UsageRow> = fc
  .record({ hourStartMs: hour, intervalStartMs: time, asOf: withinHour })
  .chain(({ hourStartMs, intervalStartMs, asOf }) =>
    fc.record({
      podUid: identifier,
      intervalStartMs: fc.constant(intervalStartMs),
      hourStartMs: fc.constant(hourStartMs),
      asOfMs: fc.constant(hourStartMs + asOf),
      intervalEndMs: endOf(intervalStartMs),
      clamped: fc.boolean(),
      billedMs: withinHour,
      unseenMs: withinHour,
      mode: fc.constantFrom(...METERING_MODES),
      podName: text,
      nodeName: text,
      nodeUid: fc.option(identifier, { nil: null }),
      attribution,
      resources: mapOf(integrals),
    }),
  );

const nodeRow: fc.Arbitrary<NodeRow> = fc
  .record({ hourStartMs: hour, createdMs: time, asOf: withinHour })
  .chain(({ hourStartMs, createdMs, asOf }) =>
    fc.record({
      nodeUid: identifier,
      hourStartMs: fc.constant(hourStartMs),
      asOfMs: fc.constant(hourStartMs + asOf),
      nodeName: text,
      createdMs: fc.constant(createdMs),
      deletedMs: endOf(createdMs),
      instanceType: optionalText,
      region: optionalText,
      zone: optionalText,
      pool: optionalText,
      machineDeployment: optionalText,
      providerId: optionalText,
      spot: fc.boolean(),
      virtual: fc.boolean(),
      presentMs: withinHour,
      schedulableMs: withinHour,
      resources: mapOf(fc.record({ capacity: int64, allocatable: int64 })),
    }),
  );

const gapRow: fc.Arbitrary<GapRow> = time.chain((startMs) =>
  fc.record({
    startMs: fc.constant(startMs),
    endMs: endOf(startMs),
    asOfMs: time,
    reason: fc.constantFrom(...GAP_REASONS, "a_word_of_later_1"),
    missing: fc.constantFrom(null, "usage", "sample", "later_kind"),
    subject: optionalText,
    detail: optionalText,
    lostBatches: safe,
    lostRows: safe,
    lostBytes: safe,
    lostSequences: fc.option(
      fc.record({ spoolId: text, first: fc.nat(1000), length: fc.nat(1000) }).map(({ spoolId, first, length }) => ({
        spoolId,
        first,
        last: first + length,
      })),
      { nil: null },
    ),
  }),
);

const used = fc.oneof(
  fc.constant({ usedMin: null, usedAvg: null, usedMax: null, readings: 0 }),
  fc.record({ figures: fc.tuple(safe, safe, safe), readings: fc.integer({ min: 1, max: 300 }) }).map((made) => {
    const [usedMin = 0, usedAvg = 0, usedMax = 0] = made.figures.toSorted((a, b) => a - b);
    return { usedMin, usedAvg, usedMax, readings: made.readings };
  }),
);

const sampleRow: fc.Arbitrary<SampleRow> = fc
  .record({
    subject: fc.oneof(
      fc.record({ scope: fc.constant("node" as const), subject: identifier }),
      fc.record({ scope: fc.constant("namespace" as const), subject: text }),
      fc.constant({ scope: "cluster" as const, subject: "" }),
    ),
    resource,
    windowMs: fc.constantFrom(60_000, 300_000, HOUR_MS),
    start: time,
    requested: fc.option(safe, { nil: null }),
    used,
  })
  .map((made) => ({
    ...made.subject,
    resource: made.resource,
    windowStartMs: Math.ceil(made.start / made.windowMs) * made.windowMs,
    windowMs: made.windowMs,
    requested: made.requested,
    ...made.used,
  }))
  .filter((row) => row.windowStartMs <= LATEST);

/** Rows of each kind, none to thirty of them. */
export const arbitraryRows = {
  usage: fc.array(usageRow, { maxLength: 30 }),
  node: fc.array(nodeRow, { maxLength: 30 }),
  gap: fc.array(gapRow, { maxLength: 30 }),
  sample: fc.array(sampleRow, { maxLength: 30 }),
};
