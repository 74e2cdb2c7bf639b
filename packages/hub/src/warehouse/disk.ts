import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file that is on the disk for good. */
interface FlushedFile {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** What the warehouse asks of the file system; a failure throws and is never taken for a missing file. Its order is a promise: file, then folder, then ledger, then answer. */
export interface Disk {
  /**
   * Makes a folder below `root` and flushes the name of each folder on the way, also of those that are there: a crash may
   * have come between making and flushing one.
   */
  makeFolder(root: string, path: string): Promise<void>;
  /** Flushes a file's content and gives its size and hash. */
  flushFile(path: string): Promise<FlushedFile>;
  /** Hash of a file's content, hex; null when it is missing. */
  hash(path: string): Promise<string | null>;
  /** Flushes the names in a folder. */
  flushFolder(path: string): Promise<void>;
  /** Moves a file; the folder must exist. */
  move(from: string, to: string): Promise<void>;
  /** Removes a file; a missing one is fine. */
  remove(path: string): Promise<void>;
  /** Files below a folder, relative to it; none when it is missing. */
  list(folder: string): Promise<readonly string[]>;
  /** Size of a file and its last four bytes, null when it is missing. */
  probe(path: string): Promise<{ readonly bytes: number; readonly tail: string } | null>;
}

const READ_BYTES = 1 << 20;

/** The real one. */
export const REAL_DISK: Disk = {
  makeFolder: async (root, path) => {
    await mkdir(join(root, path), { recursive: true });
    for (let above = dirname(path); ; above = dirname(above)) {
      await flushFolder(join(root, above));
      if (above === ".") return;
    }
  },
  flushFile: async (path) => {
    const file = await open(path, "r+");
    try {
      await file.sync();
      return await hashOf(file);
    } finally {
      await file.close();
    }
  },
  hash: async (path) => {
    const file = await open(path, "r").catch(noneWhenMissing);
    if (file === null) return null;
    try {
      return (await hashOf(file)).sha256;
    } finally {
      await file.close();
    }
  },
  flushFolder,
  move: rename,
  remove: (path) => rm(path, { force: true }),
  list: async (folder) => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneWhenMissing);
    return (entries ?? [])
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1));
  },
  probe: async (path) => {
    const file = await open(path, "r").catch(noneWhenMissing);
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const tail = Buffer.alloc(4);
      await file.read(tail, 0, 4, Math.max(0, size - 4));
      return { bytes: size, tail: tail.toString("latin1") };
    } finally {
      await file.close();
    }
  },
};

/** Too many open files, a disk that fails, a mount that is gone for a moment: they say nothing about the file. */
function noneWhenMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}

async function hashOf(file: FileHandle): Promise<FlushedFile> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(READ_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
