import type { Random } from "@plimsoll/collect";

/**
 * What the streams of agents may take of a hub: the one place where these bounds are written down. Sizes of one batch are
 * in `DEFAULT_WIRE_LIMITS`, what ingest holds behind the streams in `createIngest`. Printed in docs/reference/stream-bounds.md.
 */
export const STREAM_BOUNDS = {
  /** Bytes of batches received and not yet answered, over all data streams; one message of each stream may come on top. */
  ingestBytes: 48 * 1024 * 1024,
  /** Of one cluster's data streams, while there is room; it shrinks to a fair share of what is free. */
  ingestBytesOfCluster: 8 * 1024 * 1024,
  /** The same for control streams. */
  controlBytes: 16 * 1024 * 1024,
  controlBytesOfCluster: 512 * 1024,
  /** Unacknowledged batches that one agent may have on the way: this many in a small fleet … */
  windowBatches: 64,
  windowBytes: 8 * 1024 * 1024,
  /** … and the fleet's share of these in a large one, down to the least. */
  fleetBatches: 4_000,
  fleetBytes: 128 * 1024 * 1024,
  leastWindowBatches: 8,
  leastWindowBytes: 256 * 1024,
  /** Streams at once; an agent has two. Of one cluster: leftovers of cut connections count until they are found dead. */
  streams: 4_000,
  streamsOfCluster: 12,
  /** Spools of one agent that are told their marks: it has one of each kind (gap, usage, node, sample), after losses a few more. */
  spools: 16,
  /** How long an opened stream may be silent before its hello, milliseconds. */
  helloWithinMs: 10_000,
  /** How long a peer may leave its answers unread, milliseconds. */
  answersWithinMs: 30_000,
  /** Messages to one agent that wait because it does not read. */
  unsentMessages: 500,
  /** Control messages a second that one agent is listened to, after a burst; a good one sends one in ten seconds. */
  controlMessagesPerSecond: 5,
  controlMessageBurst: 60,
  /** Control messages of one stream that may be refused before the stream is. */
  controlFaults: 10,
  /** A stream is asked to connect anew at this age, give or take a quarter, milliseconds: evens out several hubs. */
  moveAtAgeMs: 6 * 3_600_000,
  /** A pause that a busy hub asks for, milliseconds: the least, and up to this much more, by chance and by how busy it is. */
  busyPauseMs: 1_000,
  busySpreadMs: 9_000,
} as const;

/** What one agent of a fleet may have on the way unacknowledged. One batch that is larger goes alone. */
export function windowFor(clusters: number): { readonly batches: number; readonly bytes: number } {
  const { fleetBatches, fleetBytes, leastWindowBatches, leastWindowBytes, windowBatches, windowBytes } = STREAM_BOUNDS;
  const share = (whole: number, least: number, most: number): number =>
    Math.min(Math.max(Math.floor(whole / Math.max(clusters, 1)), least), most);
  return {
    batches: share(fleetBatches, leastWindowBatches, windowBatches),
    bytes: share(fleetBytes, leastWindowBytes, windowBytes),
  };
}

/**
 * How long a new data stream is asked to stay away, milliseconds: 0 unless the hub holds all that it may; then by chance, so
 * that many do not come back together, and longer the more it holds.
 */
export function busyPauseMs(of: { readonly intake: { readonly pressure: number }; readonly random: Random }): number {
  const { pressure } = of.intake;
  if (pressure < 1) return 0;
  return Math.round(STREAM_BOUNDS.busyPauseMs + of.random() * Math.min(pressure, 2) * STREAM_BOUNDS.busySpreadMs);
}
