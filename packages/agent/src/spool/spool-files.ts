import { constants, type Dirent } from "node:fs";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** One file of a folder, open for writing. Calls come one after the other. */
export interface SpoolFile {
  /** Writes all bytes at a position; may leave a part of them behind when it rejects. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** What was written is on disk. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** The folder that a spool lies in. What `create` and `remove` did is on disk after `syncFolder`. Rejects as `fs` does. */
export interface SpoolFiles {
  list(): Promise<readonly string[]>;
  readAll(name: string): Promise<Uint8Array>;
  /** At most `length` bytes; fewer where the file ends. Works on a disk that can only be read. */
  read(name: string, position: number, length: number): Promise<Uint8Array>;
  /** A new file; rejects when there is one. */
  create(name: string): Promise<SpoolFile>;
  open(name: string): Promise<SpoolFile>;
  remove(name: string): Promise<void>;
  syncFolder(): Promise<void>;
}

/** A folder of the machine; made when it is missing, its parents' entries on disk too. */
export async function openFolder(path: string): Promise<SpoolFiles> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined) await syncUp(path, dirname(first));
  return {
    list: async () => (await readdir(path, { withFileTypes: true })).filter(isFile).map(({ name }) => name),
    readAll: (name) => readFile(join(path, name)),
    read: (name, position, length) => readPart(join(path, name), position, length),
    create: (name) => openFile(join(path, name), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL),
    open: (name) => openFile(join(path, name), constants.O_RDWR),
    remove: (name) => rm(join(path, name)),
    syncFolder: () => syncFolder(path),
  };
}

/** Makes the entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the folders from the parent of `path` up to `last`, in which the first new one lies. */
async function syncUp(path: string, last: string): Promise<void> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === last || folder === dirname(folder)) return;
  }
}

async function openFile(path: string, flags: number): Promise<SpoolFile> {
  const handle = await open(path, flags, 0o600);
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    sync: () => handle.datasync(),
    truncate: (size) => handle.truncate(size),
    close: () => handle.close(),
  };
}

async function readPart(path: string, position: number, length: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isFile(entry: Dirent): boolean {
  return entry.isFile();
}
