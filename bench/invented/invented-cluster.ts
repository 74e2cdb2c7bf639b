import {
  type Batch,
  type Envelope,
  type NodeRow,
  roundSample,
  type SampleRow,
  sealBatch,
  type UsageRow,
} from "@plimsoll/contracts/wire";

/** A cluster that does not exist: the rows that its agent would send, the same ones for the same order of calls. */
export interface InventedCluster {
  readonly id: string;
  /** Rows of an hour as they are so many seconds after its start. */
  usage(hourMs: number, seconds: number): UsageRow[];
  nodes(hourMs: number, seconds: number): NodeRow[];
  samples(hourMs: number, seconds: number): SampleRow[];
  /** The rows as a spool would hold them. */
  seal(batch: Batch, nowMs: number): Envelope;
}

const GIB = 2 ** 30;
const DAY_MS = 86_400_000;

let seed = 7;

/** Nodes of one size; `podsPerNode` pods on each, of 60 workloads in 20 namespaces. They were there before the first hour. */
export function inventCluster(
  id: string,
  sizes: { readonly nodes: number; readonly podsPerNode: number },
): InventedCluster {
  let sequence = 0;
  const bornMs = Date.UTC(2026, 0, 1);
  const nodes = Array.from({ length: sizes.nodes }, (_, index) => ({
    uid: uuid(),
    name: `ip-10-0-${id}-${index}.internal`,
  }));
  const pods = nodes.flatMap((node) => Array.from({ length: sizes.podsPerNode }, () => makePod(node, bornMs)));
  return {
    id,
    usage: (hourMs, seconds) => pods.map((pod) => pod(hourMs, seconds)),
    nodes: (hourMs, seconds) => nodes.map((node) => nodeRow(node, bornMs, hourMs, seconds)),
    samples: (hourMs, seconds) => nodes.flatMap(({ uid }) => sampleRows(uid, hourMs, seconds)),
    seal(batch, nowMs) {
      sequence += 1;
      const key = { clusterId: id, incarnation: 1, spoolId: "spool", sequence };
      return sealBatch(key, batch, { sealedAtMs: nowMs, agentClockMs: nowMs, policyRevision: 1, replaces: null });
    },
  };
}

interface Node {
  readonly uid: string;
  readonly name: string;
}

function makePod(node: Node, bornMs: number): (hourMs: number, seconds: number) => UsageRow {
  const workload = int(60);
  const app = `service-${workload}`;
  const milli = [50, 100, 250, 500, 1000][int(5)] ?? 50;
  const [podUid, podName] = [uuid(), `${app}-${text(10)}-${text(5)}`];
  const labels = { app, "cost-center": `cc-${workload % 9}`, env: "prod", "owner-team": `team-${workload % 14}` };
  const attribution = {
    namespace: `ns-${workload % 20}`,
    workloadType: "Deployment",
    workloadName: app,
    costCenter: labels["cost-center"],
    env: "prod",
    ownerTeam: labels["owner-team"],
    labelSource: "pod",
    labels,
  } as const;
  const start = bornMs + int(DAY_MS);
  return (hourMs, seconds) => ({
    podUid,
    intervalStartMs: start,
    hourStartMs: hourMs,
    asOfMs: hourMs + seconds * 1000,
    intervalEndMs: null,
    clamped: false,
    billedMs: seconds * 1000,
    unseenMs: 0,
    mode: "push",
    podName,
    nodeName: node.name,
    nodeUid: node.uid,
    attribution,
    resources: new Map([
      ["cpu", integrals(milli * 1e6, seconds)],
      ["memory", integrals(milli * 2 ** 21, seconds)],
    ]),
  });
}

function integrals(request: number, seconds: number) {
  const requested = BigInt(request * seconds);
  const usage = BigInt(Math.round(request * seconds * (0.05 + 1.1 * random())));
  return { request: requested, usage, charged: usage > requested ? usage : requested, usageCoveredMs: seconds * 1000 };
}

function nodeRow({ uid, name }: Node, createdMs: number, hourMs: number, seconds: number): NodeRow {
  return {
    nodeUid: uid,
    hourStartMs: hourMs,
    asOfMs: hourMs + seconds * 1000,
    nodeName: name,
    createdMs,
    deletedMs: null,
    instanceType: "m6i.4xlarge",
    region: "eu-central-1",
    zone: "eu-central-1a",
    pool: "general",
    machineDeployment: null,
    providerId: `aws:///eu-central-1a/i-0${text(16)}`,
    spot: false,
    virtual: false,
    presentMs: seconds * 1000,
    schedulableMs: seconds * 1000,
    resources: new Map([
      ["cpu", { capacity: 16_000_000_000n, allocatable: 15_890_000_000n }],
      ["memory", { capacity: BigInt(64 * GIB), allocatable: BigInt(62 * GIB) }],
    ]),
  };
}

function sampleRows(subject: string, hourMs: number, seconds: number): SampleRow[] {
  return ["cpu", "memory", "pods", "ephemeral-storage"].map((resource) => {
    const size = resource === "cpu" || resource === "pods" ? 16e9 : 64 * GIB;
    const average = size * (0.2 + 0.5 * random());
    return roundSample({
      scope: "node",
      subject,
      resource,
      windowStartMs: hourMs + (Math.floor(seconds / 300) - 1) * 300_000,
      windowMs: 300_000,
      requested: size / 2,
      usedMin: average * 0.8,
      usedAvg: average,
      usedMax: average * 1.2,
      readings: 5,
    });
  });
}

function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function int(below: number): number {
  return Math.floor(random() * below);
}

function text(length: number): string {
  return Array.from({ length }, () => "bcdfghjklmnpqrstvwxz2456789"[int(27)]).join("");
}

function uuid(): string {
  const digits = Array.from({ length: 32 }, () => int(16).toString(16)).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}
