import type { Clock } from "@plimsoll/collect";
import { type HealthStatus, reportError } from "@plimsoll/contracts";
import type { HubLog } from "../log/hub-log.ts";
import type { Store } from "../store/store.ts";
import { LivenessJournal } from "./liveness-journal.ts";
import {
  type BeatWindows,
  beatWindows,
  type ConnectivityState,
  judgeSilence,
  type SettledHealth,
  SUSTAINED_MS,
  settleHealth,
} from "./liveness-rules.ts";

/** Settings that may change while it runs. Lengths in milliseconds. */
export interface LivenessSettings {
  readonly beatMs: { readonly push: number; readonly pull: number };
  readonly unknownAfterBeats: number;
}

/** What a beat says besides that the cluster is there; null = it does not say. */
export interface Beat {
  readonly health: HealthStatus | null;
  /** Hub time − agent time. */
  readonly clockOffsetMs: number | null;
  /** Spool figures, as they are shown. */
  readonly spool: Readonly<Record<string, unknown>> | null;
}

/** What is heard of a cluster now. Health is `unknown` while nothing is heard. */
export interface LivenessView {
  readonly state: ConnectivityState;
  readonly sinceMs: number;
  readonly lastBeatAtMs: number | null;
  readonly windows: BeatWindows;
  readonly health: HealthStatus;
  readonly clockOffsetMs: number | null;
  readonly spool: Readonly<Record<string, unknown>> | null;
}

/** A cluster to watch. */
export interface Watched {
  readonly id: string;
  readonly mode: "push" | "pull";
}

/** What it works with. */
export interface LivenessDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: HubLog;
  readonly settings: LivenessSettings;
  /** Which clusters this process hears itself; of others it learns what the store says, and writes nothing. Default: all. */
  readonly hears?: (mode: Watched["mode"]) => boolean;
  /** Stores each beat at once, for another process that learns of it. Default: only with the next change, or soon. */
  readonly isShownElsewhere?: boolean;
}

/** A beat writes nothing by itself; how often last beats are stored, so that a restart knows them. */
const STORE_EVERY_MS = 60_000;

const SILENT_BEAT: Beat = { health: null, clockOffsetMs: null, spool: null };

interface Held {
  state: ConnectivityState;
  sinceMs: number;
  lastBeatAtMs: number | null;
  beat: Beat;
  health: SettledHealth | null;
  mode: Watched["mode"];
  cancelTimer: () => void;
}

/**
 * Watches clusters, by the hub's own clock: a timer stands at the moment when silence means something new, and every change
 * of connectivity and health is kept as a transition. It alone writes them.
 */
export class Liveness {
  readonly #clock: Clock;
  readonly #journal: LivenessJournal;
  readonly #held = new Map<string, Held>();
  readonly #listeningSinceMs: number;
  readonly #hears: (mode: Watched["mode"]) => boolean;
  readonly #isShownElsewhere: boolean;
  readonly #learnt = new Map<string, string>();
  #settings: LivenessSettings;
  #cancelStoring: () => void = () => {};

