import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { frameEntry, scanEntries } from "./entry-frame.ts";
import { openSpool, type Spool, type SpoolLoss, type SpoolOptions } from "./spool.ts";
import { openFolder } from "./spool-files.ts";
import { newSpoolId } from "./spool-id.ts";
import { CrashingDisk } from "./testing/crashing-disk.ts";

const NOW = Date.UTC(2026, 0, 31);
const kept: string[] = [];
afterEach(() => kept.splice(0));

function memory() {
  return { facts: new CrashingDisk(), samples: new CrashingDisk() };
}

function open(files: SpoolOptions["files"] = memory(), options: Partial<SpoolOptions> = {}): Promise<Spool> {
  return openSpool({
    files,
    maxBytes: () => 1e9,
    now: () => NOW,
    sealedAtOf: () => NOW - 1_000,
    keepDamage: async (segment, damage) => {
      kept.push(`${segment.firstSequence}@${damage.offset}`);
    },
    ...options,
  });
}

async function put(spool: Spool, kind: "usage" | "sample", ...texts: string[]): Promise<void> {
  for (const text of texts) await spool.append(kind, () => ({ bytes: Buffer.from(text), sealedAtMs: NOW }));
}

async function read(spool: Spool): Promise<string[]> {
  const texts: string[] = [];
  const reader = spool.reader();
  for (let batch = await reader.next(); batch; batch = await reader.next()) {
    texts.push(`${batch.sequence} ${Buffer.from(batch.bytes)}`);
  }
  return texts;
}

async function lossesOf(spool: Spool): Promise<SpoolLoss[]> {
  const losses: SpoolLoss[] = [];
  await spool.settleLosses(async (loss) => {
    losses.push(loss);
  });
  return losses;
}

describe("a batch", () => {
  test("is spooled only after its bytes are on disk, in a file that is on disk", async () => {
    const files = memory();
    const spool = await open(files);
    await put(spool, "usage", "a");
    expect(files.facts.calls).toEqual(["create", "sync", "syncFolder", "write", "sync"]);
  });

  test("comes out as it went in, oldest first, facts before samples, each lane with a sequence from 1", async () => {
    const spool = await open();
    await put(spool, "sample", "s");
    await put(spool, "usage", "a", "b");
    expect(await read(spool)).toEqual(["1 a", "2 b", "1 s"]);
  });

  test("goes when it is acknowledged, in the contiguous part or above it", async () => {
    const spool = await open();
    await put(spool, "usage", "a", "b", "c", "d");
    const { spoolId } = spool.figures();
    await spool.acknowledge({ spoolId: spoolId ?? "", contiguous: 1, ranges: [{ first: 3, last: 3 }] });
    expect(await read(spool)).toEqual(["2 b", "4 d"]);
    await spool.acknowledge({ spoolId: "of-somebody-else", contiguous: 9, ranges: [] });
    expect(await read(spool)).toEqual(["2 b", "4 d"]);
  });

  test("is given to a reader that waits, and once", async () => {
    const spool = await open();
    const reader = spool.reader();
    const told: string[] = [];
    spool.onAppend(() => told.push("appended"));
    expect(await reader.next()).toBeUndefined();
    await put(spool, "usage", "a");
    expect(told).toEqual(["appended"]);
    expect((await reader.next())?.sequence).toBe(1);
    expect(await reader.next()).toBeUndefined();
  });

  test("that cannot be sealed takes no sequence, and the fault is the sealer's", async () => {
    const spool = await open();
    const fault = new Error("no such number");
    await expect(
      spool.append("usage", () => {
        throw fault;
      }),
    ).rejects.toBe(fault);
    await put(spool, "usage", "a");
    expect(await read(spool)).toEqual(["1 a"]);
  });
});

