/** What a reader of envelopes accepts. Each is checked before the memory that it bounds is taken. */
export interface WireLimits {
  /** Serialized envelope. */
  readonly maxEnvelopeBytes: number;
  /** Batch message before the codec, by its declared length. */
  readonly maxRawBytes: number;
  readonly maxRows: number;
  /** Dictionary texts, identifiers, labels and table rows of a batch, each. */
  readonly maxDictionaryEntries: number;
  /** One dictionary text, UTF-8. */
  readonly maxTextBytes: number;
  /** Resources of a usage or node batch, blocks of a sample batch. */
  readonly maxResources: number;
  /** Cells of all columns together; a constant column costs as many as it has rows. */
  readonly maxCells: number;
  /** Points of time, milliseconds since 1970 UTC, both inclusive. */
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** An end this much before its start is clamped to the start and flagged; more is refused. Source: rules of metering. */
export const MAX_END_BEFORE_START_MS = 5_000;

/** Milliseconds of the UTC hour that usage and node rows are cut to. */
export const HOUR_MS = 3_600_000;

/** The limits of hub and agent unless set otherwise. A decoded batch at all of them takes about 100 MB. */
export const DEFAULT_WIRE_LIMITS: WireLimits = {
  maxEnvelopeBytes: 4 * 1024 * 1024,
  maxRawBytes: 16 * 1024 * 1024,
  maxRows: 50_000,
  maxDictionaryEntries: 100_000,
  maxTextBytes: 1_024,
  maxResources: 64,
  maxCells: 2_000_000,
  earliestMs: Date.UTC(2000, 0, 1),
  latestMs: Date.UTC(2200, 0, 1),
};
