import type { Batch, GapRow, NodeRow, SampleRow, UsageRow } from "@plimsoll/contracts/wire";

/** A fact as a row of one of the four kinds. */
export type Fact =
  | { readonly kind: "usage"; readonly row: UsageRow }
  | { readonly kind: "node"; readonly row: NodeRow }
  | { readonly kind: "sample"; readonly row: SampleRow }
  | { readonly kind: "gap"; readonly row: GapRow };

export const HOUR_MS = 3_600_000;
/** The one node: 4 cores, 16 GiB. */
const NODE_UID = "node-uid-a";
export const NAMESPACE = "facts";
const GIB = 2 ** 30;

/** Start of the UTC hour of a point of time. */
export function hourOf(ms: number): number {
  return ms - (ms % HOUR_MS);
}

/** What tells one version of a fact from every other: its key, and how far it runs. */
export function nameOf({ kind, row }: Fact): string {
  switch (kind) {
    case "usage":
      return `usage ${row.podUid} ${row.asOfMs}`;
    case "node":
      return `node ${row.nodeUid} ${row.hourStartMs} ${row.asOfMs}`;
    case "sample":
      return `sample ${row.subject} ${row.windowStartMs}`;
    case "gap":
      return `gap ${row.startMs} ${row.reason} ${row.lostSequences?.spoolId ?? ""}`;
  }
}

/** The facts of a batch. */
export function factsOf(batch: Batch): readonly Fact[] {
  switch (batch.kind) {
    case "usage":
      return batch.rows.map((row) => ({ kind: "usage", row }));
    case "node":
      return batch.rows.map((row) => ({ kind: "node", row }));
    case "sample":
      return batch.rows.map((row) => ({ kind: "sample", row }));
    case "gap":
      return batch.rows.map((row) => ({ kind: "gap", row }));
  }
}

/** One numbered pod: what it was charged up to a moment. Amounts: nanocore-seconds and byte-seconds. */
export function usageFact(
  number: number,
  at: { readonly fromMs: number; readonly asOfMs: number; readonly unseenMs: number },
  amount: { readonly cpu: bigint; readonly memory: bigint },
): Fact {
  const name = `fact-${number.toString().padStart(7, "0")}`;
  const integrals = (charged: bigint) => ({ request: charged, usage: 0n, charged, usageCoveredMs: 0 });
  const row: UsageRow = {
    podUid: name,
    intervalStartMs: at.fromMs,
    hourStartMs: hourOf(at.fromMs),
    asOfMs: at.asOfMs,
    intervalEndMs: null,
    clamped: false,
    billedMs: at.asOfMs - at.fromMs - at.unseenMs,
    unseenMs: at.unseenMs,
    mode: "push",
    podName: name,
    nodeName: "node-a",
    nodeUid: NODE_UID,
    attribution: {
      namespace: NAMESPACE,
      workloadType: "Deployment",
      workloadName: "numbered",
      costCenter: null,
      env: null,
      ownerTeam: null,
      labelSource: "none",
      labels: {},
    },
    resources: new Map([
      ["cpu", integrals(amount.cpu)],
      ["memory", integrals(amount.memory)],
    ]),
  };
  return { kind: "usage", row };
}

/** The node in one hour, up to a moment of it. */
export function nodeFact(hourStartMs: number, asOfMs: number): Fact {
  const presentMs = asOfMs - hourStartMs;
  const row: NodeRow = {
    nodeUid: NODE_UID,
    hourStartMs,
    asOfMs,
    nodeName: "node-a",
    createdMs: Date.UTC(2026, 0, 1),
    deletedMs: null,
    instanceType: null,
    region: null,
    zone: null,
    pool: null,
    machineDeployment: null,
    providerId: null,
    spot: false,
    virtual: false,
    presentMs,
    schedulableMs: presentMs,
    resources: new Map([
      ["cpu", { capacity: 4_000_000_000n, allocatable: 4_000_000_000n }],
      ["memory", { capacity: BigInt(16 * GIB), allocatable: BigInt(16 * GIB) }],
    ]),
  };
  return { kind: "node", row };
}

/** A window of a subject of its own, so that no two can ever be merged. */
export function sampleFact(number: number, windowStartMs: number, requested: number): Fact {
  const row: SampleRow = {
    scope: "node",
    subject: `sample-${number.toString().padStart(7, "0")}`,
    resource: "cpu",
    windowStartMs,
    windowMs: 300_000,
    requested,
    usedMin: null,
    usedAvg: null,
    usedMax: null,
    readings: 0,
  };
  return { kind: "sample", row };
}

/** A time in which the cluster was not seen. */
export function gapFact(startMs: number, endMs: number): Fact {
  const row: GapRow = {
    startMs,
    endMs,
    asOfMs: endMs,
    reason: "agent_down",
    missing: null,
    subject: null,
    detail: "a gap that the generator made",
    lostBatches: 0,
    lostRows: 0,
    lostBytes: 0,
    lostSequences: null,
  };
  return { kind: "gap", row };
}
