import type { SequenceRange } from "@plimsoll/contracts/wire";
import { describe, expect, test } from "vitest";
import { openSpool } from "./disk-spool.ts";
import type { BatchMerger, Spool, SpoolLoss, SpoolOptions } from "./spool.ts";
import { CrashingDisk } from "./testing/crashing-disk.ts";
import { type MemoryDisks, memoryDisks } from "./testing/memory-disks.ts";

const NOW = Date.UTC(2026, 0, 31);
/** A batch of ten bytes takes these on disk. */
const ENTRY = 30;

function open(files: MemoryDisks, options: Partial<SpoolOptions> = {}): Promise<Spool> {
  return openSpool({
    files,
    maxBytes: () => 10 * ENTRY,
    segmentBytes: 8 * ENTRY,
    now: () => NOW,
    readHead: (bytes) => ({ sealedAtMs: NOW, untilMs: NOW, replaces: replacesOf(bytes) }),
    keepDamage: async () => {},
    ...options,
  });
}

/** Texts joined by "+", and behind them what they stand for. */
class JoiningMerger implements BatchMerger {
  readonly #texts: string[] = [];

  add(bytes: Uint8Array): boolean {
    this.#texts.push(`${bytes}`.slice(0, 2));
    return true;
  }

  seal(_: string, __: number, { first, last }: SequenceRange) {
    return { bytes: Buffer.from(`${this.#texts.join("+")} ${first}-${last}`), sealedAtMs: NOW };
  }
}

function replacesOf(bytes: Uint8Array): SequenceRange | null {
  const match = / (\d+)-(\d+)$/.exec(`${Buffer.from(bytes)}`);
  return match ? { first: Number(match[1]), last: Number(match[2]) } : null;
}

async function put(spool: Spool, kind: "usage" | "sample" | "gap", from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    const bytes = Buffer.from(`${index}`.padStart(2, "0").padEnd(10, "."));
    await spool.append(kind, () => ({ bytes, sealedAtMs: NOW }));
  }
}

async function settle(spool: Spool, merged = true): Promise<SpoolLoss[]> {
  const losses: SpoolLoss[] = [];
  await spool.settle({
    record: async (loss) => void losses.push(loss),
    merger: () => (merged ? new JoiningMerger() : undefined),
  });
  return losses;
}

async function read(spool: Spool, most = 100): Promise<string[]> {
  const texts: string[] = [];
  const reader = spool.reader();
  while (texts.length < most) {
    const batch = await reader.next();
    if (!batch) break;
    texts.push(`${batch.sequence} ${Buffer.from(batch.bytes).toString().replace(/\.+$/, "")}`);
  }
  reader.close();
  return texts;
}

describe("a full spool", () => {
  test("merges what was never sent into one batch with a sequence of its own, and loses nothing", async () => {
    const spool = await open(memoryDisks());
    await put(spool, "usage", 0, 14);
    expect(await settle(spool)).toEqual([]);
    expect(await read(spool)).toEqual(["15 00+01+02+03+04+05+06+07+08+09+10+11+12+13 1-14"]);
    expect(spool.figures()).toMatchObject({ batches: 1, coarsened: 14, dropped: 0 });
    expect(spool.figures().bytes).toBeLessThan(10 * ENTRY);
  });

  test("does not merge what may have been sent, not even after a restart", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", 0, 22);
    // Of the first segment, of eight.
    expect(await read(spool, 1)).toEqual(["1 00"]);
    await settle(await open(files));
    const texts = await read(await open(files));
    expect(texts.slice(0, 8)).toEqual([..."01234567"].map((digit, index) => `${index + 1} 0${digit}`));
    expect(texts.slice(8)).toEqual(["23 08+09+10+11+12+13+14+15+16+17+18+19+20+21 9-22"]);
  });

  test("takes a segment whose header is damaged for one that was sent", async () => {
    const files = memoryDisks();
    await put(await open(files, { segmentBytes: 1e6 }), "usage", 0, 14);
    const flips = [0, 0.0001, 0];
    files.usage.flip(() => flips.shift() ?? 0);
    const spool = await open(files);
    expect(await settle(spool)).toEqual([]);
    expect(spool.figures()).toMatchObject({ batches: 14, coarsened: 0 });
  });

  test("does not merge over a hole: what stood there may have counted", async () => {
    const spool = await open(memoryDisks());
    await put(spool, "usage", 0, 14);
    const spoolId = spool.figures().spoolId ?? "";
    await spool.acknowledge({ spoolId, contiguous: 0, ranges: [{ first: 7, last: 7 }] });
    await settle(spool);
    expect(spool.figures()).toMatchObject({ batches: 13, coarsened: 0 });
  });

  test("leaves as it is what does not get smaller, and does not try again", async () => {
    const spool = await open(memoryDisks());
    await put(spool, "usage", 0, 14);
    let made = 0;
    const merger = (): BatchMerger => {
      made += 1;
      return { add: () => true, seal: () => ({ bytes: Buffer.alloc(14 * ENTRY), sealedAtMs: NOW }) };
    };
    const record = () => Promise.reject(new Error("no loss"));
    await spool.settle({ record, merger });
    await spool.settle({ record, merger });
    expect(made).toBe(1);
    expect(spool.figures()).toMatchObject({ batches: 14, coarsened: 0 });
  });

  test("drops samples only where merging them does not do, the oldest, and says which", async () => {
    const spool = await open(memoryDisks());
    await put(spool, "sample", 0, 14);
    expect(await settle(spool)).toEqual([]);
    await put(spool, "sample", 14, 11);
    const losses = await settle(spool, false);
    expect(losses).toMatchObject([{ reason: "spool_full", missing: "sample", first: 15, batches: 7 }]);
    expect(spool.figures()).toMatchObject({ dropped: 7, gaps: 1 });
  });

  test("that crashes between the merged batch and the removal of the others sends either, never both", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", 0, 14);
    const remove = files.usage.remove;
    files.usage.remove = () => Promise.reject(new Error("EIO"));
    await settle(spool);
    files.usage.remove = remove;
    expect(await read(await open(files))).toEqual(["15 00+01+02+03+04+05+06+07+08+09+10+11+12+13 1-14"]);
  });
});

