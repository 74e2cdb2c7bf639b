/**
 * `node bench/wire.ts`: speed and size of the wire between agent and hub, on 2,000,000 sample values
 * (50 clusters × 200 nodes × 5 resources × 10 windows × 4 values) and on an hour's usage rows of a 5,000-pod cluster.
 * Deterministic from its seed. Sizes are of whole envelopes, header and hash included.
 */
import {
  type Batch,
  decodeSampleColumns,
  type Envelope,
  encodeBatch,
  type NodeRow,
  openEnvelope,
  openPayload,
  roundSample,
  type SampleRow,
  sealBatch,
  type UsageIntegrals,
  type UsageRow,
} from "@plimsoll/contracts/wire";

const CLUSTERS = 50;
const NODES = 200;
const WINDOWS = 10;
const VALUES_PER_ROW = 4;
const RESOURCES = ["cpu", "memory", "pods", "ephemeral-storage", "nvidia.com/gpu"] as const;
const START = Date.UTC(2026, 0, 15, 8);
const WINDOW_MS = 300_000;
const GIB = 2 ** 30;

let seed = 42;
const FACTS = { sealedAtMs: START, agentClockMs: START, policyRevision: 7, replaces: null };

console.log(`node ${process.version}, values are figures (requested, min, avg, max of a window)\n`);
const clusters = Array.from({ length: CLUSTERS }, (_, index) => clusterSamples(index));
for (const [shape, windows] of [
  ["one window per batch", 1],
  ["ten windows per batch", WINDOWS],
] as const) {
  measure(`samples, ${shape}`, sampleBatches(windows), VALUES_PER_ROW, "value", sampleColumns);
}
measure("usage rows, 5,000 pods re-sent each 5 min", usageBatches(), 1, "row");
measure("node rows, 200 nodes", nodeBatches(), 1, "row");

function measure(
  title: string,
  batches: readonly Batch[],
  perRow: number,
  unit: string,
  columns?: (envelope: Envelope) => unknown,
): void {
  const count = batches.reduce((sum, batch) => sum + batch.rows.length, 0) * perRow;
  const sealed = batches.map(seal);
  const bytes = sealed.reduce((sum, envelope) => sum + envelope.bytes.length, 0);
  const raw = sealed.reduce((sum, envelope) => sum + envelope.rawBytes, 0);
  console.log(`${title}: ${count.toLocaleString("en")} ${unit}s in ${batches.length} batches`);
  console.log(
    `  bytes per ${unit}: ${(bytes / count).toFixed(2)} on the wire, ${(raw / count).toFixed(2)} before Snappy`,
  );
  report("encode", unit, count, batches, encodeBatch);
  report("seal (encode, check, Snappy, SHA-256)", unit, count, batches, seal);
  report("open to rows", unit, count, sealed, (envelope) => openEnvelope(envelope));
  if (columns) {
    report("open to columns", unit, count, sealed, columns);
    const messages = sealed.map((envelope) => openPayload(envelope));
    report("decode alone, to columns", unit, count, messages, (raw) => decodeSampleColumns(raw));
  }
  console.log("");
}

function report<T>(
  what: string,
  unit: string,
  count: number,
  items: readonly T[],
  work: (item: T, index: number) => unknown,
): void {
  // One after the other, nothing kept: as a stream does.
  const run = (): void => {
    for (const [index, item] of items.entries()) work(item, index);
  };
  run();
  const cpu = process.cpuUsage();
  const rounds = 5;
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const median = times[Math.floor(rounds / 2)] ?? 0;
  const used = process.cpuUsage(cpu);
  const perCpuSecond = (count * rounds) / ((used.user + used.system) / 1e6);
  const millions = (value: number): string => (value / 1e6).toFixed(2);
  console.log(
    `  ${what}: ${millions((count / median) * 1000)} M ${unit}s/s, ${millions(perCpuSecond)} M per CPU-second`,
  );
}

function seal(batch: Batch, index: number): Envelope {
  const key = {
    clusterId: "bench",
    incarnation: 1,
    spoolId: "0198c1f2-0000-7000-8000-000000000000",
    sequence: index + 1,
  };
  return sealBatch(key, batch, FACTS);
}

function sampleColumns(envelope: Envelope): unknown {
  return decodeSampleColumns(openPayload(envelope));
}

function sampleBatches(windowsPerBatch: number): Batch[] {
  return clusters.flatMap((windows) =>
    Array.from({ length: WINDOWS / windowsPerBatch }, (_, batch) => {
      const rows = windows.slice(batch * windowsPerBatch, (batch + 1) * windowsPerBatch).flat();
      // By resource, then node, then time: what an agent that keeps its windows per node writes anyhow.
      return {
        kind: "sample" as const,
        rows: rows.toSorted((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0)),
      };
    }),
  );
}

