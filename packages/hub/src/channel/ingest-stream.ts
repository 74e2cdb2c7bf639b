import { PlimsollError, reportError } from "@plimsoll/contracts";
import {
  create,
  DEFAULT_WIRE_LIMITS,
  type IngestAnswer,
  IngestAnswerSchema,
  type IngestHello,
  type IngestRequest,
  toAck,
} from "@plimsoll/contracts/wire";
import type { IngestAnswer as Outcome } from "../ingest/ingest.ts";
import { admitAgent, type Peer } from "./admission.ts";
import { DeliveryWindow } from "./delivery-window.ts";
import { firstMessage } from "./first-message.ts";
import { heldSpools, toldSpools } from "./held-spools.ts";
import type { Inbox } from "./inbox.ts";
import type { Intake } from "./intake.ts";
import { moveWithAge } from "./move-with-age.ts";
import type { Received } from "./received.ts";
import type { DataStream } from "./sessions.ts";
import { busyPauseMs, windowFor } from "./stream-bounds.ts";
import type { IngestStreamDeps, StreamDeps } from "./stream-deps.ts";

/** The hub's end of a data stream. */
export interface IngestPort {
  readonly inbox: Inbox<Received<IngestRequest>>;
  readonly peer: Peer;
  /** Resolves when more may be sent: a peer that does not read its answers is not read from either. */
  send(message: IngestAnswer): Promise<void>;
  end(): void;
}

/** What data streams work with. */
export interface MeteredIngestDeps extends IngestStreamDeps {
  /** What all of them hold. */
  readonly intake: Pick<Intake, "pressure">;
}

/** Serves one data stream until it ends. Never rejects. */
export async function serveIngest(deps: MeteredIngestDeps, port: IngestPort): Promise<void> {
  try {
    const hello = await readHello(deps, port);
    if (hello) await new IngestStream(deps, port, hello).run();
  } catch (error) {
    await refuse(deps, port, error);
  } finally {
    port.inbox.close();
    port.end();
  }
}

async function readHello({ clock }: StreamDeps, port: IngestPort): Promise<IngestHello | null> {
  const first = await firstMessage(port.inbox, clock);
  if (first === null) return null;
  if (first.body.case !== "hello") throw new PlimsollError("hello_missing", { reason: "it began with an envelope" });
  const hello = first.body.value;
  if (hello.relay !== "") throw new PlimsollError("relay_unknown", { relay: hello.relay.slice(0, 64) });
  return hello;
}

async function refuse(deps: StreamDeps, port: IngestPort, error: unknown): Promise<void> {
  const { code, message, remedy } = reportError(error);
  deps.onRefused("ingest", code);
  deps.log(code === "internal" ? "error" : "warn", "ingest_refused", { cluster: port.peer.clusterId, code, message });
  await port.send(create(IngestAnswerSchema, { body: { case: "refused", value: { code, message, remedy } } }));
}

class IngestStream implements DataStream {
  readonly clusterId: string;
  readonly instance: string;
  readonly epoch: number;
  readonly serial: string;
  readonly #deps: MeteredIngestDeps;
  readonly #port: IngestPort;
  readonly #hello: IngestHello;
  readonly #windowSize: { readonly batches: number; readonly bytes: number };
  readonly #window: DeliveryWindow;

  constructor(deps: MeteredIngestDeps, port: IngestPort, hello: IngestHello) {
    this.#deps = deps;
    this.#port = port;
    this.#hello = hello;
    this.#windowSize = windowFor(deps.registry.list("all").length);
    this.#window = new DeliveryWindow(this.#windowSize.bytes, this.#windowSize.batches);
    this.clusterId = hello.clusterId;
    this.instance = hello.instance;
    this.epoch = Number(hello.sessionEpoch);
    this.serial = port.peer.serial;
  }

