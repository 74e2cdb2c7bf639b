import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Attribution,
  type Batch,
  type BatchKey,
  type Envelope,
  type GapRow,
  type NodeRow,
  type SampleRow,
  sealBatch,
  type UsageIntegrals,
  type UsageRow,
} from "@plimsoll/contracts/wire";
import { type Ledger, openLedger } from "../../packages/hub/src/ledger/ledger.ts";
import { openQuarantine, type Quarantine } from "../../packages/hub/src/ledger/quarantine.ts";
import { openStore, type Store } from "../../packages/hub/src/store/store.ts";
import { openWarehouse, type Warehouse, type WarehouseConfig } from "../../packages/hub/src/warehouse/warehouse.ts";

/** A UTC hour to put facts into. */
export const HOUR = Date.UTC(2026, 2, 14, 9);
export const HOUR_MS = 3_600_000;
export const GIB = 2 ** 30;

export const ATTRIBUTION: Attribution = {
  namespace: "shop",
  workloadType: "Deployment",
  workloadName: "cart",
  costCenter: "cc-7",
  env: "prod",
  ownerTeam: "web",
  labelSource: "pod",
  labels: { app: "cart", "example.com/tier": "front" },
};

/** Integrals of a constant request over some seconds, nothing used. */
export function held(request: bigint, seconds: number): UsageIntegrals {
  const integral = request * BigInt(seconds);
  return { request: integral, usage: 0n, charged: integral, usageCoveredMs: 0 };
}

/** A pod that held a core and a GiB for the whole of `HOUR`. */
export function usageRow(change: Partial<UsageRow> = {}): UsageRow {
  return {
    podUid: "0b2f4f6e-6f3f-4b41-8f43-5c2a3f9d0001",
    intervalStartMs: HOUR - 7_000,
    hourStartMs: HOUR,
    asOfMs: HOUR + HOUR_MS,
    intervalEndMs: null,
    clamped: false,
    billedMs: HOUR_MS,
    unseenMs: 0,
    mode: "push",
    podName: "cart-5f6c9-x7k2p",
    nodeName: "node-a",
    nodeUid: "node-uid-a",
    attribution: ATTRIBUTION,
    resources: new Map([
      ["cpu", held(1_000_000_000n, 3_600)],
      ["memory", held(BigInt(GIB), 3_600)],
    ]),
    ...change,
  };
}

/** A node of 4 cores and 16 GiB, there for the whole of `HOUR`. */
export function nodeRow(change: Partial<NodeRow> = {}): NodeRow {
  return {
    nodeUid: "node-uid-a",
    hourStartMs: HOUR,
    asOfMs: HOUR + HOUR_MS,
    nodeName: "node-a",
    createdMs: HOUR - 86_400_000,
    deletedMs: null,
    instanceType: "m6i.xlarge",
    region: "eu-central-1",
    zone: "eu-central-1a",
    pool: "general",
    machineDeployment: null,
    providerId: "aws:///eu-central-1a/i-0123456789abcdef0",
    spot: false,
    virtual: false,
    presentMs: HOUR_MS,
    schedulableMs: HOUR_MS,
    resources: new Map([
      ["cpu", { capacity: 4_000_000_000n, allocatable: 3_900_000_000n }],
      ["memory", { capacity: BigInt(16 * GIB), allocatable: BigInt(15 * GIB) }],
      ["pods", { capacity: 110_000_000_000n, allocatable: 110_000_000_000n }],
    ]),
    ...change,
  };
}

export function sampleRow(change: Partial<SampleRow> = {}): SampleRow {
  return {
    scope: "node",
    subject: "node-uid-a",
    resource: "cpu",
    windowStartMs: HOUR,
    windowMs: 300_000,
    requested: 1_500_000_000,
    usedMin: 800_000_000,
    usedAvg: 900_000_000,
    usedMax: 1_000_000_000,
    readings: 5,
    ...change,
  };
}

export function gapRow(change: Partial<GapRow> = {}): GapRow {
  return {
    startMs: HOUR + 600_000,
    endMs: HOUR + 1_200_000,
    asOfMs: HOUR + 1_200_000,
    reason: "agent_down",
    missing: null,
    subject: null,
    detail: "the agent was not running",
    lostBatches: 0,
    lostRows: 0,
    lostBytes: 0,
    lostSequences: null,
    ...change,
  };
}

export function keyOf(sequence: number, change: Partial<BatchKey> = {}): BatchKey {
  return { clusterId: "prod-eu", incarnation: 1, spoolId: "spool-a", sequence, ...change };
}

/** Rows as an agent seals them. */
export function seal(key: BatchKey, batch: Batch, replaces: Envelope["replaces"] = null): Envelope {
  const sealedAtMs = HOUR + HOUR_MS;
  return sealBatch(key, batch, { sealedAtMs, agentClockMs: sealedAtMs, policyRevision: 1, replaces });
}

/** A hub's stores in a folder of its own. */
export interface Bed {
  readonly dataDir: string;
  readonly store: Store;
  readonly ledger: Ledger;
  readonly quarantine: Quarantine;
  readonly warehouse: Warehouse;
  /** Closes everything and removes the folder. */
  close(): Promise<void>;
}

/** Opens stores in a new folder. `change.store` is a migrated control store to use instead of a SQLite file. */
export async function openBed(change: Partial<WarehouseConfig> = {}): Promise<Bed> {
  const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-hub-"));
  const store = change.store ?? (await openStore({ sqlite: join(dataDir, "control.sqlite") }));
  await store.migrate();
  const warehouse = await openWarehouse({ threads: 1, ...change, dataDir, store });
  return {
    dataDir,
    store,
    ledger: openLedger(store),
    quarantine: openQuarantine(store),
    warehouse,
    close: async () => {
      await warehouse.close();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
