import type { HubMessage } from "@plimsoll/contracts/wire";

/** The process at the other end of a session. */
interface SessionOwner {
  readonly instance: string;
  /** When it started, by its own word; 0 = it does not say. */
  readonly startedMs: number;
}

/** A control stream that is open. */
export interface LiveSession extends SessionOwner {
  readonly clusterId: string;
  /** Greater = newer. */
  readonly epoch: number;
  send(message: HubMessage): void;
  /** Says that a newer session has taken over (`by`), or null when it is the same process that came back, and ends. */
  supersede(by: LiveSession | null): void;
  /** Asks the agent to connect anew within this time, and ends. */
  move(withinMs: number): void;
  /** Ends for a reason that is sent as it is. */
  dismiss(code: "certificate_revoked" | "deregistered"): void;
}

/** A data stream that is open. */
export interface DataStream {
  readonly clusterId: string;
  readonly instance: string;
  /** Of the control session that it belongs to; 0 = it has none. */
  readonly epoch: number;
  fence(by: LiveSession): void;
  move(withinMs: number): void;
  dismiss(code: "certificate_revoked" | "deregistered"): void;
}

/** The live streams. Of each cluster there is one control session: the newest fences what is older. */
export class Sessions {
  readonly #control = new Map<string, LiveSession>();
  readonly #data = new Set<DataStream>();

  get controlCount(): number {
    return this.#control.size;
  }

  get dataCount(): number {
    return this.#data.size;
  }

  /** Of a cluster; undefined = no agent is connected. */
  of(clusterId: string): LiveSession | undefined {
    return this.#control.get(clusterId);
  }

  all(): readonly LiveSession[] {
    return [...this.#control.values()];
  }

  /** Takes a session in; the older one ends, whichever of the two came here first. */
  open(session: LiveSession): void {
    const held = this.#control.get(session.clusterId);
    if (held && held.epoch > session.epoch) {
      session.supersede(isSame(held, session) ? null : held);
      return;
    }
    this.#control.set(session.clusterId, session);
    held?.supersede(isSame(held, session) ? null : session);
    for (const stream of this.#data) if (this.isFenced(stream)) stream.fence(session);
  }

  close(session: LiveSession): void {
    if (this.#control.get(session.clusterId) === session) this.#control.delete(session.clusterId);
  }

  openData(stream: DataStream): void {
    this.#data.add(stream);
  }

  closeData(stream: DataStream): void {
    this.#data.delete(stream);
  }

  /** Does a data stream belong to an older session of another process? */
  isFenced({ clusterId, epoch, instance }: Pick<DataStream, "clusterId" | "epoch" | "instance">): boolean {
    const live = this.#control.get(clusterId);
    return live !== undefined && epoch !== 0 && epoch < live.epoch && instance !== live.instance;
  }

  /** Asks every agent to connect anew, spread over this time, and ends all streams. */
  moveAll(withinMs: number): void {
    for (const session of this.#control.values()) session.move(withinMs);
    for (const stream of this.#data) stream.move(withinMs);
  }

  /** Ends every stream of a cluster. */
  dismiss(clusterId: string, code: "certificate_revoked" | "deregistered"): void {
    this.#control.get(clusterId)?.dismiss(code);
    for (const stream of this.#data) if (stream.clusterId === clusterId) stream.dismiss(code);
  }
}

function isSame(a: SessionOwner, b: SessionOwner): boolean {
  return a.instance === b.instance && a.startedMs === b.startedMs;
}