  async run(): Promise<void> {
    const { clusterId, incarnation, agentVersion } = this.#hello;
    const delayMs = this.#deps.hellos.ingest.take(this.#port.peer.clusterId) || busyPauseMs(this.#deps);
    if (delayMs > 0) {
      this.#deps.onRefused("ingest", "hub_busy");
      return this.#send({ case: "retryAfter", value: { delayMs, code: "hub_busy" } });
    }
    await this.#deps.refresh(this.#port.peer.clusterId);
    const claim = { clusterId, incarnation, agentVersion, fingerprint: null };
    const admission = await admitAgent(this.#deps, this.#port.peer, claim);
    if (admission.verdict === "gone") return this.#sayGone();
    const { sessions } = this.#deps;
    // Open before it is asked for: a session that begins from here on fences it.
    sessions.openData(this);
    const stay = moveWithAge(this.#deps, (withinMs) => this.move(withinMs));
    try {
      const newest = sessions.newest(clusterId);
      if (newest && sessions.isFenced(this)) return this.fence(newest);
      await this.#welcome(admission.wireMinor);
      await this.#deliver();
    } finally {
      stay();
      sessions.closeData(this);
    }
  }

  fence({ epoch, instance }: { readonly epoch: number; readonly instance: string }): void {
    void this.#send({ case: "fenced", value: { sessionEpoch: BigInt(epoch), instance } });
    this.#over();
  }

  move(withinMs: number): void {
    void this.#send({ case: "move", value: { withinMs } });
    this.#over();
  }

  dismiss(code: "certificate_revoked" | "deregistered"): void {
    if (code === "deregistered") void this.#sayGone();
    else void refuse(this.#deps, this.#port, new PlimsollError(code));
    this.#over();
  }

  async #welcome(wireMinor: number): Promise<void> {
    const { ingest, clock, hubVersion } = this.#deps;
    const { clusterId, incarnation, spools } = this.#hello;
    // Before a batch of this stream comes: what is missing now below what came can come no more.
    await this.#deps.onSpools?.({ clusterId, incarnation }, heldSpools(spools));
    const told = toldSpools(spools);
    const marks = await Promise.all(told.map(({ spoolId }) => ingest.mark({ clusterId, incarnation, spoolId })));
    await this.#send({
      case: "welcome",
      value: {
        hubVersion,
        wireMinor,
        hubClockMs: BigInt(clock.now()),
        windowBytes: BigInt(this.#windowSize.bytes),
        windowBatches: this.#windowSize.batches,
        maxEnvelopeBytes: BigInt(DEFAULT_WIRE_LIMITS.maxEnvelopeBytes),
        marks: marks.map((mark) => toAck(mark)),
      },
    });
  }

  async #deliver(): Promise<void> {
    const { inbox } = this.#port;
    for (let next = await inbox.next(); next !== null; next = await inbox.next()) {
      if ("fault" in next) throw next.fault;
      const { body } = next.message;
      if (body.case !== "envelope") {
        throw new PlimsollError("message_invalid", {
          field: "body",
          reason: `is ${body.case ?? "of a later release"}`,
        });
      }
      await this.#window.enter(body.value.length);
      void this.#take(body.value, next.release);
    }
    // What is on its way gets its answer before the stream ends.
    await this.#window.empty();
  }

  async #take(bytes: Uint8Array, release: () => void): Promise<void> {
    const source = { clusterId: this.clusterId, name: `grpc ${this.#port.peer.address}` };
    try {
      const outcome = await this.#deps.ingest.ingestEnvelope(bytes, source);
      // Its bytes are dealt with, even when the peer does not read the answer.
      release();
      if (outcome.kind === "reject") this.#deps.onRefused("ingest", outcome.code);
      await this.#answer(outcome);
    } finally {
      this.#window.leave(bytes.length);
    }
  }

  async #answer(outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case "ack":
        return this.#send({ case: "ack", value: toAck(outcome.mark) });
      case "retry":
        return this.#send({ case: "retryAfter", value: { delayMs: outcome.afterMs, code: outcome.code } });
      case "deregistered":
        await this.#sayGone();
        return this.#over();
      case "reject": {
        const { spoolId, sequence, code, message } = outcome;
        const value = { spoolId: spoolId ?? "", sequence: BigInt(sequence ?? 0), code, message };
        return this.#send({ case: "reject", value });
      }
    }
  }

  #sayGone(): Promise<void> {
    const message = "The cluster is not registered any more: stop, and re-create nothing";
    return this.#send({ case: "deregistered", value: { incarnation: this.#hello.incarnation, message } });
  }

  #over(): void {
    this.#port.inbox.close();
    this.#port.end();
  }

  #send(body: IngestBody): Promise<void> {
    return this.#port.send(create(IngestAnswerSchema, { body }));
  }
}

type IngestBody = NonNullable<NonNullable<Parameters<typeof create<typeof IngestAnswerSchema>>[1]>["body"]>;