describe("after a restart", () => {
  test("sequence and spool id go on, even when everything was acknowledged before", async () => {
    const files = memory();
    const spool = await open(files, { segmentBytes: 60 });
    await put(spool, "usage", "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc");
    const { spoolId } = spool.figures();
    await spool.acknowledge({ spoolId: spoolId ?? "", contiguous: 3, ranges: [] });
    expect(await files.facts.list()).toHaveLength(1);
    const again = await open(files);
    expect(again.figures()).toMatchObject({ spoolId, gaps: 0 });
    await put(again, "usage", "d");
    expect(await read(again)).toContain("4 d");
    expect(await lossesOf(again)).toEqual([]);
  });

  test("a new folder has a new spool id", async () => {
    const ids = await Promise.all([open(), open()].map(async (spool) => (await spool).figures().spoolId));
    expect(new Set(ids).size).toBe(2);
  });

  test("whatever single bit is flipped, every other batch is there and the lost one is told", async () => {
    const length = frameEntry(1, Buffer.from("aaaa")).length;
    for (let bit = 0; bit < length * 3 * 8; bit += 1) {
      const files = memory();
      await put(await open(files), "usage", "aaaa", "bbbb", "cccc");
      const flips = [0, (bit / 8 + 0.01) / (length * 3), (bit % 8) / 8];
      files.facts.flip(() => flips.shift() ?? 0);
      const spool = await open(files);
      const hit = Math.floor(bit / 8 / length);
      expect(await read(spool)).toEqual(["1 aaaa", "2 bbbb", "3 cccc"].filter((_, index) => index !== hit));
      expect(await lossesOf(spool)).toMatchObject([{ first: hit + 1, last: hit + 1, reason: "spool_corrupt" }]);
      expect(kept.splice(0)).toEqual([`1@${hit * length}`]);
    }
  });

  test("behind a damaged end a new spool begins: no sequence comes twice", async () => {
    const files = memory();
    const spool = await open(files);
    await put(spool, "usage", "aaaa", "bbbb");
    files.facts.flip(() => 0.99);
    const again = await open(files);
    expect(again.figures().spoolId).not.toBe(spool.figures().spoolId);
    await put(again, "usage", "cccc");
    expect(await read(again)).toEqual(["1 aaaa", "1 cccc"]);
    expect(again.states()).toMatchObject([
      { firstSequence: 1n, lastSequence: 1n },
      { firstSequence: 1n, lastSequence: 1n },
    ]);
  });

  test("a loss is told again until it is on record, then never", async () => {
    const files = memory();
    await put(await open(files), "usage", "aaaa", "bbbb");
    files.facts.flip(() => 0.99);
    expect(await lossesOf(await open(files))).toHaveLength(1);
    expect(await lossesOf(await open(files))).toHaveLength(0);
    await put(await open(files), "usage", "cccc");
    files.facts.flip(() => 0.99);
    await expect(
      (await open(files)).settleLosses(async () => {
        throw new Error("crash");
      }),
    ).rejects.toThrow("crash");
    expect(await lossesOf(await open(files))).toHaveLength(1);
  });

  test("files that are no segments are left alone", async () => {
    const path = await mkdtemp(join(tmpdir(), "plimsoll-spool-"));
    try {
      const files = {
        facts: await openFolder(join(path, "a/facts")),
        samples: await openFolder(join(path, "a/samples")),
      };
      await writeFile(join(path, "a/facts/notes.txt"), "mine");
      const spool = await open(files);
      await put(spool, "usage", "aaaa");
      await spool.close();
      const again = await open(files);
      expect(await read(again)).toEqual(["1 aaaa"]);
      await again.close();
      expect(await readFile(join(path, "a/facts/notes.txt"), "utf8")).toBe("mine");
      expect(await readdir(join(path, "a/facts"))).toHaveLength(2);
    } finally {
      await rm(path, { recursive: true });
    }
  });
});

describe("when there is no room", () => {
  test("the oldest samples go, never usage, and each loss is on record before", async () => {
    const spool = await open(memory(), { maxBytes: () => 500, segmentBytes: 100 });
    const texts = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(20));
    await put(spool, "usage", ...texts);
    await put(spool, "sample", ...texts);
    const held: number[] = [];
    await spool.settleLosses(async (loss) => {
      expect(loss).toMatchObject({ reason: "spool_full", missing: "sample" });
      held.push((await read(spool)).length);
    });
    expect(held[0]).toBe(16);
    expect(spool.figures()).toMatchObject({ gaps: held.length });
    const left = await read(spool);
    expect(left.slice(0, 8)).toEqual(texts.map((text, index) => `${index + 1} ${text}`));
    expect(left.length).toBeLessThan(16);
    expect(spool.figures().bytes).toBeLessThanOrEqual(500);
  });

  test("usage beyond the limit stays: the limit is for what may go", async () => {
    const spool = await open(memory(), { maxBytes: () => 100, segmentBytes: 50 });
    await put(spool, "usage", "a".repeat(200));
    expect(await lossesOf(spool)).toEqual([]);
    expect(await read(spool)).toHaveLength(1);
  });

  test("a full disk refuses a batch with a code, and takes the next one when it has room again", async () => {
    const files = memory();
    const spool = await open(files);
    await put(spool, "usage", "aaaa");
    files.facts.room = 10;
    await expect(put(spool, "usage", "bbbb")).rejects.toMatchObject({ code: "spool_unwritable" });
    await expect(put(spool, "usage", "bbbb")).rejects.toMatchObject({ code: "spool_unwritable" });
    files.facts.room = 1_000;
    await put(spool, "usage", "cccc");
    expect(await read(spool)).toEqual(["1 aaaa", "2 cccc"]);
    const again = await open(files);
    expect(await read(again)).toEqual(["1 aaaa", "2 cccc"]);
    expect(await lossesOf(again)).toEqual([]);
  });

  test("a disk that cannot sync is not trusted: the batch is not spooled", async () => {
    const files = memory();
    const spool = await open(files);
    files.facts.failSync = true;
    await expect(put(spool, "usage", "aaaa")).rejects.toMatchObject({ code: "spool_unwritable" });
    files.facts.failSync = false;
    await put(spool, "usage", "bbbb");
    expect(await read(await open(files))).toEqual(["1 bbbb"]);
  });
});

test("a batch that the disk damages while it waits is told as lost, and those behind it go on", async () => {
  const files = memory();
  const spool = await open(files);
  await put(spool, "usage", "aaaa", "bbbb");
  files.facts.flip(() => 0.2);
  expect(await read(spool)).toEqual(["2 bbbb"]);
  expect(await lossesOf(spool)).toMatchObject([{ first: 1, last: 1, batches: 1 }]);
});

test("an entry whose content looks like entries is one entry", () => {
  const inner = frameEntry(7, Buffer.from("inner"));
  const { entries, damages } = scanEntries(Buffer.concat([frameEntry(1, inner), frameEntry(2, inner)]));
  expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(damages).toEqual([]);
});

test("spool ids are UUIDs of version 7 that sort after those before, whatever the clock says", () => {
  const first = newSpoolId(NOW, []);
  const second = newSpoolId(NOW - 1_000_000, [first]);
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(second > first).toBe(true);
});
