import { PlimsollError, reportError } from "@plimsoll/contracts";
import {
  type AgentMessage,
  create,
  DiskState,
  fromDynamicReport,
  fromHealth,
  type Heartbeat,
  type Hello,
  type HubMessage,
  HubMessageSchema,
} from "@plimsoll/contracts/wire";
import { admitAgent, type Peer } from "./admission.ts";
import { firstMessage } from "./first-message.ts";
import type { Inbox } from "./inbox.ts";
import { moveWithAge } from "./move-with-age.ts";
import { closeSession, notePolicy, openSession } from "./open-session.ts";
import { Pace } from "./pace.ts";
import { policyMessage } from "./policies.ts";
import type { Received } from "./received.ts";
import type { LiveSession } from "./sessions.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";
import type { ControlStreamDeps } from "./stream-deps.ts";

/** The hub's end of a control stream. */
export interface ControlPort {
  readonly inbox: Inbox<Received<AgentMessage>>;
  readonly peer: Peer;
  send(message: HubMessage): void;
  /** After what was sent. */
  end(): void;
}

/** Serves one control stream until it ends. Never rejects: what is wrong with one stream is nobody else's matter. */
export async function serveControl(deps: ControlStreamDeps, port: ControlPort): Promise<void> {
  try {
    const hello = await readHello(deps, port);
    if (hello) await new ControlStream(deps, port, hello).run();
  } catch (error) {
    refuse(deps, port, error);
  } finally {
    port.inbox.close();
    port.end();
  }
}

async function readHello({ clock }: ControlStreamDeps, port: ControlPort): Promise<Hello | null> {
  const first = await firstMessage(port.inbox, clock);
  if (first === null) return null;
  if (first.body.case === "hello") return first.body.value;
  throw new PlimsollError("hello_missing", { reason: `it began with ${first.body.case ?? "nothing"}` });
}

function refuse(deps: ControlStreamDeps, port: ControlPort, error: unknown): void {
  const { code, message, remedy } = reportError(error);
  deps.onRefused("control", code);
  deps.log(code === "internal" ? "error" : "warn", "control_refused", { cluster: port.peer.clusterId, code, message });
  port.send(create(HubMessageSchema, { body: { case: "refused", value: { code, message, remedy } } }));
}

class ControlStream {
  readonly #deps: ControlStreamDeps;
  readonly #port: ControlPort;
  readonly #hello: Hello;
  #epoch = 0;
  #lastSequence = 0n;
  #faults = 0;
  #reason = "the stream was cut";

  constructor(deps: ControlStreamDeps, port: ControlPort, hello: Hello) {
    this.#deps = deps;
    this.#port = port;
    this.#hello = hello;
  }

