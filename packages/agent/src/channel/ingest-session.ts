import {
  type Ack,
  create,
  fromAck,
  type IngestAnswer,
  type IngestRequest,
  IngestRequestSchema,
  type IngestWelcome,
  type Reject,
  type SpoolMark,
} from "@plimsoll/contracts/wire";
import type { ReadBatch, SpooledBatch, SpoolReader } from "../spool/spool.ts";
import type { IngestNeeds } from "./ingest-client.ts";
import type { SessionHandler } from "./run-session.ts";
import { endOf, lostBy, type SessionEnd } from "./session-end.ts";

const WELCOME_MS = 10_000;
/** A hub that acknowledges nothing for this long, while something is on the way, is taken to be gone. */
const ACK_MS = 60_000;
/** This share of the window, in bytes and in batches, is kept for what is live: it never waits behind back-fill. */
const LIVE_SHARE = 0.25;
/** With nothing on the way it may be silent for ever: the keepalive of the connection finds a dead one. */
const IDLE_MS = 24 * 3_600_000;

/** One session on the data stream: as much of the spool on the way as the hub's window takes, until it is acknowledged. */
export class IngestSession implements SessionHandler<IngestRequest, IngestAnswer> {
  readonly #needs: IngestNeeds;
  readonly #welcomed: () => void;
  readonly #reader: SpoolReader;
  /** What is on the way, by spool and sequence. */
  readonly #flying = new Map<string, ReadBatch>();
  #window: { readonly bytes: number; readonly batches: number } | undefined;
  #send: (message: IngestRequest) => boolean = () => false;
  #end: (end: SessionEnd) => void = () => {};
  #cancelAckWatch: () => void = () => {};
  #helloMs = 0;
  #pumping = false;
  #again = false;
  #clogged = false;

  constructor(needs: IngestNeeds, welcomed: () => void) {
    this.#needs = needs;
    this.#welcomed = welcomed;
    this.#reader = needs.spool.reader();
  }

  begin(send: (message: IngestRequest) => boolean, end: (end: SessionEnd) => void): void {
    this.#send = send;
    this.#end = end;
    const { identity, instance, agentVersion, session, spool, clock } = this.#needs;
    this.#helloMs = clock.now();
    send(
      create(IngestRequestSchema, {
        body: {
          case: "hello",
          value: {
            clusterId: identity.clusterId,
            incarnation: identity.incarnation,
            agentVersion,
            instance,
            sessionEpoch: session.epoch,
            spools: [...spool.states()],
          },
        },
      }),
    );
  }

  silenceMs(): number {
    return this.#window ? IDLE_MS : WELCOME_MS;
  }

  async message({ body }: IngestAnswer): Promise<SessionEnd | undefined> {
    switch (body.case) {
      case "welcome":
        return this.#begin(body.value);
      case "ack":
        return this.#acknowledge([body.value]);
      case "reject":
        return this.#putAside(body.value);
      case undefined:
        return undefined;
      default:
        return endOf(body);
    }
  }

  close(): void {
    this.#reader.close();
    this.#cancelAckWatch();
    this.#window = undefined;
    this.#send = () => false;
  }

  /** There may be something to send, or room to send it. */
  wake(): void {
    this.#clogged = false;
    this.#again = true;
    if (!this.#pumping) this.#pump().catch((error: unknown) => this.#end(lostBy(error)));
  }

  async #begin(welcome: IngestWelcome): Promise<undefined> {
    // The hub's time is known by this stream too, for when control is not there.
    if (welcome.hubClockMs > 0n) this.#needs.hubClock.measure(this.#helloMs, Number(welcome.hubClockMs));
    await this.#acknowledge(welcome.marks);
    this.#window = {
      bytes: Number(welcome.windowBytes) || 1,
      batches: welcome.windowBatches || 1,
    };
    this.#welcomed();
    this.wake();
  }

  async #acknowledge(acks: readonly Ack[]): Promise<undefined> {
    for (const ack of acks) {
      const mark = fromAck(ack);
      await this.#needs.spool.acknowledge(mark);
      for (const batch of this.#flying.values()) if (covers(mark, batch)) this.#land(batch, "batches_acknowledged");
    }
    this.wake();
  }

  async #putAside({ spoolId, sequence, code, message }: Reject): Promise<undefined> {
    const batch = this.#flying.get(`${spoolId} ${sequence}`);
    if (!batch) return;
    await this.#needs.quarantine(batch, code, message);
    await this.#needs.spool.forget(batch);
    this.#land(batch, "batches_rejected");
    this.wake();
  }

  /** Sends while the window and the stream take it. One runs at a time; `wake` lets it look again. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    try {
      while (this.#again) {
        this.#again = false;
        for (let batch = await this.#next(); batch; batch = await this.#next()) this.#launch(batch);
      }
    } finally {
      this.#pumping = false;
    }
  }

  /** The next batch that fits into the window; one that is larger than all of it goes alone. */
  async #next(): Promise<ReadBatch | undefined> {
    if (!this.#window || this.#clogged) return undefined;
    if (this.#flying.size === 0) return this.#reader.next();
    const { bytes, batches } = this.#window;
    const all = sizeOf([...this.#flying.values()]);
    if (all.batches >= batches || all.bytes >= bytes) return undefined;
    const backfill = sizeOf([...this.#flying.values()].filter(({ live }) => !live));
    const kept = { bytes: bytes * LIVE_SHARE, batches: Math.floor(batches * LIVE_SHARE) };
    const liveOnly = backfill.batches >= batches - kept.batches || backfill.bytes >= bytes - kept.bytes;
    return this.#reader.next({ maxBytes: bytes - all.bytes, liveOnly });
  }

  #launch(batch: ReadBatch): void {
    this.#flying.set(keyOf(batch), batch);
    if (this.#flying.size === 1) this.#watchAcks();
    this.#needs.count("batches_sent");
    this.#clogged = !this.#send(create(IngestRequestSchema, { body: { case: "envelope", value: batch.bytes } }));
  }

  #land(batch: SpooledBatch, name: string): void {
    if (!this.#flying.delete(keyOf(batch))) return;
    this.#needs.count(name);
    this.#watchAcks();
  }

  /** Waits for the next acknowledgement as long as something is on the way. */
  #watchAcks(): void {
    this.#cancelAckWatch();
    if (this.#flying.size === 0) return;
    const reason = `the hub acknowledged nothing for ${ACK_MS / 1_000} s`;
    this.#cancelAckWatch = this.#needs.clock.setTimer(ACK_MS, () => this.#end({ kind: "lost", reason }));
  }
}

function keyOf({ spoolId, sequence }: SpooledBatch): string {
  return `${spoolId} ${sequence}`;
}

function sizeOf(batches: readonly SpooledBatch[]): { readonly bytes: number; readonly batches: number } {
  return { bytes: batches.reduce((sum, { bytes }) => sum + bytes.length, 0), batches: batches.length };
}

function covers({ spoolId, contiguous, ranges }: SpoolMark, batch: SpooledBatch): boolean {
  if (batch.spoolId !== spoolId) return false;
  return (
    batch.sequence <= contiguous || ranges.some(({ first, last }) => first <= batch.sequence && batch.sequence <= last)
  );
}
