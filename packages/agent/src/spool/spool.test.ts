import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openSpool } from "./disk-spool.ts";
import { frameEntry, scanEntries } from "./entry-frame.ts";
import { openSpoolFolder } from "./open-spool-folder.ts";
import { HEADER_BYTES } from "./segment-header.ts";
import type { Spool, SpoolLoss, SpoolOptions } from "./spool.ts";
import { newSpoolId } from "./spool-id.ts";
import { memoryDisks } from "./testing/memory-disks.ts";

const NOW = Date.UTC(2026, 0, 31);
const kept: string[] = [];
afterEach(() => kept.splice(0));

const OPTIONS = {
  maxBytes: () => 1e9,
  now: () => NOW,
  readHead: () => ({ sealedAtMs: NOW - 1_000, untilMs: NOW - 1_000, replaces: null }),
  keepDamage: async (segment, damage) => {
    kept.push(`${segment.firstSequence}@${damage.offset}`);
  },
} as const satisfies Partial<SpoolOptions>;

function open(files: SpoolOptions["files"] = memoryDisks(), options: Partial<SpoolOptions> = {}): Promise<Spool> {
  return openSpool({ ...OPTIONS, files, ...options });
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
  await spool.settle({
    record: async (loss) => {
      losses.push(loss);
    },
    merger: () => undefined,
  });
  return losses;
}

