import type { SequenceRange } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSpool } from "./disk-spool.ts";
import type { BatchMerger, Spool, SpoolLoss } from "./spool.ts";
import type { SpoolFiles } from "./spool-files.ts";
import { unmarkedFiles } from "./testing/broken-files.ts";
import { type MemoryDisks, memoryDisks } from "./testing/memory-disks.ts";

/** More of them with ROUNDS=20000. */
const RUNS = Number(process.env.ROUNDS ?? 400);

/** A cumulative row: of one key the greatest `asOf` counts, and of equal ones the later batch. */
interface Row {
  readonly key: number;
  readonly asOf: number;
  readonly text: string;
}
interface TestBatch {
  readonly rows: readonly Row[];
  readonly replaces: SequenceRange | null;
}

/** A hub as its ledger is described: each batch counts once, one that stands for others only if none of them counted. */
class ModelHub {
  readonly #known = new Map<string, Set<number>>();
  readonly #rows = new Map<number, { readonly row: Row; readonly order: number }>();

  deliver(spoolId: string, sequence: number, { rows, replaces }: TestBatch): void {
    const known = this.known(spoolId);
    if (known.has(sequence)) return;
    const counted = replaces !== null && [...range(replaces)].some((one) => known.has(one));
    known.add(sequence);
    if (counted) return;
    if (replaces) for (const one of range(replaces)) known.add(one);
    for (const row of rows) this.#put(row, replaces?.last ?? sequence);
  }

  known(spoolId: string): Set<number> {
    const known = this.#known.get(spoolId) ?? new Set();
    this.#known.set(spoolId, known);
    return known;
  }

  texts(): ReadonlyMap<number, string> {
    return new Map([...this.#rows].map(([key, { row }]) => [key, row.text]));
  }

  #put(row: Row, order: number): void {
    const held = this.#rows.get(row.key);
    const newer = !held || row.asOf > held.row.asOf || (row.asOf === held.row.asOf && order >= held.order);
    if (newer) this.#rows.set(row.key, { row, order });
  }
}

function* range({ first, last }: SequenceRange): Iterable<number> {
  for (let one = first; one <= last; one += 1) yield one;
}

class TestMerger implements BatchMerger {
  readonly #rows = new Map<number, Row>();

  add(bytes: Uint8Array): boolean {
    for (const row of parse(bytes).rows) {
      const held = this.#rows.get(row.key);
      if (!held || row.asOf >= held.asOf) this.#rows.set(row.key, row);
    }
    return true;
  }

