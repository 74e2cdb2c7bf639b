import { PlimsollError } from "@plimsoll/contracts";
import { type BatchKey, type Envelope, parseEnvelope, sealBatch, type UsageRow } from "@plimsoll/contracts/wire";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Bed,
  gapRow,
  HOUR,
  HOUR_MS,
  held,
  keyOf,
  nodeRow,
  openBed,
  sampleRow,
  seal,
  usageRow,
} from "../../../../test/hub/facts.ts";
import { type ClusterIdentity, createIngest, type IngestConfig } from "./create-ingest.ts";
import type { Ingest } from "./ingest.ts";

const AGENT = { clusterId: "prod-eu", name: "grpc 127.0.0.1" };
const NOW = HOUR + 2 * HOUR_MS;

const open: Bed[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

interface IngestBed extends Bed {
  readonly ingest: Ingest;
  readonly errors: unknown[];
}

async function bed(change: (at: Bed) => Partial<IngestConfig> = () => ({})): Promise<IngestBed> {
  const at = await openBed();
  open.push(at);
  const errors: unknown[] = [];
  return { ...at, errors, ingest: ingestOn(at, { onError: (error) => errors.push(error), ...change(at) }) };
}

const CLUSTERS = new Map<string, ClusterIdentity>([
  ["prod-eu", { incarnation: 1, gone: false }],
  ["prod-us", { incarnation: 3, gone: false }],
  ["gone", { incarnation: 1, gone: true }],
]);

function ingestOn({ ledger, quarantine, warehouse }: Bed, change: Partial<IngestConfig> = {}): Ingest {
  return createIngest({
    ledger,
    quarantine,
    warehouse,
    clusterOf: async (clusterId) => CLUSTERS.get(clusterId),
    now: () => NOW,
    commitEveryMs: 0,
    ...change,
  });
}

const usage = (key: BatchKey, ...rows: readonly Partial<UsageRow>[]): Envelope =>
  seal(key, { kind: "usage", rows: rows.map((row) => usageRow(row)) });
const oneCoreSecond = (podUid: string): Partial<UsageRow> => ({ podUid, resources: new Map([["cpu", held(1n, 1)]]) });

/** Bytes of an envelope with some of them exchanged. */
function altered({ bytes }: Envelope, change: (bytes: Buffer) => void): Uint8Array {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

function damagePayload(bytes: Buffer): void {
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
}

async function chargedPods({ warehouse }: Bed, clusterId = "prod-eu"): Promise<number> {
  const groups = await warehouse.usage([clusterId], HOUR);
  return groups.reduce((sum, { charged }) => sum + Number(charged), 0);
}

describe("a good batch", () => {
  it.each([
    ["usage", seal(keyOf(1), { kind: "usage", rows: [usageRow()] })],
    ["node", seal(keyOf(1), { kind: "node", rows: [nodeRow()] })],
    ["sample", seal(keyOf(1), { kind: "sample", rows: [sampleRow(), sampleRow({ resource: "memory" })] })],
    ["gap", seal(keyOf(1), { kind: "gap", rows: [gapRow()] })],
  ] as const)("of kind %s is durable and counted when it is acknowledged", async (kind, envelope) => {
    const at = await bed();
    expect(await at.ingest.ingestEnvelope(envelope.bytes, AGENT)).toEqual({
      kind: "ack",
      clusterId: "prod-eu",
      mark: { spoolId: "spool-a", contiguous: 1, ranges: [] },
      verdict: "applied",
    });
    const segments = await at.store.db.selectFrom("segments").select("kind").execute();
    expect(segments).toEqual([{ kind }]);
    expect(at.ingest.figures()).toMatchObject({
      batches: { applied: 1 },
      rows: { [kind]: envelope.rows },
      commits: 1,
      waitingBytes: 0,
    });
    expect(at.errors).toEqual([]);
  });

  it("that stands for others is as old as the last of them: what was sealed in between is newer", async () => {
    const at = await bed();
    const row = (seconds: number) => ({ podUid: "a", resources: new Map([["cpu", held(1n, seconds)]]) });
    const merged = seal(keyOf(4), { kind: "usage", rows: [usageRow(row(5))] }, { first: 1, last: 2 });
    for (const { bytes } of [merged, usage(keyOf(3), row(7))]) await at.ingest.ingestEnvelope(bytes, AGENT);
    expect(await chargedPods(at)).toBe(7);
    expect(await at.ingest.mark(keyOf(1))).toMatchObject({ contiguous: 4, ranges: [] });
  });

  it("counts once, however often and in whatever order it comes", async () => {
    const at = await bed();
    const envelopes = [1, 2, 3].map((sequence) => usage(keyOf(sequence), oneCoreSecond(`pod-${sequence}`)));
    for (const index of [2, 0, 2, 1, 0])
      await at.ingest.ingestEnvelope(envelopes[index]?.bytes ?? new Uint8Array(), AGENT);
    expect(await chargedPods(at)).toBe(3);
    expect(await at.ingest.mark(keyOf(1))).toMatchObject({ contiguous: 3, ranges: [] });
    expect(at.ingest.figures().batches).toMatchObject({ applied: 3, duplicate: 2 });
  });

  it("shares its commit and its files with those that come at the same time", async () => {
    const at = await bed();
    const envelopes = Array.from({ length: 50 }, (_, index) => usage(keyOf(index + 1), oneCoreSecond(`pod-${index}`)));
    const answers = await Promise.all(envelopes.map(({ bytes }) => at.ingest.ingestEnvelope(bytes, AGENT)));
    expect(answers.every((answer) => answer.kind === "ack")).toBe(true);
    expect(at.ingest.figures().commits).toBeLessThanOrEqual(2);
    expect(await at.store.db.selectFrom("segments").select("rows").execute()).toHaveLength(at.ingest.figures().commits);
    expect(await chargedPods(at)).toBe(50);
  });

  it("is not acknowledged before its commit is durable", async () => {
    const events: string[] = [];
    const at = await bed(({ ledger, warehouse }) => ({
      warehouse: {
        ...warehouse,
        append: async (batches) => warehouse.append(batches).finally(() => events.push("files")),
      },
      ledger: { ...ledger, commit: async (commit) => ledger.commit(commit).finally(() => events.push("commit")) },
    }));
    await at.ingest.ingestEnvelope(usage(keyOf(1), {}).bytes, AGENT).then(() => events.push("ack"));
    expect(events).toEqual(["files", "commit", "ack"]);
  });

  it("makes its hours wait for pricing; a gap only those that have facts", async () => {
    const at = await bed();
    const gap = gapRow({ startMs: HOUR - 5 * HOUR_MS, endMs: HOUR + 1 });
    await at.ingest.ingestEnvelope(usage(keyOf(1), {}).bytes, AGENT);
    await at.ingest.ingestEnvelope(seal(keyOf(2), { kind: "gap", rows: [gap] }).bytes, AGENT);
    await at.ingest.ingestEnvelope(seal(keyOf(3), { kind: "sample", rows: [sampleRow()] }).bytes, AGENT);
    const hours = await at.store.db.selectFrom("cost_hours").select(["hour_start_ms", "facts_version"]).execute();
    expect(hours).toEqual([{ hour_start_ms: HOUR, facts_version: 2 }]);
  });
});

describe("a batch that cannot be applied", () => {
  const good = usage(keyOf(1), {});
  const manyHours = Array.from({ length: 101 }, (_, index) =>
    usageRow({
      hourStartMs: HOUR - index * HOUR_MS,
      asOfMs: HOUR - index * HOUR_MS,
      intervalStartMs: HOUR - 200 * HOUR_MS,
    }),
  );
  const cases: readonly (readonly [string, string, Uint8Array, { readonly place: boolean }])[] = [
    ["is no envelope", "batch_invalid", Buffer.from("hello"), { place: false }],
    ["is empty", "batch_invalid", new Uint8Array(), { place: false }],
    [
      "is another cluster's",
      "batch_of_other_cluster",
      usage(keyOf(1, { clusterId: "prod-us" }), {}).bytes,
      { place: false },
    ],
    ["is of an incarnation to come", "batch_invalid", usage(keyOf(1, { incarnation: 2 }), {}).bytes, { place: false }],
    ["was damaged", "batch_hash_mismatch", altered(good, damagePayload), { place: true }],
    [
      "has rows of a hundred hours",
      "batch_invalid",
      seal(keyOf(1), { kind: "usage", rows: manyHours }).bytes,
      { place: true },
    ],
    [
      "stands for too many others",
      "batch_invalid",
      seal(keyOf(20_000), { kind: "gap", rows: [gapRow()] }, { first: 1, last: 15_000 }).bytes,
      { place: true },
    ],
  ];

  it.each(cases)("because it %s is rejected, kept, counted, and in nobody's way", async (_, code, bytes, { place }) => {
    const at = await bed();
    const answer = await at.ingest.ingestEnvelope(bytes, AGENT);
    expect(answer).toMatchObject({ kind: "reject", code, clusterId: "prod-eu" });
    const [kept] = (await at.quarantine.page({ scope: "all", limit: 10 })).entries;
    expect(kept).toMatchObject({ code, source: "grpc 127.0.0.1", byte_count: bytes.length, times: 1 });
    expect(Buffer.from((await at.quarantine.bytes(kept?.id ?? 0)) ?? [])).toEqual(Buffer.from(bytes));
    expect(at.ingest.figures()).toMatchObject({ batches: { rejected: 1 }, rejectedByCode: { [code]: 1 } });
    expect(await at.store.db.selectFrom("segments").selectAll().execute()).toEqual([]);
    const states = await at.store.db.selectFrom("ledger_batches").select("state").execute();
    expect(states).toEqual(place ? [{ state: "quarantined" }] : []);
    expect(await at.ingest.ingestEnvelope(usage(keyOf(2), {}).bytes, AGENT)).toMatchObject({ verdict: "applied" });
    expect(at.errors).toEqual([]);
  });

  it("because another content came under its key keeps the first, whether they come apart or together", async () => {
    for (const together of [false, true]) {
      const at = await bed();
      const [first, second] = [usage(keyOf(1), oneCoreSecond("a")), usage(keyOf(1), oneCoreSecond("b"))];
      const one = at.ingest.ingestEnvelope(first.bytes, AGENT);
      if (!together) await one;
      const other = at.ingest.ingestEnvelope(second.bytes, AGENT);
      expect([await one, await other]).toMatchObject([
        { verdict: "applied" },
        { kind: "reject", code: "batch_conflict", sequence: 1 },
      ]);
      expect(await chargedPods(at)).toBe(1);
      expect((await at.quarantine.page({ scope: "all", limit: 10 })).entries).toHaveLength(1);
    }
  });

  it("only because its copy was damaged counts when the good one comes, before, with or after it", async () => {
    const damaged = altered(good, damagePayload);
    for (const order of [
      [good.bytes, damaged],
      [damaged, good.bytes],
    ]) {
      for (const together of [false, true]) {
        const at = await bed();
        const answers = order.map((bytes) => () => at.ingest.ingestEnvelope(bytes, AGENT));
        if (together) await Promise.all(answers.map((answer) => answer()));
        else for (const answer of answers) await answer();
        expect(at.ingest.figures().batches).toMatchObject({ applied: 1, rejected: 1 });
        expect(await at.warehouse.usage(["prod-eu"], HOUR)).toHaveLength(2);
        expect(await at.ingest.mark(keyOf(1))).toMatchObject({ contiguous: 1 });
      }
    }
  });

  it("and comes again only raises the count of its row", async () => {
    const at = await bed();
    for (let i = 0; i < 3; i += 1) await at.ingest.ingestEnvelope(Buffer.from("hello"), AGENT);
    expect((await at.quarantine.page({ scope: "all", limit: 10 })).entries).toMatchObject([{ times: 3 }]);
  });

  it("may be replayed when the hub has learnt to read it, and counts once then", async () => {
    let now = HOUR - 3 * 24 * HOUR_MS;
    const at = await bed(() => ({ now: () => now }));
    const envelope = usage(keyOf(1), oneCoreSecond("a"));
    expect(await at.ingest.ingestEnvelope(envelope.bytes, AGENT)).toMatchObject({
      kind: "reject",
      code: "batch_time_invalid",
    });
    const [kept] = (await at.quarantine.page({ scope: "all", limit: 1 })).entries;
    now = NOW;
    expect(await at.ingest.replay(kept?.id ?? 0)).toMatchObject({ verdict: "applied" });
    expect(await at.ingest.replay(kept?.id ?? 0)).toMatchObject({ verdict: "duplicate" });
    expect(await at.ingest.replay(99)).toBeNull();
    expect(await chargedPods(at)).toBe(1);
    expect((await at.quarantine.page({ scope: "all", limit: 1 })).entries).toMatchObject([{ replayed_at_ms: NOW }]);
  });
});

describe("a batch that is refused by its head", () => {
  const [future, sealedAtMs] = [{ kind: "usage", rows: [usageRow()] } as const, NOW + 3 * 24 * HOUR_MS];
  const ahead = (key: BatchKey) =>
    sealBatch(key, future, { sealedAtMs, agentClockMs: sealedAtMs, policyRevision: 1, replaces: null });

  it.each([
    ["was sealed in days to come", "batch_time_invalid", ahead(keyOf(7)).bytes],
    ["is another cluster's", "batch_of_other_cluster", usage(keyOf(7, { clusterId: "prod-us" }), {}).bytes],
    ["is of an incarnation to come", "batch_invalid", usage(keyOf(7, { incarnation: 2 }), {}).bytes],
    ["is larger than may be", "batch_too_large", Buffer.concat([ahead(keyOf(7)).bytes, unknownField()])],
  ])("because it %s is named to its sender, who lets go of it", async (_, code, bytes) => {
    const at = await bed();
    const answer = await at.ingest.ingestEnvelope(bytes, AGENT);
    expect(answer).toMatchObject({ kind: "reject", code, spoolId: "spool-a", sequence: 7 });
  });

  it("has its place in the mark of its own cluster, so that it is no hole, and may count later", async () => {
    let now = NOW;
    const at = await bed(() => ({ now: () => now }));
    await at.ingest.ingestEnvelope(ahead(keyOf(1)).bytes, AGENT);
    await at.ingest.ingestEnvelope(usage(keyOf(2, { incarnation: 2 }), {}).bytes, AGENT);
    expect(await at.ingest.mark(keyOf(1))).toMatchObject({ contiguous: 1, ranges: [] });
    const [, kept] = (await at.quarantine.page({ scope: "all", limit: 2 })).entries;
    expect(kept).toMatchObject({ code: "batch_time_invalid", spool_id: "spool-a", sequence: 1 });
    now = sealedAtMs;
    expect(await at.ingest.replay(kept?.id ?? 0)).toMatchObject({ verdict: "applied" });
    expect(await at.ingest.mark(keyOf(1))).toMatchObject({ contiguous: 1 });
  });
});

/** Field 99 of a later release, of 16 MiB. */
function unknownField(): Uint8Array {
  return Buffer.concat([Buffer.from([0x9a, 0x06, 0x80, 0x80, 0x80, 0x08]), Buffer.alloc(2 ** 24)]);
}

describe("who may deliver", () => {
  it.each([
    ["was never registered", keyOf(1, { clusterId: "nobody" })],
    ["is deregistered", keyOf(1, { clusterId: "gone" })],
    ["has a newer incarnation", keyOf(1, { clusterId: "prod-us", incarnation: 2 })],
  ])("not a cluster that %s: it is told to stop, and nothing is kept", async (_, key) => {
    const at = await bed();
    const answer = await at.ingest.ingestEnvelope(usage(key, {}).bytes, { clusterId: key.clusterId, name: "grpc" });
    expect(answer).toMatchObject({ kind: "deregistered", clusterId: key.clusterId, incarnation: key.incarnation });
    expect((await at.quarantine.page({ scope: "all", limit: 10 })).entries).toEqual([]);
    expect(at.ingest.figures().batches.deregistered).toBe(1);
  });

  it("a relay for every cluster", async () => {
    const at = await bed();
    const relay = { clusterId: null, name: "relay hub-b" };
    const other = usage(keyOf(1, { clusterId: "prod-us", incarnation: 3 }), {});
    expect(await at.ingest.ingestEnvelope(other.bytes, relay)).toMatchObject({ kind: "ack", clusterId: "prod-us" });
    expect(await at.ingest.ingestEnvelope(usage(keyOf(1), {}).bytes, relay)).toMatchObject({ kind: "ack" });
  });
});

describe("when something is wrong with the hub", () => {
  const down = new PlimsollError("warehouse_unavailable", { doing: "written", reason: "no space left" });

  it("asks to come back, keeps nothing, and applies the batch then", async () => {
    let broken = true;
    const at = await bed(({ warehouse }) => ({
      warehouse: {
        ...warehouse,
        append: async (batches) => (broken ? Promise.reject(down) : warehouse.append(batches)),
      },
    }));
    const { bytes } = usage(keyOf(1), oneCoreSecond("a"));
    expect(await at.ingest.ingestEnvelope(bytes, AGENT)).toMatchObject({
      kind: "retry",
      code: "warehouse_unavailable",
    });
    expect(await at.ingest.mark(keyOf(1))).toMatchObject({ contiguous: 0 });
    broken = false;
    expect(await at.ingest.ingestEnvelope(bytes, AGENT)).toMatchObject({ verdict: "applied" });
    expect(await chargedPods(at)).toBe(1);
  });

  it("asks to come back when the registry does not answer", async () => {
    const at = await bed(() => ({ clusterOf: () => Promise.reject(new Error("SQLITE_IOERR")) }));
    expect(await at.ingest.ingestEnvelope(usage(keyOf(1), {}).bytes, AGENT)).toMatchObject({
      kind: "retry",
      code: "internal",
    });
    expect(at.errors).toHaveLength(1);
  });

  it("lets a batch that breaks the engine harm no other that came with it", async () => {
    const at = await bed(({ warehouse }) => ({
      warehouse: {
        ...warehouse,
        append: (batches) =>
          batches.some(({ key }) => key.sequence === 3) ? Promise.reject(down) : warehouse.append(batches),
      },
    }));
    const envelopes = [1, 2, 3, 4].map((sequence) => usage(keyOf(sequence), oneCoreSecond(`pod-${sequence}`)));
    const answers = await Promise.all(envelopes.map(({ bytes }) => at.ingest.ingestEnvelope(bytes, AGENT)));
    expect(answers.map(({ kind }) => kind)).toEqual(["ack", "ack", "retry", "ack"]);
    expect(await at.ingest.mark(keyOf(1))).toMatchObject({ contiguous: 2, ranges: [{ first: 4, last: 4 }] });
    expect(await chargedPods(at)).toBe(3);
  });

  it("counts once even when two writers are at the same ledger", async () => {
    const at = await bed();
    const second = ingestOn(at);
    const { bytes } = usage(keyOf(1), oneCoreSecond("a"));
    const answers = await Promise.all([at.ingest, second].map((ingest) => ingest.ingestEnvelope(bytes, AGENT)));
    expect(answers.map((answer) => answer.kind === "ack" && answer.verdict).sort()).toEqual(["applied", "duplicate"]);
    expect(await chargedPods(at)).toBe(1);
    expect(await at.warehouse.recover()).toEqual([]);
  });

  it("accepts no more than may wait, and nothing any more once it is stopped", async () => {
    const { bytes } = usage(keyOf(1), {});
    const at = await bed(() => ({ maxWaitingBytes: Math.floor(bytes.length * 2.5) }));
    const answers = [1, 2, 3].map((sequence) => at.ingest.ingestEnvelope(usage(keyOf(sequence), {}).bytes, AGENT));
    const stopping = at.ingest.stop();
    expect((await Promise.all(answers)).map(({ kind }) => kind).sort()).toEqual(["ack", "ack", "retry"]);
    await stopping;
    expect(await at.ingest.ingestEnvelope(bytes, AGENT)).toMatchObject({ kind: "retry", code: "hub_busy" });
  });
});

it("reads the head of what it is given", () => {
  // The cases above rely on it: the altered byte is inside the payload.
  expect(parseEnvelope(usage(keyOf(1), {}).bytes).payload.length).toBeGreaterThan(20);
});