describe("a batch", () => {
  test("is spooled only after its bytes are on disk, in a file that is on disk", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", "a");
    expect(files.usage.calls).toEqual(["create", "write", "sync", "syncFolder", "write", "sync"]);
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

  test("that is spooled now goes before those that waited, the newest first; neither starves the other", async () => {
    const spool = await open();
    await put(spool, "usage", "old 1", "old 2", "old 3");
    await put(spool, "sample", "old 4");
    const reader = spool.reader();
    await put(spool, "sample", "new 7");
    await put(spool, "usage", ...[1, 2, 3, 4, 5, 6].map((index) => `new ${index}`));
    const texts: string[] = [];
    for (let batch = await reader.next(); batch; batch = await reader.next()) {
      texts.push(`${Buffer.from(batch.bytes)}`);
      expect(batch.live).toBe(texts.at(-1)?.startsWith("new"));
    }
    expect(texts.join(", ")).toBe("new 6, new 5, new 4, new 3, old 1, new 2, new 1, new 7, old 2, old 3, old 4");
  });

  test("is not given now when it is larger than asked for, or no live one is there", async () => {
    const spool = await open();
    await put(spool, "usage", "aaaa");
    const reader = spool.reader();
    expect(await reader.next({ maxBytes: 3 })).toBeUndefined();
    expect(await reader.next({ liveOnly: true })).toBeUndefined();
    expect(await reader.next({ maxBytes: 4 })).toMatchObject({ sequence: 1, live: false });
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
    const files = memoryDisks();
    const spool = await open(files, { segmentBytes: 60 });
    await put(spool, "usage", "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc");
    const { spoolId } = spool.figures();
    await spool.acknowledge({ spoolId: spoolId ?? "", contiguous: 3, ranges: [] });
    expect(await files.usage.list()).toHaveLength(1);
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
    const bytes = HEADER_BYTES + length * 3;
    for (let bit = 0; bit < bytes * 8; bit += 1) {
      const files = memoryDisks();
      await put(await open(files), "usage", "aaaa", "bbbb", "cccc");
      const flips = [0, (bit / 8 + 0.01) / bytes, (bit % 8) / 8];
      files.usage.flip(() => flips.shift() ?? 0);
      const spool = await open(files);
      // The header holds nothing of a batch: damaged, it only proves no more that nothing was sent.
      const hit = Math.floor((bit / 8 - HEADER_BYTES) / length);
      expect(await read(spool)).toEqual(["1 aaaa", "2 bbbb", "3 cccc"].filter((_, index) => index !== hit));
      const lost = [{ first: hit + 1, last: hit + 1, reason: "spool_corrupt" }];
      expect(await lossesOf(spool)).toMatchObject(hit < 0 ? [] : lost);
      expect(kept.splice(0)).toEqual(hit < 0 ? [] : [`1@${HEADER_BYTES + hit * length}`]);
    }
  });

  test("wherever the last write was torn, those before it are there, and a torn one is told", async () => {
    const length = frameEntry(1, Buffer.from("aaaa")).length;
    for (let size = 0; size <= HEADER_BYTES + length * 3; size += 1) {
      const files = memoryDisks();
      const before = await open(files);
      await put(before, "usage", "aaaa", "bbbb", "cccc");
      files.usage.cutTo(size);
      const spool = await open(files);
      const whole = Math.max(0, Math.floor((size - HEADER_BYTES) / length));
      expect(await read(spool)).toEqual(["1 aaaa", "2 bbbb", "3 cccc"].slice(0, whole));
      // Cut exactly between two, nothing shows that there was more: only an unfinished write ends there.
      const isTorn = size > HEADER_BYTES && (size - HEADER_BYTES) % length !== 0;
      const lost = [{ first: whole + 1, last: whole + 1, openEnd: true }];
      expect(await lossesOf(spool)).toMatchObject(isTorn ? lost : []);
      await put(spool, "usage", "dddd");
      expect(spool.figures().spoolId === before.figures().spoolId).toBe(!isTorn);
    }
  });

  test.each([
    ["the first", 0, { first: 1, last: 2, openEnd: false }, ["3 cccc"], true],
    ["the last", 1, { first: 3, last: 3, openEnd: true }, ["1 aaaa", "2 bbbb"], false],
  ])(
    "%s of its files that the disk does not give is told as lost, and left alone",
    async (_, index, lost, left, goesOn) => {
      const files = memoryDisks();
      const before = await open(files, { segmentBytes: 50 });
      await put(before, "usage", "aaaa", "bbbb", "cccc");
      const names = (await files.usage.list()).toSorted();
      const readAll = files.usage.readAll.bind(files.usage);
      files.usage.readAll = async (name) => {
        if (name === names[index]) throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
        return readAll(name);
      };
      const spool = await open(files);
      expect(await read(spool)).toEqual(left);
      expect(await lossesOf(spool)).toMatchObject([lost]);
      await put(spool, "usage", "dddd");
      expect(spool.figures().spoolId === before.figures().spoolId).toBe(goesOn);
      expect(await files.usage.list()).toContain(names[index]);
    },
  );

  test("behind a damaged end a new spool begins: no sequence comes twice", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", "aaaa", "bbbb");
    files.usage.flip(() => 0.99);
    const again = await open(files);
    expect(again.figures().spoolId).not.toBe(spool.figures().spoolId);
    await put(again, "usage", "cccc");
    expect(await read(again)).toEqual(["1 aaaa", "1 cccc"]);
    expect(again.states()).toMatchObject([
      { firstSequence: 1n, lastSequence: 1n },
      { firstSequence: 1n, lastSequence: 1n },
    ]);
  });

  test("a spool that holds nothing says where it goes on; one that was never used says nothing", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    expect(spool.states()).toEqual([]);
    await put(spool, "usage", "aaaa", "bbbb");
    const spoolId = spool.figures().spoolId ?? "";
    await spool.acknowledge({ spoolId, contiguous: 2, ranges: [] });
    expect(spool.states()).toEqual([{ spoolId, firstSequence: 3n, lastSequence: 2n }]);
    await put(spool, "usage", "cccc");
    expect(spool.states()).toEqual([{ spoolId, firstSequence: 3n, lastSequence: 3n }]);
  });

  test.each([
    ["torn", '{"losses":[],"ended":["'],
    ["of another shape", "[]"],
  ])("beside a note of losses that is %s a new spool begins: it may have been the one that ended", async (_, note) => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", "aaaa");
    const file = await files.usage.create("lost.json");
    await file.write(Buffer.from(note), 0);
    await file.close();
    const again = await open(files);
    expect(again.figures().spoolId).not.toBe(spool.figures().spoolId);
    await put(again, "usage", "bbbb");
    expect(await read(again)).toEqual(["1 aaaa", "1 bbbb"]);
    // Once it is dealt with, the new spool goes on.
    await lossesOf(again);
    expect(await files.usage.list()).not.toContain("lost.json");
    expect((await open(files)).figures().spoolId).toBe(again.figures().spoolId);
  });

  test("a loss is told again until it is on record, then never", async () => {
    const files = memoryDisks();
    await put(await open(files), "usage", "aaaa", "bbbb");
    files.usage.flip(() => 0.99);
    expect(await lossesOf(await open(files))).toHaveLength(1);
    expect(await lossesOf(await open(files))).toHaveLength(0);
    await put(await open(files), "usage", "cccc");
    files.usage.flip(() => 0.99);
    await expect(
      (await open(files)).settle({
        record: () => Promise.reject(new Error("crash")),
        merger: () => undefined,
      }),
    ).rejects.toThrow("crash");
    expect(await lossesOf(await open(files))).toHaveLength(1);
  });

  test("files that are no segments are left alone", async () => {
    const path = await mkdtemp(join(tmpdir(), "plimsoll-spool-"));
    const openAgain = () => openSpoolFolder(join(path, "a/spool"), { ...OPTIONS, reserveBytes: 4_096 });
    try {
      await (await openAgain()).close();
      await writeFile(join(path, "a/spool/usage/notes.txt"), "mine");
      const spool = await openAgain();
      await put(spool, "usage", "aaaa");
      await spool.close();
      const again = await openAgain();
      expect(await read(again)).toEqual(["1 aaaa"]);
      await again.close();
      expect(await readFile(join(path, "a/spool/usage/notes.txt"), "utf8")).toBe("mine");
      expect(await readdir(join(path, "a/spool/usage"))).toHaveLength(2);
      expect((await stat(join(path, "a/spool/reserve"))).size).toBe(4_096);
    } finally {
      await rm(path, { recursive: true });
    }
  });
});

