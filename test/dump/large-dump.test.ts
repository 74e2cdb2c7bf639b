import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readDump } from "@plimsoll/collect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LargeDump, writeLargeDump } from "./write-large-dump.ts";

const GB = 1_000_000_000;

interface Figures {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly grownMib: number;
  readonly nodes: number;
  readonly pods: number;
  readonly unused: readonly { readonly reason: string }[];
}

describe("a dump of 2 GB", () => {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-large-"));
  const path = join(folder, "large.json");
  let dump: LargeDump;

  beforeAll(() => {
    dump = writeLargeDump(path, 2 * GB);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("is read whole as a stream: every object, in memory for the slim objects only", () => {
    const script = fileURLToPath(new URL("./read-large-dump.ts", import.meta.url));
    const figures: Figures = JSON.parse(execFileSync(process.execPath, [script, path], { encoding: "utf8" }));
    expect([figures.nodes, figures.pods]).toEqual([1, dump.pods]);
    expect(figures.unused.map((row) => row.reason)).toContain(
      `Event: ${dump.events} objects; no figure needs this kind`,
    );
    const megabytesPerSecond = dump.bytes / 1e6 / figures.cpuSeconds;
    console.log(
      `${(dump.bytes / GB).toFixed(2)} GB, ${dump.pods} pods: ${figures.seconds.toFixed(1)} s, ` +
        `${megabytesPerSecond.toFixed(0)} MB per second of CPU, grew by ${figures.grownMib.toFixed(0)} MiB ` +
        `(${((figures.grownMib * 1024) / dump.pods).toFixed(2)} KiB a pod)`,
    );
    expect(figures.grownMib).toBeLessThan(400);
  });

  it("that was cut is an error that names the object, not a lower figure", async () => {
    truncateSync(path, 100_000_000);
    await expect(readDump(path)).rejects.toMatchObject({
      code: "dump_truncated",
      message: expect.stringContaining("items["),
    });
  });
});
