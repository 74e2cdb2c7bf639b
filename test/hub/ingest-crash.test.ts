import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../packages/hub/src/store/store.ts";
import { openWarehouse, type Warehouse } from "../../packages/hub/src/warehouse/warehouse.ts";
import { HOUR, held, keyOf, nodeRow, seal, usageRow } from "./facts.ts";
import type { IngestMessage } from "./ingest-process.ts";

/** Where it is killed: at a moment of the test's choice, or at a step of its own. */
const POINTS = ["time", "written", "flushed", "committed"];
const INGEST_ROUNDS = 14;
const UPKEEP_ROUNDS = 6;
const BATCHES_PER_ROUND = 40;
const LOST_ACKS = 0.2;
const seed = Number(process.env.PLIMSOLL_SEED ?? Math.floor(Math.random() * 2 ** 31));

let state = seed;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

const folder = mkdtempSync(join(tmpdir(), "plimsoll-crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A batch and what it adds, written down before the hub sees it. */
interface Truth {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  readonly pods: number;
  readonly charged: bigint;
}

function makeBatch(sequence: number): Truth {
  const amounts = Array.from(
    { length: 1 + Math.floor(random() * 20) },
    () => BigInt(Math.floor(random() * 2 ** 53)) * 512n,
  );
  const rows = amounts.map((amount, index) =>
    usageRow({ podUid: `pod-${sequence}-${index}`, resources: new Map([["cpu", held(amount, 1)]]) }),
  );
  const { bytes } = seal(keyOf(sequence), { kind: "usage", rows });
  return { sequence, bytes, pods: rows.length, charged: amounts.reduce((sum, amount) => sum + amount, 0n) };
}

/** The process, from its start to its SIGKILL. */
class Victim {
  readonly messages: IngestMessage[] = [];
  private readonly child: ChildProcess;

  private readonly gone: Promise<unknown>;

  constructor(
    mode: "ingest" | "upkeep",
    point = "never",
    onMessage: (message: IngestMessage) => void = () => undefined,
  ) {
    const program = new URL("ingest-process.ts", import.meta.url);
    const count = `${1 + Math.floor(random() * 3)}`;
    this.child = fork(program, [folder, mode, point, count], {
      serialization: "advanced",
      stdio: "inherit",
      execArgv: [],
    });
    this.gone = once(this.child, "exit");
    this.child.on("message", (message: IngestMessage) => {
      this.messages.push(message);
      onMessage(message);
    });
  }

  async until(kind: IngestMessage["kind"], count = 1): Promise<void> {
    while (this.messages.filter((message) => message.kind === kind).length < count) await once(this.child, "message");
  }

  /** Resolves when it has killed itself. */
  async dead(): Promise<void> {
    await this.gone;
    expect(this.child.signalCode).toBe("SIGKILL");
  }

  send({ sequence, bytes }: Truth): void {
    // It may be dead by now: then the batch is sent again in the next round.
    if (this.child.connected) this.child.send({ sequence, bytes }, () => undefined);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.gone;
  }

  get orphans(): number {
    return this.messages.flatMap((message) => (message.kind === "ready" ? message.faults : [])).length;
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function withStores<T>(use: (store: Store, warehouse: Warehouse) => Promise<T>): Promise<T> {
  const store = await openStore({ sqlite: join(folder, "control.sqlite") });
  const warehouse = await openWarehouse({ dataDir: folder, store, threads: 1 });
  try {
    return await use(store, warehouse);
  } finally {
    await warehouse.close();
    await store.close();
  }
}

const truths: Truth[] = [];
const expectedCharge = (): bigint => truths.reduce((sum, { charged }) => sum + charged, 0n);

describe(`a hub that is killed again and again (PLIMSOLL_SEED=${seed})`, () => {
  beforeAll(() => console.log(`PLIMSOLL_SEED=${seed}`));

  it("counts each batch exactly once, whatever the moment", async () => {
    const unacknowledged = new Map<number, Truth>();
    let [kills, orphans, duplicates] = [0, 0, 0];
    for (let round = 0; round <= INGEST_ROUNDS; round += 1) {
      const isLast = round === INGEST_ROUNDS;
      const point = isLast ? "never" : (POINTS[round % POINTS.length] ?? "never");
      const victim = new Victim("ingest", point, (message) => {
        if (message.kind !== "answer") return;
        expect(message.answer).toBe("ack");
        // Some acknowledgements are lost on the way: the batch is durable, and the agent sends it again.
        if (!isLast && random() < LOST_ACKS) return;
        if (unacknowledged.delete(message.sequence) && message.verdict === "duplicate") duplicates += 1;
      });
      await victim.until("ready");
      orphans += victim.orphans;
      for (let i = 0; i < (isLast ? 0 : BATCHES_PER_ROUND); i += 1) {
        const truth = makeBatch(truths.length + 1);
        truths.push(truth);
        unacknowledged.set(truth.sequence, truth);
      }
      // Newest first, as an agent with a back-fill does; now and then something that was acknowledged long ago.
      for (const truth of [...unacknowledged.values()].reverse()) victim.send(truth);
      const old = truths[Math.floor(random() * truths.length)];
      if (old) victim.send(old);
      if (isLast) while (unacknowledged.size > 0) await wait(10);
      else if (point === "time") await victim.until("answer", random() * BATCHES_PER_ROUND);
      else await victim.dead();
      await victim.kill();
      kills += 1;
    }
    await withStores(async ({ db }, warehouse) => {
      const rows = await db.selectFrom("segments").select("rows").where("state", "=", "live").execute();
      const batches = await db.selectFrom("ledger_batches").select("state").execute();
      const groups = await warehouse.usage(["prod-eu"], HOUR);
      console.log(
        `${kills} kills, ${truths.length} batches, ${duplicates} sent again after their commit, ${orphans} orphans`,
      );
      // Rows of the files, not of the answers: those would hide a batch that was written twice.
      expect(rows.reduce((sum, row) => sum + row.rows, 0)).toBe(truths.reduce((sum, { pods }) => sum + pods, 0));
      expect(batches.map(({ state }) => state)).toEqual(truths.map(() => "applied"));
      expect(groups.reduce((sum, { charged }) => sum + charged, 0n)).toBe(expectedCharge());
      expect(await db.selectFrom("ledger_marks").select(["contiguous", "ranges"]).execute()).toEqual([
        { contiguous: truths.length, ranges: "[]" },
      ]);
      expect(await db.selectFrom("quarantine").selectAll().execute()).toEqual([]);
    });
    // A run in which nothing was ever caught half-way proves nothing.
    expect(duplicates).toBeGreaterThan(0);
    expect(orphans).toBeGreaterThan(0);
  }, 120_000);

  it("loses and doubles nothing when it is killed while it merges files and prices hours", async () => {
    const nodes = seal(keyOf(truths.length + 1), { kind: "node", rows: [nodeRow()] });
    const victim = new Victim("ingest");
    await victim.until("ready");
    victim.send({ sequence: 0, bytes: nodes.bytes, pods: 0, charged: 0n });
    await victim.until("answer");
    await victim.kill();
    let [orphans, rounds] = [0, 0];
    for (let round = 0; round < UPKEEP_ROUNDS; round += 1) {
      const point = ["time", "written", "flushed"][round % 3] ?? "time";
      const upkeep = new Victim("upkeep", point);
      if (point === "time") await upkeep.until("round");
      else await upkeep.dead();
      await upkeep.kill();
      orphans += upkeep.orphans;
      rounds += upkeep.messages.filter(({ kind }) => kind === "round").length;
    }
    await withStores(async ({ db }, warehouse) => {
      expect((await warehouse.recover()).filter(({ fault }) => fault !== "orphan")).toEqual([]);
      const groups = await warehouse.usage(["prod-eu"], HOUR);
      expect(groups.reduce((sum, { charged }) => sum + charged, 0n)).toBe(expectedCharge());
      const [hour] = await db.selectFrom("cost_hours").selectAll().execute();
      const asked = [{ clusterId: "prod-eu", hourStartMs: HOUR, revision: hour?.revision ?? 0 }];
      const sums = await warehouse.cost(asked, { by: [], namespace: null });
      // 4 cores and 16 GiB at the default prices.
      expect(sums.reduce((sum, { total }) => sum + total, 0n)).toBe(4n * 31_611_000n + 16n * 4_237_000n);
      expect(orphans).toBeGreaterThan(0);
      console.log(`${UPKEEP_ROUNDS} kills, ${rounds} rounds, revision ${hour?.revision}, ${orphans} orphans`);
    });
  }, 120_000);
});
