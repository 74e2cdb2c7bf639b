import { sleep } from "@plimsoll/collect";
import { PlimsollError, reportError } from "@plimsoll/contracts";
import { type Command, CommandState, type Policy } from "@plimsoll/contracts/wire";
import type { AgentDeps, AgentEnd, SpoolStatus } from "./agent.ts";
import { type AgentParts, createParts } from "./agent-parts.ts";
import { AGENT_VERSION } from "./agent-version.ts";
import { type ControlClient, type HubSession, startControl } from "./channel/control-client.ts";
import { createDial } from "./channel/hub-client.ts";
import type { HubClock } from "./channel/hub-clock.ts";
import { startIngest } from "./channel/ingest-client.ts";
import type { KeptStream } from "./channel/keep-stream.ts";
import type { AgentConfig } from "./config/agent-config.ts";
import type { Counters } from "./counters.ts";
import { type Identity, refuseOtherCluster } from "./join/identity.ts";
import type { Timings } from "./metrics/timings.ts";
import { ingestAddress, type PolicyHolder } from "./policy/agent-policy.ts";
import { readCheckpoint } from "./rows/checkpoint-file.ts";
import { FactSpooler } from "./rows/fact-spooler.ts";
import type { QuarantineFolder } from "./spool/quarantine-folder.ts";
import type { Spool } from "./spool/spool.ts";
import type { StateFolder } from "./state/state-folder.ts";
import { tick } from "./tick.ts";
import { TickSchedule } from "./tick-schedule.ts";

/** What an agent that has joined runs on. */
export interface RunningNeeds extends AgentDeps {
  readonly config: AgentConfig;
  readonly folder: StateFolder;
  readonly identity: Identity;
  readonly spool: Spool;
  readonly quarantine: QuarantineFolder;
  readonly policy: PolicyHolder;
  readonly hubClock: HubClock;
  readonly counters: Counters;
  readonly timings: Timings;
  readonly startedMs: number;
}

/** The first tick waits this long for the watches to have read everything, and for the hub's clock. */
const SETTLE_MS = 10_000;
/** Changes of nodes that come together are reported together. */
const GATHER_MS = 1_000;
/** What was spooled last gets this long to reach the hub before the agent is gone. */
const DRAIN_MS = 3_000;

/** An agent with an identity: its streams, its watches, and the loop of its ticks. */
export class RunningAgent {
  readonly #needs: RunningNeeds;
  readonly #stop = new AbortController();
  readonly #session: HubSession = { epoch: 0n, fleetSize: 0 };
  readonly #schedule: TickSchedule;
  readonly control: ControlClient;
  readonly ingest: KeptStream;
  #parts: AgentParts | undefined;
  #wake: () => void = () => {};
  lastTickEndedMs: number | null = null;

  constructor(needs: RunningNeeds) {
    this.#needs = needs;
    const { identity, config, policy, clock, counters } = needs;
    this.#schedule = new TickSchedule(() => policy.current, clock.now());
    const shared = {
      ...needs,
      instance: config.instance,
      agentVersion: AGENT_VERSION,
      dial: createDial(identity),
      session: this.#session,
      count: counters.add,
      signal: this.#stop.signal,
    };
    this.control = startControl({
      ...shared,
      policyRevision: () => policy.current.revision,
      spool: () => this.spoolStatus(),
      health: () => this.#parts?.lastLook()?.layer.health_status ?? "unknown",
      applyPolicy: (given) => this.#applyPolicy(given),
      carryOut: (command) => this.#carryOut(command),
    });
    this.ingest = startIngest({
      ...shared,
      address: () => ingestAddress(policy.current, identity),
      quarantine: ({ spoolId, sequence, bytes }, code) =>
        needs.quarantine.keep(`${spoolId}-${sequence}.${code}.envelope`, bytes),
    });
  }

  /** Nodes and pods have been read. */
  get ready(): boolean {
    return this.#parts?.watch.ready ?? false;
  }

  spoolStatus(): SpoolStatus {
    return { ...this.#needs.spool.figures(), quarantined: this.#needs.quarantine.kept };
  }

  /** Runs until the signal aborts or the hub says that it is over. Never rejects but for a defect. */
  async run(signal: AbortSignal): Promise<AgentEnd> {
    const { folder, identity, log } = this.#needs;
    const resume = await readCheckpoint(folder.file("meter.checkpoint"));
    await this.#hubOrPatience();
    const watching = new AbortController();
    const parts = this.#wire(resume, watching.signal);
    const failed = parts.watch.run().then(
      () => new Promise<never>(() => {}),
      (error: unknown): AgentEnd => ({
        reason: "failed",
        code: reportError(error).code,
        message: reportError(error).message,
      }),
    );
    const stopped = aborted(signal).then((): AgentEnd => ({ reason: "stopped", code: null, message: "stopped" }));
    const ends = [stopped, failed, over(this.control), over(this.ingest)];
    const loop = this.#loop(parts, watching.signal).then((end) => end ?? new Promise<never>(() => {}));
    const end = await Promise.race([...ends, loop]);
    log(end.reason === "stopped" ? "info" : "error", "ending", { cluster: identity.clusterName, reason: end.message });
    watching.abort(new Error("the agent ends"));
    await this.#end(parts, end);
    return end;
  }

  /** Hub time makes the hours that facts fall into: wait for it a little, then go on by the own clock. */
  async #hubOrPatience(): Promise<void> {
    const { clock, hubClock } = this.#needs;
    const isWaiting = (stream: KeptStream) => stream.status().state === "waiting";
    for (let waited = 0; waited < SETTLE_MS && hubClock.offsetMs === null; waited += 100) {
      if (isWaiting(this.control) && isWaiting(this.ingest)) return;
      await sleep(clock, 100);
    }
  }

