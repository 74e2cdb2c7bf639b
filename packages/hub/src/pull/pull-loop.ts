import { type Clock, createLimiter, type Limiter, type Random } from "@plimsoll/collect";
import { type ReportedError, reportError } from "@plimsoll/contracts";
import type { HubLog } from "../log/hub-log.ts";

/** Something that is read in rounds. */
interface Pulled {
  round(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Why a cluster is not read, and since when. */
export interface PullFault extends ReportedError {
  readonly sinceMs: number;
}

/** How the rounds are run. */
export interface PullLoopConfig {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: HubLog;
  readonly intervalMs: number;
  /** Rounds at once. */
  readonly concurrency: number;
  /** Is the cluster still to be read? */
  readonly isWanted: (clusterId: string) => boolean;
  /** Opens a cluster; rejects with why it cannot be read. */
  readonly open: (clusterId: string) => Promise<Pulled>;
  readonly onRound: (outcome: "read" | "failed", seconds: number) => void;
}

/** First rounds are spread over this much, milliseconds. */
const FIRST_WITHIN_MS = 2_000;
/** Failing clusters share a fourth of the lanes: their deadlines must not hold up those that answer. */
const SUSPECT_SHARE = 4;

interface Watched {
  readonly clusterId: string;
  pulled: Pulled | null;
  fault: PullFault | null;
  cancel: () => void;
}

/** Reads clusters in rounds, each on its own, a bounded number at once. */
export class PullLoop {
  readonly #config: PullLoopConfig;
  readonly #healthy: Limiter;
  readonly #suspect: Limiter;
  readonly #watched = new Map<string, Watched>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(config: PullLoopConfig) {
    this.#config = config;
    this.#healthy = createLimiter(config.concurrency);
    this.#suspect = createLimiter(Math.max(1, Math.floor(config.concurrency / SUSPECT_SHARE)));
  }

  /** Reads a cluster from now on; one that is read already is opened anew, with whatever credentials it has now. */
  add(clusterId: string, firstWithinMs = FIRST_WITHIN_MS): void {
    this.remove(clusterId);
    const watched: Watched = { clusterId, pulled: null, fault: null, cancel: () => {} };
    this.#watched.set(clusterId, watched);
    this.#schedule(watched, this.#config.random() * firstWithinMs);
  }

  remove(clusterId: string): void {
    const watched = this.#watched.get(clusterId);
    watched?.cancel();
    watched?.pulled?.close();
    this.#watched.delete(clusterId);
  }

  /** Why a cluster is not read; null = it is, or nobody tried yet. */
  faultOf(clusterId: string): PullFault | null {
    return this.#watched.get(clusterId)?.fault ?? null;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Ends the rounds that run. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the hub stops"));
    for (const { cancel } of this.#watched.values()) cancel();
    await Promise.allSettled(this.#running);
    for (const { pulled } of this.#watched.values()) pulled?.close();
  }

  #schedule(watched: Watched, afterMs: number): void {
    if (this.#stopping.signal.aborted) return;
    watched.cancel = this.#config.clock.setTimer(afterMs, () => {
      const running = this.#turn(watched).finally(() => this.#running.delete(running));
      this.#running.add(running);
    });
  }

  /** A round, then the next one a full interval after this one began. */
  async #turn(watched: Watched): Promise<void> {
    const { clock, intervalMs } = this.#config;
    const lane = watched.fault === null ? this.#healthy : this.#suspect;
    const dueAtMs = clock.now() + intervalMs;
    await lane(() => this.#round(watched), this.#stopping.signal).catch(() => {});
    if (this.#stopping.signal.aborted || this.#watched.get(watched.clusterId) !== watched) return;
    if (this.#config.isWanted(watched.clusterId)) this.#schedule(watched, Math.max(0, dueAtMs - clock.now()));
    else this.remove(watched.clusterId);
  }

  async #round(watched: Watched): Promise<void> {
    const { clusterId } = watched;
    const { clock, isWanted, open, onRound } = this.#config;
    if (!isWanted(clusterId)) return;
    const startedMs = clock.now();
    const took = () => (clock.now() - startedMs) / 1000;
    try {
      watched.pulled ??= await open(clusterId);
      await watched.pulled.round(this.#stopping.signal);
      if (watched.fault) this.#config.log("info", "pull_works_again", { cluster: clusterId });
      watched.fault = null;
      onRound("read", took());
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#fail(watched, reportError(error));
      onRound("failed", took());
    }
  }

  #fail(watched: Watched, error: ReportedError): void {
    const { log, clock } = this.#config;
    const { clusterId, fault } = watched;
    if (fault?.code !== error.code)
      log("warn", "pull_failed", { cluster: clusterId, code: error.code, message: error.message });
    watched.fault = { ...error, sinceMs: fault?.code === error.code ? fault.sinceMs : clock.now() };
  }
}
