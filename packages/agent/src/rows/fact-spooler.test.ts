import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Batch,
  type NodeRow,
  openEnvelope,
  parseEnvelope,
  type SampleRow,
  type UsageRow,
} from "@plimsoll/contracts/wire";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { createHubClock } from "../channel/hub-clock.ts";
import { createCounters } from "../counters.ts";
import { openSpool } from "../spool/disk-spool.ts";
import type { Spool } from "../spool/spool.ts";
import { type MemoryDisks, memoryDisks } from "../spool/testing/memory-disks.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoint-file.ts";
import { readEntryHead } from "./entry-head.ts";
import { FactSpooler } from "./fact-spooler.ts";

const HOUR = Date.UTC(2026, 0, 31, 8);
const clock = createManualClock(HOUR + 60_000);

const usageRow = (podUid: string, more: Partial<UsageRow> = {}): UsageRow => ({
  podUid,
  intervalStartMs: HOUR,
  hourStartMs: HOUR,
  asOfMs: HOUR + 30_000,
  intervalEndMs: null,
  clamped: false,
  billedMs: 30_000,
  unseenMs: 0,
  mode: "push",
  podName: podUid,
  nodeName: "n1",
  nodeUid: null,
  attribution: {
    namespace: "shop",
    workloadType: "Deployment",
    workloadName: "cart",
    costCenter: null,
    env: null,
    ownerTeam: null,
    labelSource: "none",
    labels: {},
  },
  resources: new Map([["cpu", { request: 3n, usage: 0n, charged: 3n, usageCoveredMs: 0 }]]),
  ...more,
});

const nodeRow: NodeRow = {
  nodeUid: "n",
  hourStartMs: HOUR,
  asOfMs: HOUR + 30_000,
  nodeName: "n1",
  createdMs: HOUR - 1,
  deletedMs: null,
  instanceType: null,
  region: null,
  zone: null,
  pool: null,
  machineDeployment: null,
  providerId: null,
  spot: false,
  virtual: false,
  presentMs: 30_000,
  schedulableMs: 30_000,
  resources: new Map(),
};

const sampleRow: SampleRow = {
  scope: "cluster",
  subject: "",
  resource: "cpu",
  windowStartMs: HOUR,
  windowMs: 300_000,
  requested: 0,
  usedMin: null,
  usedAvg: null,
  usedMax: null,
  readings: 0,
};

let files: MemoryDisks;
let spool: Spool;
let spooler: FactSpooler;
let lines: string[];
/** What the log throws, if it does. */
let broken: Error | undefined;
let counters: ReturnType<typeof createCounters>;

beforeEach(async () => {
  files = memoryDisks();
  lines = [];
  broken = undefined;
  counters = createCounters();
  await reopen();
});

async function reopen(maxBytes = 1e9, maxAgeMs = 1e12): Promise<void> {
  spool = await openSpool({
    files,
    maxBytes: () => maxBytes,
    maxAgeMs: () => maxAgeMs,
    now: () => clock.now(),
    readHead: readEntryHead,
    keepDamage: async () => {},
  });
  spooler = new FactSpooler({
    identity: { clusterId: "c-1", incarnation: 2 },
    spool,
    clock,
    hubClock: createHubClock(clock),
    policyRevision: () => 7,
    log: (_, event) => {
      if (broken) throw broken;
      lines.push(event);
    },
    count: counters.add,
  });
}

const NOTHING = { usage: [], nodes: [], samples: [], gaps: [] };

async function spooled(now = true): Promise<Batch[]> {
  const batches: Batch[] = [];
  const reader = spool.reader();
  for (let batch = await reader.next(); batch; batch = await reader.next()) {
    const envelope = parseEnvelope(batch.bytes);
    expect(envelope).toMatchObject({
      key: { clusterId: "c-1", incarnation: 2 },
      policyRevision: 7,
      ...(now ? { sealedAtMs: clock.now() } : {}),
    });
    batches.push(openEnvelope(envelope));
  }
  return batches;
}

