import type { Batch } from "../batch.ts";
import type { BatchKey, SealFacts } from "../envelope.ts";
import type { Attribution, UsageRow } from "../usage-row.ts";

/** A small batch of each kind, by hand: inputs of the tests that damage bytes, and of the wire's golden file. */

const HOUR = Date.UTC(2026, 0, 15, 8);
const NODE_UID = "6f1c1f4e-8a56-4c0e-9f0a-3b2d5c7e9a11";

export const EXAMPLE_KEY: BatchKey = { clusterId: "prod-eu", incarnation: 2, spoolId: "0198c1f2-77aa", sequence: 42 };

export const EXAMPLE_FACTS: SealFacts = {
  sealedAtMs: HOUR + 300_000,
  agentClockMs: HOUR + 299_000,
  policyRevision: 7,
  replaces: null,
};

const attribution: Attribution = {
  namespace: "payments",
  workloadType: "Deployment",
  workloadName: "api",
  costCenter: "cc-42",
  env: "prod",
  ownerTeam: null,
  labelSource: "pod",
  labels: { app: "api", "cost-center": "cc-42", env: "prod" },
};

const usage: UsageRow = {
  podUid: "a3c9d2b0-0c1e-4f3a-8d77-5e6f7a8b9c0d",
  intervalStartMs: HOUR - 86_400_000,
  hourStartMs: HOUR,
  asOfMs: HOUR + 300_000,
  intervalEndMs: null,
  clamped: false,
  billedMs: 300_000,
  unseenMs: 0,
  mode: "push",
  podName: "api-7d9f8c6b5d-x2x4z",
  nodeName: "node-1",
  nodeUid: NODE_UID,
  attribution,
  resources: new Map([
    ["cpu", { request: 75_000_000_000n, usage: 31_234_567_891n, charged: 76_000_000_001n, usageCoveredMs: 300_000 }],
    [
      "memory",
      { request: 80_530_636_800n, usage: 9_007_199_254_740_993n, charged: 2n ** 62n, usageCoveredMs: 240_000 },
    ],
  ]),
};

export const EXAMPLE_BATCHES: readonly Batch[] = [
  {
    kind: "usage",
    rows: [
      usage,
      {
        ...usage,
        podUid: "mirror-of-a-file",
        podName: "kube-proxy-node-1",
        intervalStartMs: HOUR + 10_000,
        intervalEndMs: HOUR + 20_000,
        billedMs: 10_000,
        unseenMs: 5_000,
        nodeUid: null,
        attribution: { ...attribution, namespace: "kube-system", labels: {}, labelSource: "none", costCenter: null },
        resources: new Map([
          ["nvidia.com/gpu", { request: 10_000_000_000n, usage: 0n, charged: 10_000_000_000n, usageCoveredMs: 0 }],
        ]),
      },
    ],
  },
  {
    kind: "node",
    rows: [
      {
        nodeUid: NODE_UID,
        hourStartMs: HOUR,
        asOfMs: HOUR + 300_000,
        nodeName: "node-1",
        createdMs: HOUR - 1_000_000,
        deletedMs: null,
        instanceType: "m6i.2xlarge",
        region: "eu-central-1",
        zone: "eu-central-1a",
        pool: "default",
        machineDeployment: null,
        providerId: "aws:///eu-central-1a/i-0123456789abcdef0",
        spot: true,
        virtual: false,
        presentMs: 300_000,
        schedulableMs: 295_000,
        resources: new Map([
          ["cpu", { capacity: 8_000_000_000n, allocatable: 7_910_000_000n }],
          ["memory", { capacity: 33_123_456_512n, allocatable: 32_000_000_000n }],
        ]),
      },
    ],
  },
  {
    kind: "sample",
    rows: [
      {
        scope: "node",
        subject: NODE_UID,
        resource: "cpu",
        windowStartMs: HOUR,
        windowMs: 300_000,
        requested: 4_250_000_000,
        usedMin: 900_000_000,
        usedAvg: 1_100_000_000,
        usedMax: 3_000_000_000,
        readings: 5,
      },
      {
        scope: "node",
        subject: NODE_UID,
        resource: "cpu",
        windowStartMs: HOUR + 300_000,
        windowMs: 300_000,
        requested: null,
        usedMin: null,
        usedAvg: null,
        usedMax: null,
        readings: 0,
      },
      {
        scope: "namespace",
        subject: "payments",
        resource: "memory",
        windowStartMs: HOUR,
        windowMs: 300_000,
        requested: 536_870_912,
        usedMin: 0,
        usedAvg: 1_048_576,
        usedMax: 2_097_152,
        readings: 5,
      },
    ],
  },
  {
    kind: "gap",
    rows: [
      {
        startMs: HOUR - 7_200_000,
        endMs: HOUR - 3_600_000,
        asOfMs: HOUR,
        reason: "spool_full",
        missing: "sample",
        subject: null,
        detail: "The spool reached 1 GiB; the oldest samples were dropped",
        lostBatches: 12,
        lostRows: 12_000,
        lostBytes: 96_000,
        lostSequences: { spoolId: "0198c1f2-77aa", first: 3, last: 14 },
      },
    ],
  },
];