describe("a disk without room", () => {
  test("gives the reserve up for a gap record, and has it set aside again once there is room", async () => {
    const files = memoryDisks();
    const root = new CrashingDisk();
    const spool = await open(files, { reserve: { files: root, bytes: 200 } });
    expect([await root.list(), spool.figures().reserved]).toEqual([["reserve"], true]);
    files.gap.room = files.usage.room = root.room = 0;
    root.remove = async function (this: CrashingDisk, name) {
      await CrashingDisk.prototype.remove.call(this, name);
      files.gap.room = 200;
    };
    await expect(put(spool, "usage", 0, 1)).rejects.toMatchObject({ code: "spool_unwritable" });
    await put(spool, "gap", 0, 1);
    expect(spool.figures()).toMatchObject({ batches: 1, reserved: false, disk: "full", writeFailures: 2 });
    root.room = files.usage.room = 1_000;
    await put(spool, "usage", 0, 1);
    await settle(spool);
    expect(spool.figures()).toMatchObject({ reserved: true, disk: "ok" });
  });

  test("makes room by dropping the oldest samples, and says that the disk was full", async () => {
    const spool = await open(memoryDisks(), { maxBytes: () => 1e9 });
    await put(spool, "sample", 0, 20);
    const files = memoryDisks();
    expect(files.usage.room).toBe(Number.POSITIVE_INFINITY);
    const full = await open(files, { maxBytes: () => 1e9 });
    await put(full, "sample", 0, 20);
    files.usage.room = 0;
    await expect(put(full, "usage", 0, 1)).rejects.toMatchObject({ code: "spool_unwritable" });
    expect(await settle(full, false)).toMatchObject([{ reason: "disk_full", missing: "sample", first: 1 }]);
    expect(await settle(full, false)).toEqual([]);
  });
});

test("a batch that the disk does not give now is given later, and is no loss", async () => {
  const files = memoryDisks();
  const spool = await open(files);
  await put(spool, "usage", 0, 2);
  const reader = spool.reader();
  const readPart = files.usage.read;
  files.usage.read = () => Promise.reject(Object.assign(new Error("EMFILE"), { code: "EMFILE" }));
  expect(await reader.next()).toBeUndefined();
  files.usage.read = readPart;
  expect(await settle(spool)).toEqual([]);
  await put(spool, "gap", 0, 1);
  expect([(await reader.next())?.live, (await reader.next())?.sequence, (await reader.next())?.sequence]).toEqual([
    true,
    1,
    2,
  ]);
});

describe("a read-only disk", () => {
  test("refuses batches, lets go of what is acknowledged, and is used again when it can be written", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", 0, 2);
    expect(await read(spool, 1)).toEqual(["1 00"]);
    files.usage.readOnly = true;
    await expect(put(spool, "usage", 2, 1)).rejects.toMatchObject({ code: "spool_unwritable" });
    expect(spool.figures()).toMatchObject({ disk: "failing", batches: 2 });
    expect(await read(spool)).toEqual(["1 00", "2 01"]);
    await spool.acknowledge({ spoolId: spool.figures().spoolId ?? "", contiguous: 2, ranges: [] });
    expect(spool.figures().batches).toBe(0);
    files.usage.readOnly = false;
    await put(spool, "usage", 3, 1);
    expect(spool.figures()).toMatchObject({ disk: "ok", batches: 1 });
    expect(await read(await open(files))).toContain("3 03");
  });

  test("sends nothing that it cannot mark as sent: it goes once the mark is on disk", async () => {
    const files = memoryDisks();
    const spool = await open(files);
    await put(spool, "usage", 0, 1);
    const reader = spool.reader();
    files.usage.readOnly = true;
    expect(await reader.next()).toBeUndefined();
    files.usage.readOnly = false;
    await put(spool, "gap", 1, 1);
    expect([(await reader.next())?.live, (await reader.next())?.live]).toEqual([true, false]);
  });

  test("is opened all the same", async () => {
    const files = memoryDisks();
    for (const disk of Object.values(files)) disk.readOnly = true;
    const spool = await open(files);
    await expect(put(spool, "usage", 0, 1)).rejects.toMatchObject({ code: "spool_unwritable" });
    for (const disk of Object.values(files)) disk.readOnly = false;
    await put(spool, "usage", 0, 1);
    expect(await read(spool)).toEqual(["1 00"]);
  });
});