describe("rows of a flush", () => {
  test("are sealed by kind and spooled, facts before samples", async () => {
    await spooler.spool({ usage: [usageRow("a"), usageRow("b")], nodes: [nodeRow], samples: [sampleRow], gaps: [] });
    expect(await spooled()).toEqual([
      { kind: "usage", rows: [usageRow("a"), usageRow("b")] },
      { kind: "node", rows: [nodeRow] },
      { kind: "sample", rows: [sampleRow] },
    ]);
    expect(counters.all()).toMatchObject({ batches_spooled: 3, usage_rows: 2 });
  });

  test("make no batch where there are none", async () => {
    await spooler.spool(NOTHING);
    expect(await spooled()).toEqual([]);
  });

  test("do not keep each other back: a row that the wire has no form for is refused alone", async () => {
    const bad = usageRow("bad", { intervalStartMs: -1 });
    await spooler.spool({ ...NOTHING, usage: [usageRow("a"), bad, usageRow("b"), usageRow("c")] });
    const rows = (await spooled()).flatMap((batch) => (batch.kind === "usage" ? batch.rows : []));
    expect(rows.map((row) => row.podUid).sort()).toEqual(["a", "b", "c"]);
    expect(counters.all()).toMatchObject({ rows_refused: 1 });
  });

  test("are split when they are more than a batch takes", async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => usageRow(`p${index}`));
    await spooler.spool({ ...NOTHING, usage: rows });
    expect((await spooled()).map((batch) => batch.rows.length)).toEqual([10_000, 1]);
  });
});

describe("a disk that takes nothing", () => {
  test("costs no usage: the newest row of each key waits for it", async () => {
    files.usage.room = 0;
    await spooler.spool({ ...NOTHING, usage: [usageRow("a"), usageRow("b")], samples: [sampleRow] });
    await spooler.spool({ ...NOTHING, usage: [usageRow("a", { asOfMs: HOUR + 40_000 })] });
    expect(spooler.waiting).toBe(3);
    expect(lines).toEqual(["spool_failing"]);
    files.usage.room = 1e9;
    await spooler.spool({ ...NOTHING, nodes: [nodeRow] });
    expect(await spooled()).toEqual([
      { kind: "usage", rows: [usageRow("a", { asOfMs: HOUR + 40_000 }), usageRow("b")] },
      { kind: "node", rows: [nodeRow] },
      { kind: "sample", rows: [sampleRow] },
    ]);
    expect(lines).toEqual(["spool_failing", "spool_writable"]);
    expect(spooler.waiting).toBe(0);
  });
});

test("a flush that fails fails alone: the next one spools its rows too", async () => {
  files.usage.room = 0;
  broken = new Error("the log is closed");
  await expect(spooler.spool({ ...NOTHING, usage: [usageRow("a")] })).rejects.toThrow("the log is closed");
  broken = undefined;
  files.usage.room = 1e9;
  await spooler.spool({ ...NOTHING, usage: [usageRow("b")] });
  expect(await spooled()).toEqual([{ kind: "usage", rows: [usageRow("a"), usageRow("b")] }]);
});

