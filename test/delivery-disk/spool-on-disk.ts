import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  type Batch,
  type Envelope,
  openEnvelope,
  parseEnvelope,
  type SampleRow,
  type UsageRow,
} from "@plimsoll/contracts/wire";
import { createHubClock } from "../../packages/agent/src/channel/hub-clock.ts";
import { createCounters } from "../../packages/agent/src/counters.ts";
import { readEntryHead } from "../../packages/agent/src/rows/entry-head.ts";
import { FactSpooler } from "../../packages/agent/src/rows/fact-spooler.ts";
import { openSpoolFolder } from "../../packages/agent/src/spool/open-spool-folder.ts";
import type { Spool } from "../../packages/agent/src/spool/spool.ts";
import { createManualClock } from "../../packages/collect/src/kube/testing/manual-clock.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 31, 8);
const PODS = 200;
const NODES = 300;

/** An agent's spool in a folder, with a clock by hand and facts of a small cluster. */
export interface SpoolOnDisk {
  readonly spool: Spool;
  readonly spooler: FactSpooler;
  readonly log: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[];
  readonly counts: () => Readonly<Record<string, number>>;
  /** One flush of the cluster's facts, five minutes after the one before. */
  flush(): Promise<void>;
  /** The newest row of each key that was ever given to the spooler. */
  readonly truth: ReadonlyMap<string, UsageRow>;
  readonly samples: () => number;
}

/** Opens it, with a limit of `maxBytes`. */
export async function openOnDisk(path: string, maxBytes = 1e9): Promise<SpoolOnDisk> {
  const truth = new Map<string, UsageRow>();
  const clock = createManualClock(START);
  const counters = createCounters();
  const log: { event: string; fields: Readonly<Record<string, unknown>> }[] = [];
  const spool = await openSpoolFolder(join(path, "spool"), {
    maxBytes: () => maxBytes,
    maxAgeMs: () => 1e12,
    segmentBytes: 32 * 1024,
    reserveBytes: 128 * 1024,
    now: () => clock.now(),
    readHead: readEntryHead,
    keepDamage: async () => {},
  });
  const spooler = new FactSpooler({
    identity: { clusterId: "c-1", incarnation: 1 },
    spool,
    clock,
    hubClock: createHubClock(clock),
    policyRevision: () => 1,
    log: (_, event, fields = {}) => log.push({ event, fields }),
    count: counters.add,
  });
  let samples = 0;
  return {
    spool,
    spooler,
    log,
    counts: counters.all,
    truth,
    samples: () => samples,
    async flush() {
      clock.advance(300_000);
      const usage = Array.from({ length: PODS }, (_, index) => usageRow(`pod-${index}`, clock.now()));
      for (const row of usage) truth.set(keyOf(row), row);
      const rows = sampleRows(clock.now());
      samples += rows.length;
      await spooler.spool({ usage, nodes: [], samples: rows, gaps: [] });
    },
  };
}

/** Every batch that waits, as it is sealed. */
export async function readEnvelopes(spool: Spool): Promise<readonly Envelope[]> {
  const envelopes: Envelope[] = [];
  const reader = spool.reader();
  for (let batch = await reader.next(); batch; batch = await reader.next()) envelopes.push(parseEnvelope(batch.bytes));
  reader.close();
  return envelopes;
}

/** Every batch that waits, opened. */
export async function readAll(spool: Spool): Promise<readonly Batch[]> {
  return (await readEnvelopes(spool)).map((envelope) => openEnvelope(envelope));
}

/** The newest usage row of each key. */
export function newestUsage(batches: readonly Batch[]): ReadonlyMap<string, UsageRow> {
  const newest = new Map<string, UsageRow>();
  for (const batch of batches) {
    for (const row of batch.kind === "usage" ? batch.rows : []) {
      if (row.asOfMs >= (newest.get(keyOf(row))?.asOfMs ?? 0)) newest.set(keyOf(row), row);
    }
  }
  return newest;
}

function keyOf({ podUid, hourStartMs }: UsageRow): string {
  return `${podUid} ${hourStartMs}`;
}

function usageRow(podUid: string, nowMs: number): UsageRow {
  const hourStartMs = Math.floor((nowMs - 1) / HOUR_MS) * HOUR_MS;
  const billedMs = nowMs - hourStartMs;
  const amount = BigInt(billedMs) * 250_000n + BigInt(scattered(`${podUid} ${nowMs}`));
  return {
    podUid,
    intervalStartMs: START,
    hourStartMs,
    asOfMs: nowMs,
    intervalEndMs: null,
    clamped: false,
    billedMs,
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
    resources: new Map([["cpu", { request: amount, usage: amount, charged: amount, usageCoveredMs: billedMs }]]),
  };
}

function sampleRows(nowMs: number): SampleRow[] {
  const windowStartMs = nowMs - (nowMs % 300_000) - 300_000;
  return Array.from({ length: NODES }, (_, index) => {
    const usedAvg = scattered(`node ${index} ${nowMs}`);
    return {
      scope: "node",
      subject: `node-${index}`,
      resource: "cpu",
      windowStartMs,
      windowMs: 300_000,
      requested: 1_000_000,
      usedMin: Math.floor(usedAvg / 2),
      usedAvg,
      usedMax: usedAvg * 2,
      readings: 5,
    };
  });
}

/** Whole numbers below 2^32 that no codec makes small. */
function scattered(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32LE();
}
