import {
  type AgentMessage,
  AgentMessageSchema,
  type Command,
  CommandState,
  create,
  DiskState,
  type DynamicReport,
  type HeartbeatAnswer,
  type HubMessage,
  type Policy,
  toHealth,
  type Welcome,
} from "@plimsoll/contracts/wire";
import type { ControlNeeds } from "./control-client.ts";
import type { SessionHandler } from "./run-session.ts";
import { endOf, type SessionEnd } from "./session-end.ts";

/** Every first message must be answered within this. */
const WELCOME_MS = 10_000;
const BEAT_MS = 30_000;
/** Beats come at random within this share around their time: 500 agents do not beat together. */
const BEAT_JITTER = 0.2;
/** Beats without any answer, until the hub is taken to be gone. */
const SILENT_BEATS = 2.5;

const DISK_STATES = { ok: DiskState.OK, full: DiskState.FULL, failing: DiskState.FAILING } as const;

/** What this release understands. */
const CAPABILITIES = ["report_now", "clean_up", "policy.intervals", "policy.spool"];

type Body = AgentMessage["body"];

/** One session on the control stream: hello, beats, reports, policy, commands. */
export class ControlSession implements SessionHandler<AgentMessage, HubMessage> {
  readonly #needs: ControlNeeds;
  readonly #latest: () => DynamicReport | undefined;
  readonly #welcomed: () => void;
  #send: (message: AgentMessage) => boolean = () => false;
  #sequence = 0n;
  #beatMs = 0;
  #helloMs = 0;
  #cancelBeat: () => void = () => {};

  constructor(needs: ControlNeeds, latest: () => DynamicReport | undefined, welcomed: () => void) {
    this.#needs = needs;
    this.#latest = latest;
    this.#welcomed = welcomed;
  }

  begin(send: (message: AgentMessage) => boolean): void {
    this.#send = send;
    const { identity, instance, agentVersion, startedMs, clock, policyRevision } = this.#needs;
    this.#helloMs = clock.now();
    this.#say({
      case: "hello",
      value: {
        $typeName: "plimsoll.v1.Hello",
        clusterId: identity.clusterId,
        incarnation: identity.incarnation,
        fingerprint: identity.fingerprint,
        agentVersion,
        instance,
        instanceStartedMs: BigInt(Math.round(startedMs)),
        agentClockMs: BigInt(Math.round(this.#helloMs)),
        policyRevision: BigInt(policyRevision()),
        capabilities: [...CAPABILITIES],
      },
    });
  }

  silenceMs(): number {
    return this.#beatMs === 0 ? WELCOME_MS : this.#beatMs * SILENT_BEATS;
  }

  async message({ body }: HubMessage): Promise<SessionEnd | undefined> {
    switch (body.case) {
      case "welcome":
        return this.#begin(body.value);
      case "heartbeatAnswer":
        return this.#measure(body.value);
      case "policy":
        return this.#applyPolicy(body.value);
      case "command":
        return this.#carryOut(body.value);
      case undefined:
        // A message of a later release.
        return undefined;
      default:
        return endOf(body);
    }
  }

  close(): void {
    this.#cancelBeat();
    this.#send = () => false;
  }

  report(report: DynamicReport): void {
    if (this.#beatMs > 0) this.#say({ case: "dynamicReport", value: report });
  }

  goodbye(reason: string): void {
    this.#say({ case: "goodbye", value: { $typeName: "plimsoll.v1.Goodbye", reason } });
    this.close();
  }

  #begin(welcome: Welcome): undefined {
    const { session, hubClock } = this.#needs;
    session.epoch = welcome.sessionEpoch;
    session.fleetSize = welcome.fleetSize;
    hubClock.measure(this.#helloMs, Number(welcome.hubClockMs));
    this.#beatMs = welcome.heartbeatMs || BEAT_MS;
    this.#welcomed();
    const latest = this.#latest();
    if (latest) this.report(latest);
    this.#beat();
  }

  #beat(): void {
    const { clock, random, hubClock, spool, health } = this.#needs;
    const { spoolId, batches, bytes, oldestSealedMs, gaps, quarantined, coarsened, dropped, disk } = spool();
    this.#say({
      case: "heartbeat",
      value: {
        $typeName: "plimsoll.v1.Heartbeat",
        agentClockMs: BigInt(Math.round(clock.now())),
        roundTripMs: Math.round(hubClock.roundTripMs),
        clockOffsetMs: BigInt(Math.round(hubClock.offsetMs ?? 0)),
        spool: {
          $typeName: "plimsoll.v1.SpoolFigures",
          spoolId: spoolId ?? "",
          batches: BigInt(batches),
          bytes: BigInt(bytes),
          oldestSealedMs: BigInt(oldestSealedMs ?? 0),
          gaps: BigInt(gaps),
          quarantined: BigInt(quarantined),
          coarsened: BigInt(coarsened),
          dropped: BigInt(dropped),
          disk: DISK_STATES[disk],
        },
        health: toHealth(health()),
      },
    });
    const jitter = 1 + BEAT_JITTER * (2 * random() - 1);
    this.#cancelBeat = clock.setTimer(this.#beatMs * jitter, () => this.#beat());
  }

  #measure({ agentClockMs, hubClockMs }: HeartbeatAnswer): undefined {
    this.#needs.hubClock.measure(Number(agentClockMs), Number(hubClockMs));
  }

  async #applyPolicy(policy: Policy): Promise<undefined> {
    const fault = await this.#needs.applyPolicy(policy);
    this.#say({
      case: "policyApplied",
      value: {
        $typeName: "plimsoll.v1.PolicyApplied",
        revision: policy.revision,
        errorCode: fault?.code ?? "",
        message: fault?.message ?? "",
      },
    });
  }

  async #carryOut(command: Command): Promise<undefined> {
    const { hubClock, carryOut } = this.#needs;
    const expired = command.deadlineMs !== 0n && hubClock.now() > Number(command.deadlineMs);
    const result = expired ? { state: CommandState.EXPIRED, errorCode: "", message: "" } : await carryOut(command);
    const output = new Uint8Array();
    this.#say({
      case: "commandResult",
      value: { $typeName: "plimsoll.v1.CommandResult", id: command.id, output, ...result },
    });
  }

  #say(body: Body): void {
    this.#sequence += 1n;
    this.#send(create(AgentMessageSchema, { sequence: this.#sequence, body }));
  }
}
