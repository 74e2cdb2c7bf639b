import { backOffMs, type Clock, type Random, sleep } from "@plimsoll/collect";
import type { AgentEnd, StreamStatus } from "../agent.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { SessionEnd } from "./session-end.ts";

/** How a stream is kept. */
export interface KeepStream {
  /** For the log: `control`, `ingest`. */
  readonly name: string;
  /** `host:port`, asked for before each session; a hub may name another one for the next. */
  readonly address: () => string;
  /** Runs one session until it ends or the signal aborts; tells when it was welcomed. Never rejects. */
  readonly session: (address: string, welcomed: () => void, signal: AbortSignal) => Promise<SessionEnd>;
  /** Clusters that the hub serves, as far as known: 500 agents must not come back in one second. */
  readonly fleetSize: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: AgentLog;
  /** Counts `NAME_connects`. */
  readonly count: (name: string) => void;
  readonly signal: AbortSignal;
}

/** A kept stream. */
export interface KeptStream {
  status(): StreamStatus;
  /** The address may be another by now: if so, goes there at once. */
  redial(): void;
  /** Resolves when there is nothing to come back for, or null when the signal aborted. Never rejects. */
  readonly ended: Promise<AgentEnd | null>;
}

const BACK_OFF = { baseMs: 1_000, capMs: 60_000 };
/** The first return after a loss is spread over this at most, and over this for each cluster of the fleet. */
const MOST_SPREAD_MS = 30_000;
const SPREAD_PER_CLUSTER_MS = 60;
/** A session that held this long was a good one; when many in a row do not, the returns back off as if they had failed. */
const STEADY_MS = 60_000;
/** Whoever was refused asks again this seldom. */
const REFUSED_MS = 300_000;

/** Keeps one stream: a session after the other, with waits that spread many agents evenly. */
export function keepStream(options: KeepStream): KeptStream {
  const keeper = new StreamKeeper(options);
  return { status: () => keeper.status, redial: () => keeper.redial(), ended: keeper.run() };
}

class StreamKeeper {
  readonly #options: KeepStream;
  status: StreamStatus;
  /** Named by a hub for the next session; null = none is. */
  #named: string | null = null;
  /** The address that was asked for last. */
  #asked: string;
  #redialing = new AbortController();
  /** Sessions in a row that were not welcomed. */
  #failures = 0;
  /** Sessions in a row that were welcomed and did not hold. */
  #unsteady = 0;

  constructor(options: KeepStream) {
    this.#options = options;
    this.#asked = options.address();
    this.status = { state: "connecting", sinceMs: options.clock.now(), error: null };
  }

  async run(): Promise<AgentEnd | null> {
    const { session, signal, clock } = this.#options;
    while (!signal.aborted) {
      let welcomed = false;
      this.#redialing = new AbortController();
      this.#asked = this.#options.address();
      this.#tell("connecting", this.status.error);
      const either = AbortSignal.any([signal, this.#redialing.signal]);
      const onWelcome = (): void => {
        welcomed = true;
        this.#failures = 0;
        this.#options.count(`${this.#options.name}_connects`);
        this.#tell("connected", null);
      };
      const end = await session(this.#named ?? this.#asked, onWelcome, either);
      if (signal.aborted) break;
      if (end.kind === "over") {
        this.#tell("stopped", end.end.message);
        return end.end;
      }
      if (welcomed && clock.now() - this.status.sinceMs >= STEADY_MS) this.#unsteady = 0;
      const waitMs = this.#waitMs(end, welcomed);
      this.#tell("waiting", reasonOf(end));
      await sleep(clock, waitMs, either).catch(() => {});
    }
    this.#tell("stopped", null);
    return null;
  }

  redial(): void {
    if (this.#options.address() === this.#asked) return;
    this.#named = null;
    this.#failures = 0;
    this.#redialing.abort(new Error("the hub named another address"));
  }

  #waitMs(end: Exclude<SessionEnd, { kind: "over" }>, welcomed: boolean): number {
    const { random } = this.#options;
    if (end.kind === "move") {
      this.#named = end.address;
      return random() * end.withinMs;
    }
    if (end.kind === "pause") return end.delayMs + random() * Math.min(end.delayMs, MOST_SPREAD_MS);
    if (end.kind === "refused") return REFUSED_MS * (0.5 + random() / 2);
    if (welcomed) {
      this.#unsteady += 1;
      return Math.max(random() * this.#spreadMs(), backOffMs(this.#unsteady - 1, BACK_OFF, random));
    }
    // An address that a hub named and that does not answer is given up.
    this.#named = null;
    this.#failures += 1;
    return backOffMs(this.#failures - 1, BACK_OFF, random);
  }

  #spreadMs(): number {
    return Math.min(MOST_SPREAD_MS, Math.max(BACK_OFF.baseMs, this.#options.fleetSize() * SPREAD_PER_CLUSTER_MS));
  }

  #tell(state: StreamStatus["state"], error: string | null): void {
    const { clock, log, name } = this.#options;
    const changed = state === "connected" || (state === "waiting" && this.#failures <= 1);
    if (changed && state !== this.status.state) {
      log(state === "connected" ? "info" : "warn", `${name}_${state === "connected" ? "connected" : "lost"}`, {
        error,
      });
    }
    this.status = { state, sinceMs: clock.now(), error };
  }
}

function reasonOf(end: Exclude<SessionEnd, { kind: "over" }>): string {
  return end.kind === "move" ? "the hub asked to connect anew" : end.reason;
}