  #wire(resume: Awaited<ReturnType<typeof readCheckpoint>>, signal: AbortSignal): AgentParts {
    const { policy, folder } = this.#needs;
    const spooler = new FactSpooler({
      ...this.#needs,
      policyRevision: () => policy.current.revision,
      count: this.#needs.counters.add,
    });
    this.#parts = createParts({
      ...this.#needs,
      policy: () => policy.current,
      spooler,
      report: (report) => this.control.report(report),
      checkpointPath: folder.file("meter.checkpoint"),
      resume,
      onNews: () => this.#reportSoon(GATHER_MS),
      onState: () => this.#wake(),
      signal,
    });
    return this.#parts;
  }

  /** One tick after the other; ends with what ends the agent, or undefined when it is aborted. */
  async #loop(parts: AgentParts, signal: AbortSignal): Promise<AgentEnd | undefined> {
    const { clock, folder, identity } = this.#needs;
    await this.#settled(parts, signal);
    while (!signal.aborted) {
      await this.#rest(this.#schedule.waitMs(clock.now()), signal);
      if (signal.aborted) return undefined;
      const due = this.#schedule.take(clock.now());
      if (!due.sample && !due.flush && !due.report) continue;
      await this.#tick(parts, due);
      const fingerprint = parts.lastLook()?.fingerprint ?? null;
      const fault = fingerprint === null ? undefined : faultOf(() => refuseOtherCluster(identity, fingerprint, folder));
      if (fault) return { reason: "failed", code: fault.code, message: fault.message };
    }
    return undefined;
  }

  async #tick(parts: AgentParts, due: Parameters<typeof tick>[1]): Promise<void> {
    const { clock, log, counters, timings } = this.#needs;
    const beganMs = performance.now();
    try {
      await tick(parts, due);
      this.lastTickEndedMs = clock.now();
      counters.add("ticks");
    } catch (error) {
      // Parts handle their own faults: this is a defect, or the end. The next tick tries again; `/livez` tells of it.
      counters.add("ticks_failed");
      log("error", "tick_failed", { message: reportError(error).message });
    } finally {
      timings.tick.observe((performance.now() - beganMs) / 1_000);
    }
  }

  /** Waits until every resource was read or refused, or long enough. */
  async #settled(parts: AgentParts, signal: AbortSignal): Promise<void> {
    const { clock } = this.#needs;
    const until = clock.now() + SETTLE_MS;
    while (!parts.watch.settled && clock.now() < until && !signal.aborted)
      await this.#rest(until - clock.now(), signal);
  }

  /** Sleeps, or until something wakes it. */
  #rest(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    const waking = new AbortController();
    this.#wake = () => waking.abort();
    return sleep(this.#needs.clock, ms, AbortSignal.any([signal, waking.signal])).catch(() => {});
  }

  #reportSoon(ms: number): void {
    this.#schedule.reportNow(this.#needs.clock.now() + ms);
    this.#wake();
  }

  async #applyPolicy(given: Policy): Promise<{ readonly code: string; readonly message: string } | null> {
    const { policy, clock, log } = this.#needs;
    try {
      const applied = policy.apply(given);
      this.#parts?.configure(applied);
      this.#schedule.tighten(clock.now());
      this.#wake();
      this.ingest.redial();
      log("info", "policy_applied", { revision: applied.revision });
    } catch (error) {
      const { code, message } = reportError(error);
      log("warn", "policy_refused", { revision: Number(given.revision), code, message });
      return { code, message };
    }
    await policy.keep().catch((error: unknown) => {
      log("warn", "policy_not_kept", { revision: Number(given.revision), message: reportError(error).message });
    });
    return null;
  }

  async #carryOut({ action }: Command) {
    const done = { state: CommandState.DONE, errorCode: "", message: "" } as const;
    switch (action.case) {
      case "reportNow":
        this.#reportSoon(0);
        return done;
      case "cleanUp":
        // This agent makes nothing in the cluster, so there is nothing to remove.
        return done;
      default:
        return {
          ...done,
          state: CommandState.UNSUPPORTED,
          message: `${action.case ?? "it"} is not known to ${AGENT_VERSION}`,
        };
    }
  }

  /** Spools what is known, lets it reach the hub if that is there, and takes leave. */
  async #end(parts: AgentParts, end: AgentEnd): Promise<void> {
    const { clock, spool } = this.#needs;
    if (end.reason === "stopped") {
      await this.#tick(parts, { sample: false, report: false, flush: true });
      for (let waited = 0; waited < DRAIN_MS && this.#isDraining(); waited += 50) await sleep(clock, 50);
      this.control.goodbye("stopped");
      // One turn, so that the goodbye leaves before its stream does.
      await sleep(clock, 20);
    }
    this.#stop.abort(new Error("the agent ends"));
    await Promise.all([this.control.ended, this.ingest.ended]);
    await spool.close();
  }

  #isDraining(): boolean {
    return this.ingest.status().state === "connected" && this.#needs.spool.figures().batches > 0;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Resolves when a stream says that it is all over; never for one that was only stopped. */
async function over(stream: KeptStream): Promise<AgentEnd> {
  return (await stream.ended) ?? new Promise<never>(() => {});
}

function faultOf(check: () => void): PlimsollError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof PlimsollError) return error;
    throw error;
  }
}