describe("when there is no room", () => {
  test("the oldest samples go, never usage, and each loss is on record before", async () => {
    const spool = await open(memoryDisks(), { maxBytes: () => 500, segmentBytes: 100 });
    const texts = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(20));
    await put(spool, "usage", ...texts);
    await put(spool, "sample", ...texts);
    const held: number[] = [];
    const record = async (loss: SpoolLoss) => {
      expect(loss).toMatchObject({ reason: "spool_full", missing: "sample" });
      held.push((await read(spool)).length);
    };
    await spool.settle({ record, merger: () => undefined });
    expect(held[0]).toBe(16);
    expect(spool.figures()).toMatchObject({ gaps: held.length });
    const left = await read(spool);
    expect(left.slice(0, 8)).toEqual(texts.map((text, index) => `${index + 1} ${text}`));
    expect(left.length).toBeLessThan(16);
    expect(spool.figures().bytes).toBeLessThanOrEqual(500);
  });

  test("what is acknowledged while another loss is recorded is none", async () => {
    const files = memoryDisks();
    await put(await open(files), "sample", "aaaa", "bbbb");
    files.sample.flip(() => 0.99);
    await lossesOf(await open(files));
    const spool = await open(files, { maxAgeMs: () => 500 });
    await put(spool, "sample", "cccc");
    const [before, now] = spool.states().map(({ spoolId }) => spoolId);
    await spool.append("sample", () => ({ bytes: Buffer.from("dddd"), sealedAtMs: NOW - 1_000 }));
    const told: string[] = [];
    const record = async ({ spoolId }: SpoolLoss) => {
      told.push(spoolId);
      await spool.acknowledge({ spoolId: now ?? "", contiguous: 2, ranges: [] });
    };
    await spool.settle({ record, merger: () => undefined });
    expect(told).toEqual([before]);
    expect(spool.figures().batches).toBe(0);
  });

  test("usage beyond the limit stays: the limit is for what may go", async () => {
    const spool = await open(memoryDisks(), { maxBytes: () => 100, segmentBytes: 50 });
    await put(spool, "usage", "a".repeat(200));
    expect(await lossesOf(spool)).toEqual([]);
    expect(await read(spool)).toHaveLength(1);
  });

  test("a full disk refuses a batch with a code, and takes the next one when it has room again", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", "aaaa");
    files.usage.room = 10;
    await expect(put(spool, "usage", "bbbb")).rejects.toMatchObject({ code: "spool_unwritable" });
    await expect(put(spool, "usage", "bbbb")).rejects.toMatchObject({ code: "spool_unwritable" });
    files.usage.room = 1_000;
    await put(spool, "usage", "cccc");
    expect(await read(spool)).toEqual(["1 aaaa", "2 cccc"]);
    const again = await open(files);
    expect(await read(again)).toEqual(["1 aaaa", "2 cccc"]);
    expect(await lossesOf(again)).toEqual([]);
  });

  test("a disk that cannot sync is not trusted: the batch is not spooled", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    files.usage.failSync = true;
    await expect(put(spool, "usage", "aaaa")).rejects.toMatchObject({ code: "spool_unwritable" });
    files.usage.failSync = false;
    await put(spool, "usage", "bbbb");
    expect(await read(await open(files))).toEqual(["1 bbbb"]);
  });
});

test("a batch that the disk damages while it waits is told as lost, and those behind it go on", async () => {
  const files = memoryDisks();
  const spool = await open(files);
  await put(spool, "usage", "aaaa", "bbbb");
  files.usage.flip(() => 0.2);
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
