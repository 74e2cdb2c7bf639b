import type { DurationNanos } from "./instant.ts";

/** Lengths that a meter works by, nanoseconds; they may be changed while it runs. */
export interface MeterTiming {
  /** Running intervals are told again after this. */
  resend: DurationNanos;
  /** A reading of usage holds this long when no other follows. */
  hold: DurationNanos;
  /** What is heard of later than this after it happened is no longer exact. */
  late: DurationNanos;
}
