import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";

/** A file system of its own (ext4 in a file), that fills up and turns read-only as a real disk does. Needs root on Linux. */
export class DiskImage {
  /** Where it is mounted. */
  readonly path: string;
  readonly #image: string;

  /** Makes and mounts one of `megabytes` (sparse) at `room/name`. Throws with the words of the program that failed. */
  constructor(room: string, name: string, megabytes: number) {
    this.path = join(room, name);
    this.#image = join(room, `${name}.ext4`);
    mkdirSync(this.path, { recursive: true });
    writeFileSync(this.#image, "");
    truncateSync(this.#image, megabytes * 1024 * 1024);
    run("mkfs.ext4", ["-q", "-F", "-m", "0", "-O", "^has_journal", this.#image]);
    this.#mount();
  }

  /** Leaves no byte. Gives whether a write really fails for it now. */
  fill(): boolean {
    const { bavail, bsize } = statfsSync(this.path);
    const filler = join(this.path, FILLER);
    if (bavail > 0) spawnSync("fallocate", ["-l", `${bavail * bsize}`, filler]);
    const file = openSync(filler, "a");
    try {
      for (;;) writeSync(file, new Uint8Array(512));
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "ENOSPC";
    } finally {
      closeSync(file);
    }
  }

  /** Gives the room back. */
  free(): void {
    rmSync(join(this.path, FILLER), { force: true });
  }

  /** The kernel finds a fault and makes it read-only under whoever has files open. Gives whether it is so now. */
  turnReadOnly(): boolean {
    const loop = basename(run("findmnt", ["-n", "-o", "SOURCE", this.path]).trim());
    try {
      writeFileSync(`/sys/fs/ext4/${loop}/trigger_fs_error`, "1");
    } catch {
      // The write itself is told that the file system is read-only from now on.
    }
    try {
      writeFileSync(join(this.path, FILLER), "");
      return false;
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EROFS";
    }
  }

  /** Checks it and mounts it again. Nobody may have a file open. */
  repair(): void {
    run("umount", [this.path]);
    // 1 = faults were mended.
    run("e2fsck", ["-f", "-y", this.#image], [0, 1]);
    this.#mount();
  }

  remove(): void {
    spawnSync("umount", ["-l", this.path]);
    rmSync(this.#image, { force: true });
  }

  #mount(): void {
    run("mount", ["-o", "loop,errors=remount-ro", this.#image, this.path]);
  }
}

const FILLER = "filler";

function run(program: string, args: readonly string[], good: readonly number[] = [0]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status === null || !good.includes(status)) {
    throw new Error(`${program} ${args.join(" ")} (root on Linux is needed): ${error?.message ?? stderr}`);
  }
  return stdout;
}
