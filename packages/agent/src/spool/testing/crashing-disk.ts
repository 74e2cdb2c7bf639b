import type { SpoolFile, SpoolFiles } from "../spool-files.ts";

/** One write that is not on disk yet. */
interface Write {
  readonly position: number;
  readonly bytes: Uint8Array;
}

interface Inode {
  durable: Buffer;
  unsynced: (Write | { readonly truncate: number })[];
}

/** Decides what a crash leaves of things that were not synced: numbers from 0 (included) to 1 (not included). */
export type Chance = () => number;

/**
 * A folder in memory that forgets as a disk may: after a crash, bytes that were not synced are there, gone, or there in
 * part, in any order; so are files that were made or removed since the folder was synced.
 */
export class CrashingDisk implements SpoolFiles {
  #durable = new Map<string, Inode>();
  #live = new Map<string, Inode>();
  /** Every write beyond this many bytes in all fails after it wrote a part: a full disk. */
  room = Number.POSITIVE_INFINITY;
  failSync = false;
  /** Nothing can be written, made or removed. */
  readOnly = false;
  readonly calls: string[] = [];

  async list(): Promise<readonly string[]> {
    return [...this.#live.keys()];
  }

  async readAll(name: string): Promise<Uint8Array> {
    return contentOf(this.#inode(name));
  }

  async read(name: string, position: number, length: number): Promise<Uint8Array> {
    return contentOf(this.#inode(name)).subarray(position, position + length);
  }

  async create(name: string): Promise<SpoolFile> {
    this.#refuseReadOnly();
    if (this.#live.has(name)) throw fault(`EEXIST: ${name}`);
    this.calls.push("create");
    this.#live.set(name, { durable: Buffer.alloc(0), unsynced: [] });
    return this.open(name);
  }

  async open(name: string): Promise<SpoolFile> {
    this.#refuseReadOnly();
    const inode = this.#inode(name);
    return {
      write: async (bytes, position) => this.#write(inode, bytes, position),
      sync: async () => {
        this.calls.push("sync");
        if (this.failSync) throw fault("EIO: sync");
        inode.durable = contentOf(inode);
        inode.unsynced = [];
      },
      truncate: async (size) => {
        inode.unsynced.push({ truncate: size });
      },
      close: async () => {},
    };
  }

  async remove(name: string): Promise<void> {
    this.#refuseReadOnly();
    this.#inode(name);
    this.calls.push("remove");
    this.#live.delete(name);
  }

  async syncFolder(): Promise<void> {
    this.calls.push("syncFolder");
    this.#durable = new Map(this.#live);
  }

  /** Power goes out: gives the disk as it is found afterwards. */
  crash(chance: Chance): CrashingDisk {
    const after = new CrashingDisk();
    for (const name of new Set([...this.#durable.keys(), ...this.#live.keys()])) {
      const [before, now] = [this.#durable.get(name), this.#live.get(name)];
      const inode = chance() < 0.5 ? before : now;
      if (inode) after.#live.set(name, { durable: survivors(inode, chance), unsynced: [] });
    }
    after.#durable = new Map(after.#live);
    return after;
  }

  /** Flips one bit of one file; nothing where there is no byte. */
  flip(chance: Chance): void {
    const inodes = [...this.#live.values()].filter(({ durable }) => durable.length > 0);
    const inode = inodes[Math.floor(chance() * inodes.length)];
    if (!inode) return;
    const at = Math.floor(chance() * inode.durable.length);
    inode.durable[at] = (inode.durable[at] ?? 0) ^ (1 << Math.floor(chance() * 8));
  }

  /** Cuts the file that was made last, as a crash may do with its last write. */
  cutTo(size: number): void {
    const inode = [...this.#live.values()].at(-1);
    if (inode) inode.durable = inode.durable.subarray(0, size);
  }

  #write(inode: Inode, bytes: Uint8Array, position: number): void {
    this.calls.push("write");
    const written = bytes.subarray(0, Math.min(bytes.length, this.room));
    this.room -= written.length;
    inode.unsynced.push({ position, bytes: Uint8Array.from(written) });
    if (written.length < bytes.length) throw fault("ENOSPC: no space left on device");
  }

  #refuseReadOnly(): void {
    if (this.readOnly) throw fault("EROFS: read-only file system");
  }

  #inode(name: string): Inode {
    const inode = this.#live.get(name);
    if (!inode) throw fault(`ENOENT: ${name}`);
    return inode;
  }
}

/** A fault as `fs` gives it: the code in front of its message. */
function fault(message: string): Error {
  return Object.assign(new Error(message), { code: message.slice(0, message.indexOf(":")) });
}

function contentOf({ durable, unsynced }: Inode): Buffer {
  return unsynced.reduce<Buffer>(apply, Buffer.from(durable));
}

function apply(content: Buffer, change: Inode["unsynced"][number]): Buffer {
  if ("truncate" in change) return Buffer.concat([content], Math.min(content.length, change.truncate));
  const end = Math.max(content.length, change.position + change.bytes.length);
  const next = Buffer.concat([content], end);
  next.set(change.bytes, change.position);
  return next;
}

/** Each change that was not synced is there, gone, or there in part; a part may be zeros, as of a file that only grew. */
function survivors({ durable, unsynced }: Inode, chance: Chance): Buffer {
  return unsynced.reduce<Buffer>((content, change) => {
    const fate = chance();
    if (fate < 0.4) return content;
    if (fate < 0.6 || "truncate" in change) return apply(content, change);
    const torn = Uint8Array.from(change.bytes);
    const cut = Math.floor(chance() * torn.length);
    return fate < 0.8
      ? apply(content, { position: change.position, bytes: torn.subarray(0, cut) })
      : apply(content, { position: change.position, bytes: torn.fill(0, cut) });
  }, Buffer.from(durable));
}
