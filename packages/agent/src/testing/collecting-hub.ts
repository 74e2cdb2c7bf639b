import { type Batch, fromDynamicReport, openEnvelope, parseEnvelope } from "@plimsoll/contracts/wire";
import { type FakeHub, startFakeHub } from "./fake-hub.ts";
import { ack, ingestWelcome, welcome } from "./messages.ts";
import type { TestAuthority } from "./test-authority.ts";

/** A hub that keeps what it is sent: of each spool the greatest sequence without a hole is acknowledged. */
export interface CollectingHub extends FakeHub {
  /** Batches in order of arrival, each identity once. */
  readonly batches: (Batch & { readonly spoolId: string; readonly sequence: number })[];
  readonly reports: ReturnType<typeof fromDynamicReport>[];
  /** How many envelopes came again. */
  repeats: number;
  /** Is anything acknowledged? */
  acknowledging: boolean;
}

/** `now` is the hub's clock. */
export async function startCollectingHub(
  authority: TestAuthority,
  now: () => number,
  port = 0,
): Promise<CollectingHub> {
  const seen = new Map<string, Set<number>>();
  const hub: CollectingHub = Object.assign(await startFakeHub(authority, port), {
    batches: [],
    reports: [],
    repeats: 0,
    acknowledging: true,
  });
  const contiguous = (spoolId: string): number => {
    let mark = 0;
    while (seen.get(spoolId)?.has(mark + 1)) mark += 1;
    return mark;
  };
  hub.onControl = ({ case: kind, value }, stream) => {
    const hubClockMs = BigInt(Math.round(now()));
    if (kind === "hello") stream.say(welcome({ hubClockMs, sessionEpoch: BigInt(hub.controls.length) }));
    if (kind === "dynamicReport") hub.reports.push(fromDynamicReport(value));
    if (kind !== "heartbeat") return;
    const answer = { $typeName: "plimsoll.v1.HeartbeatAnswer" as const, agentClockMs: value.agentClockMs, hubClockMs };
    stream.say({ case: "heartbeatAnswer", value: answer });
  };
  hub.onIngest = ({ case: kind, value }, stream) => {
    if (kind === "hello") stream.say(ingestWelcome({ windowBatches: 4, hubClockMs: BigInt(Math.round(now())) }));
    if (kind !== "envelope") return;
    const envelope = parseEnvelope(value);
    const { spoolId, sequence } = envelope.key;
    const held = seen.get(spoolId) ?? new Set<number>();
    seen.set(spoolId, held);
    if (held.has(sequence)) hub.repeats += 1;
    else hub.batches.push({ ...openEnvelope(envelope), spoolId, sequence });
    held.add(sequence);
    if (hub.acknowledging) stream.say(ack(spoolId, contiguous(spoolId)));
  };
  return hub;
}
