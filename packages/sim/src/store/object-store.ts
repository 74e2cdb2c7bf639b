import type { KubeResource } from "@plimsoll/contracts";
import { type ObjectRecord, servedAs } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";

/** A record with the revision of the write that made it: the object's resourceVersion. */
export interface Entry {
  readonly record: ObjectRecord;
  readonly revision: number;
}

/** One write. `previous` is what it replaced or removed. */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  readonly record: ObjectRecord;
  readonly previous: Entry | undefined;
}

interface Shelf {
  readonly entries: Map<string, Entry>;
  /** Changes since the last compaction, oldest first. */
  readonly log: Change[];
  readonly listeners: Set<(change: Change) => void>;
  /** Entries by key; undefined after a change until somebody asks. */
  sorted: readonly Entry[] | undefined;
}

/**
 * The objects of one cluster as etcd keeps them: every write raises one revision, past states can be read until they are
 * compacted. A past state is the present one with the later changes undone, so history costs only what changed.
 */
export class ObjectStore {
  readonly #shelves = new Map<KubeResource, Shelf>();
  #revision: number;
  #compacted: number;
  #marks: { at: Seconds; revision: number }[] = [];

  constructor(firstRevision: number) {
    this.#revision = firstRevision;
    this.#compacted = firstRevision;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The newest revision whose past is gone: states older than it cannot be read. */
  get compacted(): number {
    return this.#compacted;
  }

  get(resource: KubeResource, namespace: string, name: string): Entry | undefined {
    return this.#shelf(resource).entries.get(keyOf(namespace, name));
  }

  /** Creates or replaces. */
  put(record: ObjectRecord): void {
    const shelf = this.#shelf(servedAs(record));
    const key = keyOf(record.namespace, record.name);
    const previous = shelf.entries.get(key);
    const revision = ++this.#revision;
    shelf.entries.set(key, { record, revision });
    this.#publish(shelf, { type: previous === undefined ? "ADDED" : "MODIFIED", revision, record, previous });
  }

  /** Removes; does nothing when there is no such object. */
  remove(resource: KubeResource, namespace: string, name: string): void {
    const shelf = this.#shelf(resource);
    const key = keyOf(namespace, name);
    const previous = shelf.entries.get(key);
    if (previous === undefined) return;
    shelf.entries.delete(key);
    const revision = ++this.#revision;
    this.#publish(shelf, { type: "DELETED", revision, record: previous.record, previous });
  }

  /** Present entries, in the order of etcd's keys. */
  list(resource: KubeResource): readonly Entry[] {
    const shelf = this.#shelf(resource);
    shelf.sorted ??= inKeyOrder(shelf.entries);
    return shelf.sorted;
  }

  /** Entries at a past revision; undefined when that past is compacted or still to come. */
  listAt(resource: KubeResource, revision: number): readonly Entry[] | undefined {
    if (revision < this.#compacted || revision > this.#revision) return undefined;
    const { entries, log } = this.#shelf(resource);
    if ((log.at(-1)?.revision ?? 0) <= revision) return this.list(resource);
    const past = new Map(entries);
    for (let i = log.length - 1; i >= 0; i--) {
      const change = log[i];
      if (change === undefined || change.revision <= revision) break;
      const key = keyOf(change.record.namespace, change.record.name);
      if (change.previous === undefined) past.delete(key);
      else past.set(key, change.previous);
    }
    return inKeyOrder(past);
  }

  /** Changes after `revision`, oldest first; undefined when some of them are compacted. */
  changesSince(resource: KubeResource, revision: number): readonly Change[] | undefined {
    if (revision < this.#compacted) return undefined;
    const { log } = this.#shelf(resource);
    const first = log.findIndex((change) => change.revision > revision);
    return first < 0 ? [] : log.slice(first);
  }

  /** Calls `listener` after each change of the resource until the returned function is called. */
  subscribe(resource: KubeResource, listener: (change: Change) => void): () => void {
    const { listeners } = this.#shelf(resource);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Remembers that `now` is the present revision, and forgets what was past more than `historySeconds` ago. */
  age(now: Seconds, historySeconds: Seconds): void {
    this.#marks.push({ at: now, revision: this.#revision });
    const horizon = now - historySeconds;
    const old = this.#marks.findLastIndex((mark) => mark.at <= horizon);
    const mark = this.#marks[old];
    if (mark === undefined) return;
    this.compact(mark.revision);
    this.#marks = this.#marks.slice(old + 1);
  }

  /** Forgets the past before `revision` (default: all of it). Running watches do not notice. */
  compact(revision = this.#revision): void {
    if (revision <= this.#compacted) return;
    this.#compacted = Math.min(revision, this.#revision);
    for (const { log } of this.#shelves.values()) {
      const kept = log.findIndex((change) => change.revision > this.#compacted);
      log.splice(0, kept < 0 ? log.length : kept);
    }
  }

  #publish(shelf: Shelf, change: Change): void {
    shelf.sorted = undefined;
    shelf.log.push(change);
    for (const listener of shelf.listeners) listener(change);
  }

  #shelf(resource: KubeResource): Shelf {
    let shelf = this.#shelves.get(resource);
    if (shelf === undefined) {
      shelf = { entries: new Map(), log: [], listeners: new Set(), sorted: undefined };
      this.#shelves.set(resource, shelf);
    }
    return shelf;
  }
}

/** "NAMESPACE/NAME", or the name alone: sorts as etcd's keys do. */
export function keyOf(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function inKeyOrder(entries: ReadonlyMap<string, Entry>): readonly Entry[] {
  return [...entries.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}
