import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { REAL_DISK } from "./disk.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-disk-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the disk", () => {
  it.each<[string, (path: string) => Promise<unknown>, unknown]>([
    ["hash", REAL_DISK.hash, null],
    ["probe", REAL_DISK.probe, null],
    ["list", REAL_DISK.list, []],
  ])("%s: only what is not there is missing; what cannot be opened is a failure", async (_, look, none) => {
    expect(await look(join(folder, "nothing"))).toEqual(none);
    // Stands for every failure that says nothing about the file: too many open ones, a stale mount, no rights.
    symlinkSync("loop", join(folder, "loop"));
    await expect(look(join(folder, "loop"))).rejects.toMatchObject({ code: "ELOOP" });
  });

  it("gives size and last bytes of a file", async () => {
    writeFileSync(join(folder, "a"), "0123456789");
    expect(await REAL_DISK.probe(join(folder, "a"))).toEqual({ bytes: 10, tail: "6789" });
  });
});