describe("what is lost", () => {
  test("by damage becomes a gap with its sequences, once", async () => {
    await spooler.spool({ ...NOTHING, usage: [usageRow("a")] });
    await spooler.spool({ ...NOTHING, usage: [usageRow("b")] });
    const { spoolId } = spool.figures();
    files.usage.flip(() => 0.99);
    await reopen();
    await spooler.spool(NOTHING);
    await spooler.spool(NOTHING);
    const gaps = (await spooled()).flatMap((batch) => (batch.kind === "gap" ? batch.rows : []));
    expect(gaps).toMatchObject([
      {
        reason: "spool_corrupt",
        missing: "usage",
        lostBatches: 1,
        lostSequences: { spoolId, first: 2, last: 2 },
        endMs: clock.now(),
      },
    ]);
  });

  test("for want of room becomes a gap of samples, and usage stays, merged into fewer batches", async () => {
    await reopen(3_000);
    const pods = Array.from({ length: 20 }, (_, round) => `p${round}`);
    for (const pod of pods) await spooler.spool({ ...NOTHING, usage: [usageRow(pod)], samples: [sampleRow] });
    const batches = await spooled();
    const usage = batches.flatMap((batch) => (batch.kind === "usage" ? batch.rows : []));
    expect(usage.map(({ podUid }) => podUid).sort()).toEqual(pods.toSorted());
    expect(spool.figures().coarsened).toBeGreaterThan(0);
    const gaps = batches.flatMap((batch) => (batch.kind === "gap" ? batch.rows : []));
    const dropped = gaps.reduce((sum, gap) => sum + gap.lostBatches, 0);
    expect(dropped).toBeGreaterThan(0);
    expect(spool.figures()).toMatchObject({ dropped, gaps: gaps.length });
    expect(new Set(gaps.map((gap) => `${gap.reason} ${gap.missing}`))).toEqual(new Set(["spool_full sample"]));
  });

  test("for age becomes a gap of samples, and usage stays whatever its age", async () => {
    await reopen(1e9, 3_600_000);
    await spooler.spool({ ...NOTHING, usage: [usageRow("a")], samples: [sampleRow] });
    const sealedAtMs = clock.now();
    clock.advance(3_600_001);
    await spooler.spool(NOTHING);
    const batches = await spooled(false);
    expect(batches.map(({ kind }) => kind)).toEqual(["usage", "gap"]);
    expect(batches[1]?.rows).toMatchObject([
      { reason: "spool_age", missing: "sample", lostBatches: 1, startMs: sealedAtMs, endMs: sealedAtMs },
    ]);
  });

  test("of samples that no disk takes becomes a gap once the memory for them is full", async () => {
    files.sample.room = 0;
    const rows = Array.from({ length: 20_003 }, (_, index) => ({ ...sampleRow, subject: `n${index}` }));
    await spooler.spool({ ...NOTHING, samples: rows });
    expect(counters.all()).toMatchObject({ samples_dropped: 3 });
    files.sample.room = 1e9;
    await spooler.spool(NOTHING);
    const batches = await spooled();
    expect(batches.flatMap((batch) => (batch.kind === "sample" ? batch.rows : []))).toHaveLength(20_000);
    expect(batches.flatMap((batch) => (batch.kind === "gap" ? batch.rows : []))).toMatchObject([
      { reason: "disk_full", missing: "sample", lostRows: 3, startMs: HOUR, endMs: HOUR + 300_000 },
    ]);
  });
});

describe("a checkpoint", () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), "plimsoll-checkpoint-"));
  });
  afterEach(() => rm(path, { recursive: true }));

  const checkpoint = { podsSeenMs: HOUR + 30_000, nodesSeenMs: null, usage: [usageRow("a")], nodes: [nodeRow] };

  test("comes back as it was kept, and leaves no other file behind", async () => {
    const file = join(path, "meter.checkpoint");
    expect(await readCheckpoint(file)).toBeUndefined();
    await writeCheckpoint(file, { ...checkpoint, usage: [] });
    await writeCheckpoint(file, checkpoint);
    expect(await readCheckpoint(file)).toEqual(checkpoint);
    expect(await readdir(path)).toEqual(["meter.checkpoint"]);
  });

  test("counts whole or not at all: whatever byte is damaged or missing, nothing is made up", async () => {
    const file = join(path, "meter.checkpoint");
    await writeCheckpoint(file, checkpoint);
    const bytes = await readFile(file);
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      await writeFile(file, damaged);
      expect(await readCheckpoint(file)).toBeUndefined();
      await writeFile(file, bytes.subarray(0, at));
      expect(await readCheckpoint(file)).toBeUndefined();
    }
  });
});