  async run(): Promise<void> {
    const { clusterId, incarnation, agentVersion, fingerprint } = this.#hello;
    const delayMs = this.#deps.hellos.control.take(this.#port.peer.clusterId);
    if (delayMs > 0) {
      this.#deps.onRefused("control", "hub_busy");
      return this.#send({ case: "retryAfter", value: { delayMs, code: "hub_busy" } });
    }
    const claim = { clusterId, incarnation, agentVersion, fingerprint };
    const admission = await admitAgent(this.#deps, this.#port.peer, claim);
    if (admission.verdict === "gone") return this.#sayGone();
    const session = await this.#open();
    const stay = moveWithAge(this.#deps, (withinMs) => this.#move(withinMs));
    try {
      this.#welcome(admission.wireMinor);
      this.#deps.sessions.open(session);
      await this.#listen();
    } finally {
      stay();
      this.#deps.sessions.close(session);
      await closeSession(this.#deps.store, session, this.#reason, this.#deps.clock.now());
    }
  }

  async #open(): Promise<LiveSession> {
    const { store, registry, clock } = this.#deps;
    const { clusterId, incarnation, instance, agentVersion, capabilities, policyRevision } = this.#hello;
    this.#epoch = await openSession(store, {
      clusterId,
      incarnation,
      instance: instance.slice(0, 256),
      agentVersion,
      capabilities: capabilities.slice(0, 64).map((word) => word.slice(0, 64)),
      policyRevision: Math.min(Number(policyRevision), Number.MAX_SAFE_INTEGER),
      atMs: clock.now(),
    });
    await registry.reload(clusterId);
    return {
      clusterId,
      epoch: this.#epoch,
      instance,
      startedMs: Number(this.#hello.instanceStartedMs),
      send: (message) => this.#port.send(message),
      supersede: (by) => this.#supersede(by),
      move: (withinMs) => this.#move(withinMs),
      dismiss: (code) => this.#dismiss(code),
    };
  }

  #welcome(wireMinor: number): void {
    const { policies, registry, clock, hubVersion, beatMs, ingestAddress } = this.#deps;
    this.#send({
      case: "welcome",
      value: {
        hubVersion,
        wireMinor,
        sessionEpoch: BigInt(this.#epoch),
        hubClockMs: BigInt(clock.now()),
        heartbeatMs: beatMs,
        fleetSize: registry.list("all").length,
      },
    });
    this.#port.send(policyMessage(policies.current(), ingestAddress()));
  }

  /** Opening a session is a sign of life as a beat is. */
  async #listen(): Promise<void> {
    const pace = new Pace(this.#deps.clock, STREAM_BOUNDS.controlMessagesPerSecond, STREAM_BOUNDS.controlMessageBurst);
    this.#deps.liveness.heard(this.#hello.clusterId);
    for (let next = await this.#port.inbox.next(); next !== null; next = await this.#port.inbox.next()) {
      if ("fault" in next) throw next.fault;
      if (!(await this.#take(next.message))) return;
      next.release();
      await pace.turn();
    }
  }

  /** False = the stream is over. */
  async #take({ sequence, body }: AgentMessage): Promise<boolean> {
    if (sequence <= this.#lastSequence && this.#lastSequence > 0n) {
      this.#fault(new PlimsollError("message_invalid", { field: "sequence", reason: `${sequence} came before` }));
      return true;
    }
    this.#lastSequence = sequence;
    switch (body.case) {
      case "heartbeat":
        this.#beat(body.value);
        return true;
      case "dynamicReport":
        return this.#report(sequence, () => fromDynamicReport(body.value));
      case "policyApplied":
        await this.#notePolicy(body.value.revision, body.value.errorCode, body.value.message);
        return true;
      case "commandResult":
        this.#log("command_result", { id: body.value.id.slice(0, 64), code: body.value.errorCode.slice(0, 64) });
        return true;
      case "goodbye":
        this.#reason = `goodbye: ${body.value.reason}`;
        return false;
      default:
        this.#fault(
          new PlimsollError("message_invalid", { field: "body", reason: `is ${body.case ?? "of a later release"}` }),
        );
        return true;
    }
  }

  #beat(beat: Heartbeat): void {
    const { clock, liveness } = this.#deps;
    const hubClockMs = clock.now();
    const offset = beat.roundTripMs > 0 ? Number(beat.clockOffsetMs) : hubClockMs - Number(beat.agentClockMs);
    liveness.heard(this.#hello.clusterId, {
      health: fromHealth(beat.health),
      clockOffsetMs: Number.isSafeInteger(Math.round(offset)) ? offset : null,
      ...(beat.spool && { spool: spoolFigures(beat.spool) }),
    });
    this.#send({
      case: "heartbeatAnswer",
      value: { agentClockMs: beat.agentClockMs, hubClockMs: BigInt(hubClockMs) },
    });
  }

  async #report(sequence: bigint, read: () => ReturnType<typeof fromDynamicReport>): Promise<boolean> {
    const { registry, liveness, clock } = this.#deps;
    const { clusterId, incarnation } = this.#hello;
    try {
      const facts = read();
      const stamp = { incarnation, sessionEpoch: this.#epoch, sequence: Number(sequence) };
      const verdict = await registry.applyReport(clusterId, stamp, facts, clock.now());
      if (verdict === "deregistered") {
        this.#sayGone();
        return false;
      }
      liveness.heard(clusterId, { health: facts.layer.health_status });
    } catch (error) {
      if (!(error instanceof PlimsollError) || error.retryable) throw error;
      this.#fault(error);
    }
    return true;
  }

  async #notePolicy(revision: bigint, errorCode: string, message: string): Promise<void> {
    if (errorCode !== "") {
      this.#log("policy_refused", { code: errorCode.slice(0, 64), message: message.slice(0, 200) });
      return;
    }
    const session = { clusterId: this.#hello.clusterId, epoch: this.#epoch };
    if (revision <= Number.MAX_SAFE_INTEGER) await notePolicy(this.#deps.store, session, Number(revision));
  }

  /** One bad message is counted and left out; a stream of them is refused. Throws the error then. */
  #fault(error: PlimsollError): void {
    this.#faults += 1;
    if (this.#faults > STREAM_BOUNDS.controlFaults) throw error;
    this.#deps.onRefused("control", error.code);
    this.#log("message_refused", { code: error.code, message: error.message });
  }

  #supersede(by: LiveSession | null): void {
    this.#reason = by ? `fenced by ${by.instance}` : "the same process came back";
    if (by) this.#send({ case: "fenced", value: { sessionEpoch: BigInt(by.epoch), instance: by.instance } });
    this.#port.inbox.close();
    this.#port.end();
  }

  #move(withinMs: number): void {
    this.#reason = "asked to connect anew";
    this.#send({ case: "move", value: { withinMs } });
    this.#port.inbox.close();
    this.#port.end();
  }

  #dismiss(code: "certificate_revoked" | "deregistered"): void {
    this.#reason = code;
    if (code === "deregistered") this.#sayGone();
    else refuse(this.#deps, this.#port, new PlimsollError(code));
    this.#port.inbox.close();
    this.#port.end();
  }

  #sayGone(): void {
    this.#reason = "deregistered";
    const message = "The cluster is not registered any more: stop, and re-create nothing";
    this.#send({ case: "deregistered", value: { incarnation: this.#hello.incarnation, message } });
  }

  #send(body: Parameters<typeof create<typeof HubMessageSchema>>[1] extends infer I ? HubBody<I> : never): void {
    this.#port.send(create(HubMessageSchema, { body }));
  }

  #log(event: string, fields: Readonly<Record<string, string | number>>): void {
    this.#deps.log("warn", event, { cluster: this.#hello.clusterId, ...fields });
  }
}

type HubBody<I> = NonNullable<I> extends { body?: infer B } ? B : never;

/** As the agent says it; one of a release that does not say it has none. */
const DISK_STATES: Readonly<Partial<Record<DiskState, string>>> = {
  [DiskState.OK]: "ok",
  [DiskState.FULL]: "full",
  [DiskState.FAILING]: "failing",
};

function spoolFigures(spool: NonNullable<Heartbeat["spool"]>): Readonly<Record<string, unknown>> {
  const { spoolId, batches, bytes, oldestSealedMs, gaps, quarantined, coarsened, dropped, disk } = spool;
  return {
    spoolId: spoolId.slice(0, 64),
    batches: Number(batches),
    bytes: Number(bytes),
    oldestSealedMs: oldestSealedMs === 0n ? null : Number(oldestSealedMs),
    gaps: Number(gaps),
    quarantined: Number(quarantined),
    coarsened: Number(coarsened),
    dropped: Number(dropped),
    disk: DISK_STATES[disk] ?? null,
  };
}