  seal(_: string, __: number, replaces: SequenceRange) {
    return { bytes: Buffer.from(JSON.stringify({ rows: [...this.#rows.values()], replaces })), sealedAtMs: 1 };
  }
}

function parse(bytes: Uint8Array): TestBatch {
  return JSON.parse(Buffer.from(bytes).toString());
}

type Step =
  | { readonly do: "append"; readonly keys: readonly number[]; readonly later: boolean }
  | { readonly do: "send"; readonly count: number; readonly arrives: boolean; readonly answered: boolean }
  | { readonly do: "reconnect" | "settle" | "fail" | "crash" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      keys: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
      later: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      count: fc.integer({ min: 1, max: 5 }),
      arrives: fc.boolean(),
      answered: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom("reconnect", "settle", "settle", "fail", "crash") }) },
);

const counts = { coarsened: 0, crashes: 0, sent: 0, failed: 0 };

/** An agent's usage, a disk and a hub. The truth is what `append` was told to be spooled. */
class Run {
  readonly hub = new ModelHub();
  readonly truth = new Map<number, Row & { readonly spoolId: string }>();
  /** Of an append that failed the bytes may be on disk: what it told later than the truth may count. */
  readonly doubtful = new Map<number, readonly Row[]>();
  #disks: MemoryDisks = memoryDisks();
  #spool: Spool | undefined;
  #reader: ReturnType<Spool["reader"]> | undefined;
  #count = 0;
  readonly #chance: () => number;
  readonly #through: (files: SpoolFiles) => SpoolFiles;

  constructor(chance: () => number, through: (files: SpoolFiles) => SpoolFiles) {
    this.#chance = chance;
    this.#through = through;
  }

  async append(keys: readonly number[], later: boolean): Promise<void> {
    const spool = await this.#open();
    this.#count += 1;
    let told: (Row & { readonly spoolId: string })[] = [];
    const sealed = (spoolId: string) => {
      told = keys.map((key) => {
        const [before, failed] = [this.truth.get(key), this.doubtful.get(key)?.at(-1)];
        // Equal times are told apart by the sequence, which says nothing across two spools.
        const step = later || before?.spoolId !== spoolId || failed ? 1 : 0;
        const asOf = Math.max(before?.asOf ?? 0, failed?.asOf ?? 0) + step;
        return { key, asOf, text: `${this.#count}`.padEnd(20, "."), spoolId };
      });
      const rows = told.map(({ key, asOf, text }) => ({ key, asOf, text }));
      return { bytes: Buffer.from(JSON.stringify({ rows, replaces: null })), sealedAtMs: this.#count };
    };
    try {
      await spool.append("usage", sealed);
    } catch {
      for (const row of told) this.doubtful.set(row.key, [...(this.doubtful.get(row.key) ?? []), row]);
      return;
    }
    for (const row of told) {
      this.truth.set(row.key, row);
      this.doubtful.delete(row.key);
    }
  }

  /** Some batches leave; a connection may break before they arrive, or before they are acknowledged. */
  async send(count: number, arrives: boolean, answered: boolean): Promise<number> {
    const spool = await this.#open();
    this.#reader ??= spool.reader();
    let sent = 0;
    for (; sent < count; sent += 1) {
      const batch = await this.#reader.next();
      if (!batch) break;
      counts.sent += 1;
      if (!arrives) continue;
      this.hub.deliver(batch.spoolId, batch.sequence, parse(batch.bytes));
      const ranges = [...this.hub.known(batch.spoolId)].map((one) => ({ first: one, last: one }));
      if (answered) await spool.acknowledge({ spoolId: batch.spoolId, contiguous: 0, ranges });
    }
    return sent;
  }

  reconnect(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  async settle(): Promise<void> {
    const spool = await this.#open();
    const before = spool.figures().coarsened;
    const merger = () => new TestMerger();
    // A write that failed, and was torn by a crash, looks like a batch that was never finished; nothing else is lost.
    const record = async (loss: SpoolLoss): Promise<void> => expect(loss.openEnd).toBe(true);
    await spool.settle({ record, merger }).catch((error) => {
      expect(String(error)).toContain("EIO");
    });
    counts.coarsened += spool.figures().coarsened - before;
  }

  /** The next write may be on the disk, or not: it says that it failed. */
  async fail(): Promise<void> {
    this.#disks.usage.failSync = true;
    await this.settle();
    await this.append([0], true);
    this.#disks.usage.failSync = false;
    counts.failed += 1;
  }

  async crash(): Promise<void> {
    this.reconnect();
    this.#spool = undefined;
    const before = this.#disks;
    this.#disks = memoryDisks((kind) => before[kind].crash(this.#chance));
    counts.crashes += 1;
    await this.#open();
  }

  async drain(): Promise<void> {
    this.reconnect();
    while ((await this.send(1_000, true, true)) > 0) this.reconnect();
    expect((await this.#open()).figures().batches).toBe(0);
  }

  async #open(): Promise<Spool> {
    const { gap, usage, node, sample } = this.#disks;
    this.#spool ??= await openSpool({
      files: { gap, usage: this.#through(usage), node, sample },
      maxBytes: () => 200,
      segmentBytes: 400,
      now: () => 1_770_000_000_000,
      readHead: (bytes) => ({ sealedAtMs: 1, untilMs: 1, replaces: parse(bytes).replaces }),
      keepDamage: async () => {},
    });
    return this.#spool;
  }
}

async function checkRuns(
  numRuns: number,
  through: (files: SpoolFiles) => SpoolFiles = (files) => files,
  // Where the failure is what is waited for, nobody reads its smallest form.
  endOnFailure = false,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 120, size: "max" }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true })),
      async (steps, chances) => {
        const run = new Run(() => chances.next().value, through);
        for (const it of steps) {
          if (it.do === "append") await run.append(it.keys, it.later);
          else if (it.do === "send") await run.send(it.count, it.arrives, it.answered);
          else await run[it.do]();
        }
        await run.drain();
        for (const [key, { text }] of run.truth) {
          const doubtful = run.doubtful.get(key) ?? [];
          expect([text, ...doubtful.map((row) => row.text)]).toContain(run.hub.texts().get(key));
        }
      },
    ),
    { numRuns, endOnFailure },
  );
}

test("whatever is coarsened, sent, lost on the way and cut by crashes, the hub holds what it would hold of every batch", async () => {
  await checkRuns(RUNS);
  process.stdout.write(`replacing: ${JSON.stringify(counts)}\n`);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});

test("the same test notices a spool that forgets what was sent", async () => {
  await expect(checkRuns(2_000, unmarkedFiles, true)).rejects.toThrow();
});