/** The windows of one cluster: figures of each node wander around a level of its own. */
function clusterSamples(cluster: number): SampleRow[][] {
  const nodes = Array.from({ length: NODES }, () => ({
    uid: uuid(),
    level: 0.1 + 0.8 * random(),
    size: [8, 16, 32, 64][int(4)] ?? 8,
  }));
  return Array.from({ length: WINDOWS }, (_, window) =>
    nodes.flatMap(({ uid, level, size }) => {
      return RESOURCES.map((resource): SampleRow => {
        const hasGpu = resource !== "nvidia.com/gpu" || cluster % 5 === 0;
        const capacity = {
          cpu: size * 1e9,
          memory: size * 4 * GIB,
          pods: 110e9,
          "ephemeral-storage": 100 * GIB,
          "nvidia.com/gpu": 8e9,
        }[resource];
        const whole = resource === "pods" || resource === "nvidia.com/gpu";
        const figure = (share: number): number =>
          whole ? Math.round((capacity * share) / 1e9) * 1e9 : Math.round(capacity * share);
        const avg = Math.min(0.97, level * (0.9 + 0.2 * random()));
        return roundSample({
          scope: "node",
          subject: uid,
          resource,
          windowStartMs: START + window * WINDOW_MS,
          windowMs: WINDOW_MS,
          requested: hasGpu ? figure(Math.round(level * 20) / 20) : 0,
          usedMin: hasGpu ? figure(avg * (0.85 + 0.15 * random())) : null,
          usedAvg: hasGpu ? figure(avg) : null,
          usedMax: hasGpu ? figure(Math.min(1, avg * (1 + 0.3 * random()))) : null,
          readings: hasGpu ? 5 : 0,
        });
      });
    }),
  );
}

/** One cluster, 250 workloads × 20 pods on 200 nodes, as re-sent twelve times within an hour. */
function usageBatches(): Batch[] {
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    name: `ip-10-0-${index >> 4}-${index}.eu-central-1.compute.internal`,
    uid: uuid(),
  }));
  const pods = Array.from({ length: 250 }, (_, workload) => {
    const name = `service-${workload}`;
    const labels = {
      "app.kubernetes.io/name": name,
      "app.kubernetes.io/part-of": `system-${workload % 12}`,
      "cost-center": `cc-${workload % 9}`,
      env: "prod",
      "owner-team": `team-${workload % 14}`,
      "pod-template-hash": text(10),
    };
    const attribution = {
      namespace: `ns-${workload % 40}`,
      workloadType: "Deployment",
      workloadName: name,
      costCenter: labels["cost-center"],
      env: labels.env,
      ownerTeam: labels["owner-team"],
      labelSource: "pod" as const,
      labels,
    };
    const millicores = [50, 100, 250, 500, 1000, 2000][int(6)] ?? 50;
    return Array.from({ length: 20 }, () => ({
      uid: uuid(),
      name: `${name}-${labels["pod-template-hash"]}-${text(5)}`,
      node: nodes[int(NODES)] ?? { name: "", uid: "" },
      start: START - int(30 * 24 * 3600) * 1000,
      attribution,
      millicores,
    }));
  }).flat();
  return Array.from({ length: 12 }, (_, tick) => {
    const seconds = (tick + 1) * 300;
    const rows = pods.map(
      (pod): UsageRow => ({
        podUid: pod.uid,
        intervalStartMs: pod.start,
        hourStartMs: START,
        asOfMs: START + seconds * 1000,
        intervalEndMs: null,
        clamped: false,
        billedMs: seconds * 1000,
        unseenMs: 0,
        mode: "push",
        podName: pod.name,
        nodeName: pod.node.name,
        nodeUid: pod.node.uid,
        attribution: pod.attribution,
        resources: new Map([
          ["cpu", integrals(pod.millicores * 1e6, seconds)],
          ["memory", integrals(pod.millicores * 4 * 2 ** 20, seconds)],
        ]),
      }),
    );
    return { kind: "usage", rows };
  });
}

function integrals(request: number, seconds: number): UsageIntegrals {
  const usage = BigInt(Math.round(request * seconds * (0.05 + 1.1 * random())));
  const requested = BigInt(request * seconds);
  return { request: requested, usage, charged: usage > requested ? usage : requested, usageCoveredMs: seconds * 1000 };
}

function nodeBatches(): Batch[] {
  const rows = Array.from(
    { length: NODES },
    (_, index): NodeRow => ({
      nodeUid: uuid(),
      hourStartMs: START,
      asOfMs: START + 3_600_000,
      nodeName: `ip-10-0-${index >> 4}-${index}.eu-central-1.compute.internal`,
      createdMs: START - int(90 * 24 * 3600) * 1000,
      deletedMs: null,
      instanceType: ["m6i.2xlarge", "m6i.4xlarge", "r6i.4xlarge"][int(3)] ?? null,
      region: "eu-central-1",
      zone: `eu-central-1${"abc"[int(3)]}`,
      pool: `pool-${int(4)}`,
      machineDeployment: null,
      providerId: `aws:///eu-central-1a/i-0${text(16)}`,
      spot: int(4) === 0,
      virtual: false,
      presentMs: 3_600_000,
      schedulableMs: 3_600_000,
      resources: new Map([
        ["cpu", { capacity: 16_000_000_000n, allocatable: 15_890_000_000n }],
        ["memory", { capacity: 66_123_456_512n, allocatable: 64_987_654_144n }],
      ]),
    }),
  );
  return [{ kind: "node", rows }];
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
