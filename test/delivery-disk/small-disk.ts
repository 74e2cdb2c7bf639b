import { execFile } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A file system of its own, in memory, that is really full when it is full. */
export interface SmallDisk {
  readonly path: string;
  freeBytes(): Promise<number>;
  /** Takes all the room but `spare` bytes with a file of somebody else; gives its removal. */
  fill(spare?: number): Promise<() => Promise<void>>;
  setReadOnly(readOnly: boolean): Promise<void>;
  unmount(): Promise<void>;
}

/** Mounts one of `kibibytes`; needs the rights to mount. */
export async function mountSmallDisk(kibibytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), "plimsoll-disk-"));
  await run("mount", ["-t", "tmpfs", "-o", `size=${kibibytes}k`, "plimsoll-test", path]);
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  };
  return {
    path,
    freeBytes,
    async fill(spare = 0) {
      const other = join(path, "of-somebody-else");
      await writeFile(other, Buffer.alloc(Math.max(0, (await freeBytes()) - spare), 1));
      return () => rm(other);
    },
    async setReadOnly(readOnly) {
      await run("mount", ["-o", `remount,${readOnly ? "ro" : "rw"}`, path]);
    },
    async unmount() {
      await run("umount", [path]);
      await rm(path, { recursive: true });
    },
  };
}