  private constructor({ store, clock, log, settings, hears = () => true, isShownElsewhere = false }: LivenessDeps) {
    this.#clock = clock;
    this.#hears = hears;
    this.#isShownElsewhere = isShownElsewhere;
    this.#settings = settings;
    this.#listeningSinceMs = clock.now();
    this.#journal = new LivenessJournal(store, (error) =>
      log("error", "liveness_not_stored", { ...reportError(error) }),
    );
  }

  /** Goes on where the store left off; a window of grace begins now. */
  static async open(deps: LivenessDeps, clusters: readonly Watched[]): Promise<Liveness> {
    const liveness = new Liveness(deps);
    const known = await liveness.#journal.load();
    for (const cluster of clusters) {
      const row = known.get(cluster.id);
      if (row) liveness.#hold({ mode: cluster.mode, beat: SILENT_BEAT, cancelTimer: () => {}, ...row }, cluster.id);
      else liveness.watch(cluster);
    }
    liveness.#storeLater();
    return liveness;
  }

  /** Watches a cluster from now on; one that is watched already only changes its mode. */
  watch({ id, mode }: Watched): void {
    const held = this.#held.get(id);
    if (held) {
      held.mode = mode;
      this.#judge(id, held);
      return;
    }
    const [state, sinceMs] = ["never-seen", this.#clock.now()] as const;
    this.#hold(
      { state, sinceMs, lastBeatAtMs: null, beat: SILENT_BEAT, health: null, mode, cancelTimer: () => {} },
      id,
    );
    if (this.#hears(mode)) this.#journal.changed(id, this.#rowOf(id));
  }

  /** Another process watches it from now on. */
  forget(clusterId: string): void {
    this.#held.get(clusterId)?.cancelTimer();
    this.#held.delete(clusterId);
  }

  /** Takes over what the process that hears them has stored of clusters that this one does not hear. */
  async learn(): Promise<void> {
    const others = [...this.#held].filter(([, { mode }]) => !this.#hears(mode));
    if (others.length === 0) return;
    for (const [id, row] of await this.#journal.load(others.map(([id]) => id))) {
      const held = this.#held.get(id);
      const news = JSON.stringify(row);
      // The same once more is no sign of life: silence is judged from here on.
      if (!held || this.#hears(held.mode) || this.#learnt.get(id) === news) continue;
      this.#learnt.set(id, news);
      Object.assign(held, row);
      this.#judge(id, held);
    }
  }

  /** Something came of the cluster at this moment. One that is not watched is ignored. */
  heard(clusterId: string, beat: Partial<Beat> = {}): void {
    const held = this.#held.get(clusterId);
    if (!held) return;
    held.lastBeatAtMs = this.#clock.now();
    held.beat = { ...held.beat, ...beat };
    if (beat.health) this.#settle(clusterId, held, beat.health);
    if (held.state !== "online") this.#become(clusterId, held, "online", "a beat came");
    this.#judge(clusterId, held);
    if (this.#isShownElsewhere) this.#journal.changed(clusterId, this.#rowOf(clusterId));
    else this.#journal.touched(clusterId, this.#rowOf(clusterId));
  }

  /** What is heard of it; a cluster that is not watched was never seen. */
  of(clusterId: string): LivenessView {
    const held = this.#held.get(clusterId);
    const silent = held === undefined || held.state === "never-seen" || held.state === "offline";
    return {
      state: held?.state ?? "never-seen",
      sinceMs: held?.sinceMs ?? this.#listeningSinceMs,
      lastBeatAtMs: held?.lastBeatAtMs ?? null,
      windows: this.#windows(held?.mode ?? "push"),
      health: silent ? "unknown" : (held.health?.status ?? "unknown"),
      clockOffsetMs: held?.beat.clockOffsetMs ?? null,
      spool: held?.beat.spool ?? null,
    };
  }

  /** New settings count at once: what is silent for longer than they allow is judged anew. */
  reconfigure(settings: LivenessSettings): void {
    this.#settings = settings;
    for (const [id, held] of this.#held) this.#judge(id, held);
  }

  /** Resolves when every change so far is stored. */
  stored(): Promise<void> {
    return this.#journal.flush();
  }

  /** Stores the last beats and stops watching. */
  async stop(): Promise<void> {
    this.#cancelStoring();
    for (const held of this.#held.values()) held.cancelTimer();
    await this.#journal.flush();
  }

  #hold(held: Held, id: string): void {
    this.#held.set(id, held);
    this.#judge(id, held);
  }

  #judge(id: string, held: Held): void {
    const now = this.#clock.now();
    const heard = { ...held, listeningSinceMs: this.#listeningSinceMs };
    const { state, dueAtMs } = judgeSilence(heard, this.#windows(held.mode), now);
    const silentS = Math.round((now - (held.lastBeatAtMs ?? now)) / 1000);
    if (state !== held.state) this.#become(id, held, state, `nothing was heard for ${silentS} s`);
    held.cancelTimer();
    held.cancelTimer =
      dueAtMs === null ? () => {} : this.#clock.setTimer(Math.max(0, dueAtMs - now), () => this.#judge(id, held));
  }

  #become(id: string, held: Held, state: ConnectivityState, reason: string): void {
    const from = held.state;
    held.state = state;
    held.sinceMs = this.#clock.now();
    if (!this.#hears(held.mode)) return;
    this.#journal.changed(id, this.#rowOf(id), { type: "connectivity", from, to: state, reason, atMs: held.sinceMs });
  }

  #settle(id: string, held: Held, reported: HealthStatus): void {
    const from = held.health?.status ?? null;
    // An agent waits by itself until a failure is sustained; what the hub reads itself has not been waited for.
    const sustainedMs = held.mode === "pull" ? SUSTAINED_MS : 0;
    held.health = settleHealth(held.health, reported, this.#clock.now(), sustainedMs);
    const { status, sinceMs } = held.health;
    if (status === from) return;
    this.#journal.changed(id, this.#rowOf(id), { type: "health", from, to: status, reason: "reported", atMs: sinceMs });
  }

  #rowOf(id: string) {
    return () => {
      const held = this.#held.get(id);
      return held && { ...held, clockOffsetMs: held.beat.clockOffsetMs, spool: held.beat.spool };
    };
  }

  #windows(mode: Watched["mode"]): BeatWindows {
    return beatWindows(this.#settings.beatMs[mode], this.#settings.unknownAfterBeats);
  }

  #storeLater(): void {
    this.#cancelStoring = this.#clock.setTimer(STORE_EVERY_MS, () => {
      void this.#journal.flush().finally(() => this.#storeLater());
    });
  }
}
