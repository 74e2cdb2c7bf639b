import type { Clock } from "@plimsoll/collect";

/** The hub's time as the agent knows it: its own clock and a measured offset. Nothing is decided by it but which hour a fact is of. */
export interface HubClock {
  /** Milliseconds since 1970 UTC by hub time; by the own clock until an offset was measured. */
  now(): number;
  /** Hub time − own time in milliseconds; null = not measured yet. */
  readonly offsetMs: number | null;
  /** Length of the last round trip, milliseconds; 0 = not measured. */
  readonly roundTripMs: number;
  /** Takes a measurement: a message sent at `sentMs` (own clock) was answered by `hubMs`, and the answer is here now. */
  measure(sentMs: number, hubMs: number): void;
}

/** Of this many measurements the one of the shortest round trip counts: it can be wrong by half of that at most. */
const KEPT = 8;

interface Measurement {
  readonly roundTripMs: number;
  readonly offsetMs: number;
}

/** A clock that knows no offset yet. */
export function createHubClock(clock: Clock): HubClock {
  let measured: Measurement[] = [];
  const best = () =>
    measured.reduce((least, one) => (one.roundTripMs < least.roundTripMs ? one : least), measured[0] ?? NONE);
  return {
    now: () => clock.now() + (measured.length === 0 ? 0 : best().offsetMs),
    get offsetMs() {
      return measured.length === 0 ? null : best().offsetMs;
    },
    get roundTripMs() {
      return measured.at(-1)?.roundTripMs ?? 0;
    },
    measure(sentMs, hubMs) {
      const roundTripMs = clock.now() - sentMs;
      // The own clock was set back meanwhile: the measurement says nothing.
      if (roundTripMs < 0) return;
      const latest = { roundTripMs, offsetMs: Math.round(hubMs - (sentMs + roundTripMs / 2)) };
      // Those that cannot be true together with it are of before a jump of the own clock.
      measured = [...measured.filter((earlier) => agree(earlier, latest)), latest].slice(-KEPT);
    },
  };
}

/** Each is wrong by half of its round trip at most, and by a millisecond of rounding. */
function agree(a: Measurement, b: Measurement): boolean {
  return Math.abs(a.offsetMs - b.offsetMs) <= (a.roundTripMs + b.roundTripMs) / 2 + 1;
}

const NONE: Measurement = { roundTripMs: 0, offsetMs: 0 };
