import type { HubMessage } from "@plimsoll/contracts/wire";
import { type ClusterScope, inScope } from "../store/cluster-scope.ts";

/** The process at the other end of a session. */
interface SessionOwner {
  readonly instance: string;
  /** When it started, by its own word; 0 = it does not say. */
  readonly startedMs: number;
}

/** A session as far as data streams are concerned. */
export interface KnownSession {
  readonly clusterId: string;
  /** Greater = newer. */
  readonly epoch: number;
  readonly instance: string;
}

/** A control stream that is open. */
export interface LiveSession extends SessionOwner, KnownSession {
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
  /** Of the certificate that it came with. */
  readonly serial: string;
  fence(by: KnownSession): void;
  move(withinMs: number): void;
  dismiss(code: "certificate_revoked" | "deregistered"): void;
}

/** The live streams. Of each cluster there is one control session: the newest fences what is older. */
export class Sessions {
  readonly #control = new Map<string, LiveSession>();
  /** Sessions that another process holds. */
  readonly #elsewhere = new Map<string, KnownSession>();
  readonly #data = new Set<DataStream>();
  /** Which process had which session, of the newest ones of each cluster: data streams say their session only. */
  readonly #owners = new Map<string, Map<number, SessionOwner>>();

  get controlCount(): number {
    return this.#control.size;
  }

  get dataCount(): number {
    return this.#data.size;
  }

  /** The newest session of a cluster, here or elsewhere; undefined = none is known. */
  newest(clusterId: string): KnownSession | undefined {
    return this.#control.get(clusterId) ?? this.#elsewhere.get(clusterId);
  }

  /** Another process has opened this session: data streams of older ones end here. */
  learn(session: KnownSession): void {
    if ((this.#elsewhere.get(session.clusterId)?.epoch ?? 0) >= session.epoch) return;
    this.#elsewhere.set(session.clusterId, session);
    this.#fenceData(session);
  }

  all(): readonly LiveSession[] {
    return [...this.#control.values()];
  }

  /** Takes a session in; the older one ends, whichever of the two came here first. */
  open(session: LiveSession): void {
    this.#remember(session);
    const held = this.#control.get(session.clusterId);
    if (held && held.epoch > session.epoch) {
      session.supersede(isSame(held, session) ? null : held);
      return;
    }
    this.#control.set(session.clusterId, session);
    held?.supersede(isSame(held, session) ? null : session);
    this.#fenceData(session);
  }

  #fenceData(by: KnownSession): void {
    for (const stream of this.#data) {
      if (stream.clusterId === by.clusterId && (this.isFenced(stream) || isStrange(stream, by))) stream.fence(by);
    }
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
    const newest = this.newest(clusterId);
    if (newest === undefined || epoch === 0 || epoch >= newest.epoch) return false;
    if (instance !== newest.instance) return true;
    const [owner, live] = [this.#owners.get(clusterId)?.get(epoch), this.#control.get(clusterId)];
    return owner !== undefined && live !== undefined && !isSame(owner, live);
  }

  /** Asks the agents of these clusters to connect anew, spread over this time. Gives how many streams end. */
  move(scope: ClusterScope, withinMs: number): { readonly control: number; readonly ingest: number } {
    const isMeant = ({ clusterId }: LiveSession | DataStream): boolean => inScope(scope, clusterId);
    const [control, data] = [this.all().filter(isMeant), [...this.#data].filter(isMeant)];
    for (const stream of [...control, ...data]) stream.move(withinMs);
    return { control: control.length, ingest: data.length };
  }

  /** Asks of each data stream whether it still may; ends those for which there is a reason. */
  review(
    reasonOf: (stream: Pick<DataStream, "clusterId" | "serial">) => "certificate_revoked" | "deregistered" | null,
  ): void {
    for (const stream of this.#data) {
      const reason = reasonOf(stream);
      if (reason !== null) stream.dismiss(reason);
    }
  }

  /** Ends every stream of a cluster. */
  dismiss(clusterId: string, code: "certificate_revoked" | "deregistered"): void {
    this.#control.get(clusterId)?.dismiss(code);
    for (const stream of this.#data) if (stream.clusterId === clusterId) stream.dismiss(code);
  }

  #remember({ clusterId, epoch, instance, startedMs }: LiveSession): void {
    const owners = this.#owners.get(clusterId) ?? new Map<number, SessionOwner>();
    owners.set(epoch, { instance, startedMs });
    for (const old of owners.keys()) if (old <= epoch - SESSIONS_REMEMBERED) owners.delete(old);
    this.#owners.set(clusterId, owners);
  }
}

/** A data stream lives longer than its control session, through so many of them. */
const SESSIONS_REMEMBERED = 64;

/** Of another process that was here first and does not say its session, as it began before it had one. */
function isStrange(stream: DataStream, session: KnownSession): boolean {
  return stream.epoch === 0 && stream.instance !== session.instance;
}

function isSame(a: SessionOwner, b: SessionOwner): boolean {
  return a.instance === b.instance && a.startedMs === b.startedMs;
}
