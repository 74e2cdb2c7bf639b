/** `plimsoll scan` as a process against three real clusters, held against a calculation that shares no code with it. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Amounts,
  amount,
  type FleetFigures,
  fleetFigures,
  pick,
  type RawCluster,
} from "../oracle/fleet-figures.ts";
import { type Cluster, type Fleet, MIXED_CLUSTERS, sharedFleet } from "../testbed/index.ts";
import { runCli } from "./run-cli.ts";

interface Seen {
  readonly raw: RawCluster;
  readonly expected: FleetFigures;
  /** The cluster's entry of the report, as parsed JSON. */
  readonly report: unknown;
}

let fleet: Fleet;
const seen = new Map<string, Seen>();

beforeAll(async () => {
  fleet = await sharedFleet();
  for (const name of MIXED_CLUSTERS) seen.set(name, await scanQuietMoment(fleet.cluster(name)));
});

const of = (name: string): Seen => {
  const one = seen.get(name);
  if (!one) throw new Error(`not scanned: ${name}`);
  return one;
};

describe.each(MIXED_CLUSTERS)("%s", (name) => {
  test("version, type and fingerprint are the cluster's own", () => {
    const record = pick(of(name).report, "inventory");
    const cluster = fleet.cluster(name);
    expect(pick(record, "k8s_version")).toBe(cluster.gitVersion);
    expect(pick(record, "fingerprint")).toBe(cluster.kubeSystemUid);
    expect(pick(record, "cluster_id")).toBe(cluster.kubeSystemUid);
    expect(pick(record, "cluster_type")).toBe(
      { "eks-prod": "EKS", "gke-staging": "GKE", "self-built": "SelfBuilt" }[name],
    );
    expect(pick(record, "node_count")).toBe(of(name).raw.nodes.length);
  });

  test("nodes count and are left out for the same reasons", () => {
    const { expected, raw, report } = of(name);
    const nodes = pick(report, "capacity", "nodes");
    expect(pick(nodes, "total")).toBe(raw.nodes.length);
    expect(pick(nodes, "schedulable")).toBe(expected.schedulable.length);
    expect(pick(nodes, "excluded")).toEqual(expected.excluded);
  });

  test.each(["capacity", "allocatable", "requested", "limits", "pending"] as const)(
    "%s is equal for every resource",
    (figure) => {
      const { expected, report } = of(name);
      const resources = Object.entries(pick(report, "capacity", "resources") ?? {});
      expect(resources.length).toBeGreaterThanOrEqual(4);
      for (const [resource, figures] of resources)
        expect(`${resource} ${pick(figures, figure)}`).toBe(`${resource} ${published(resource, expected[figure])}`);
      for (const [resource, nanos] of expected[figure])
        if (nanos > 0n) expect(resources.map(([known]) => known)).toContain(resource);
    },
  );

  test.each(["cpu", "memory"])("used %s is what metrics-server says", (resource) => {
    const { expected, report } = of(name);
    const used = Number(pick(report, "capacity", "resources", resource, "used"));
    // Counters are differenced by metrics-server: two readings of the same load differ by microseconds of clock.
    expect(used / Number(published(resource, expected.used))).toBeCloseTo(1, 2);
    expect(used).toBeGreaterThan(0);
  });

  test("every workload has its pods and requests, under its top owner", () => {
    const { expected, report } = of(name);
    const rows = asList(pick(report, "workloads"));
    const got = rows.map((row) => {
      const key = `${pick(row, "namespace")}/${pick(row, "workload_type")}/${pick(row, "workload_name")}`;
      return [
        key,
        pick(row, "pods"),
        Number(pick(row, "requested", "cpu") ?? 0),
        Number(pick(row, "requested", "memory") ?? 0),
      ];
    });
    const wanted = [...expected.workloads].map(([key, row]) => [
      key,
      row.pods,
      Number(published("cpu", row.requested)),
      Number(published("memory", row.requested)),
    ]);
    expect(got.sort()).toEqual(wanted.sort());
  });

  test("Σ workloads + idle + system = Σ node prices, each computed on its own", () => {
    const { expected, report } = of(name);
    const hourly = pick(report, "cost", "hourly");
    // Usage moves by microseconds of cpu between the two readings: a ten-thousandth of a dollar, far below one pod.
    const money = (field: string) => Number(pick(hourly, field));
    for (const field of ["total", "workloads", "idle", "system"] as const)
      expect(money(field), field).toBeCloseTo(expected.cost[field], 4);
    const nanos = (field: string) => decimal(String(pick(hourly, field)));
    expect(nanos("workloads") + nanos("idle") + nanos("system")).toBe(nanos("total"));
    expect(money("idle")).toBeGreaterThan(0);
  });

  test("cost by namespace and by label is equal and sums to the total", () => {
    const { expected, report } = of(name);
    const total = decimal(String(pick(report, "cost", "hourly", "total")));
    const groups: [unknown, Map<string, number>][] = [[pick(report, "cost", "byNamespace"), expected.cost.byNamespace]];
    for (const [key, map] of expected.cost.byLabel) groups.push([pick(report, "cost", "byLabel", key), map]);
    for (const [rows, wanted] of groups) {
      const got = new Map(asList(rows).map((row) => [String(pick(row, "name")), String(pick(row, "hourly"))]));
      expect([...got.values()].reduce((sum, value) => sum + decimal(value), 0n)).toBe(total);
      for (const [key, value] of wanted) if (value > 1e-9) expect(Number(got.get(key)), key).toBeCloseTo(value, 4);
    }
  });

  test("what a node's pods request equals kubectl describe node", async () => {
    const { raw, expected } = of(name);
    for (const node of raw.nodes.map((one) => String(pick(one, "metadata", "name")))) {
      if (hasPodLevelResources(raw, node)) continue;
      const described = describedRequests(await fleet.cluster(name).kubectl(["describe", "node", node]));
      const mine = expected.requestedByNode.get(node) ?? new Map();
      for (const [resource, value] of described) expect(value, `${node} ${resource}`).toBe(mine.get(resource) ?? 0n);
    }
  });
});

test("the oracle notices one missing pod", () => {
  const { raw, expected } = of("eks-prod");
  const victim = raw.pods.find((pod) => pick(pod, "status", "phase") === "Running");
  const without = fleetFigures({ ...raw, pods: raw.pods.filter((pod) => pod !== victim) });
  expect(without.requested.get("cpu")).not.toBe(expected.requested.get("cpu"));
  expect(Math.abs(without.cost.idle - expected.cost.idle)).toBeGreaterThan(1e-5);
});

/** A scan with the same objects before and after it, so that both calculations saw one state. */
async function scanQuietMoment(cluster: Cluster): Promise<Seen> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = await readRaw(cluster);
    const answer = await runCli(["scan", "--kubeconfig", cluster.kubeconfig, "-o", "json"]);
    const after = await readRaw(cluster);
    if (stateOf(before) !== stateOf(after)) continue;
    expect(answer.code, answer.stderr).toBe(0);
    return { raw: after, expected: fleetFigures(after), report: pick(JSON.parse(answer.stdout), "clusters", 0) };
  }
  throw new Error(`${cluster.name} was never quiet`);
}

async function readRaw(cluster: Cluster): Promise<RawCluster> {
  const get = async (resource: string) =>
    asList(pick(JSON.parse(await cluster.kubectl(["get", resource, "-A", "-o", "json"])), "items"));
  const raw = async (path: string) => asList(pick(JSON.parse(await cluster.kubectl(["get", "--raw", path])), "items"));
  return {
    nodes: await get("nodes"),
    pods: await get("pods"),
    replicaSets: await get("replicasets"),
    jobs: await get("jobs"),
    namespaces: await get("namespaces"),
    nodeMetrics: await raw("/apis/metrics.k8s.io/v1beta1/nodes"),
    podMetrics: await raw("/apis/metrics.k8s.io/v1beta1/pods"),
  };
}

/** What both calculations depend on, without heartbeats and usage. */
function stateOf(raw: RawCluster): string {
  const pods = raw.pods.map((pod) =>
    [pick(pod, "metadata", "uid"), pick(pod, "spec", "nodeName"), pick(pod, "status", "phase")].join(),
  );
  const nodes = raw.nodes.map((node) =>
    JSON.stringify([pick(node, "metadata", "uid"), pick(node, "spec"), pick(node, "status", "capacity")]),
  );
  return [...pods, ...nodes].sort().join("\n");
}

/** Whole millicores, bytes or items, rounded up. */
function published(resource: string, amounts: Amounts): bigint {
  const nanos = amounts.get(resource) ?? 0n;
  const unit = resource === "cpu" ? 1_000_000n : 1_000_000_000n;
  return (nanos + unit - 1n) / unit;
}

/** The requests column of "Allocated resources". */
function describedRequests(text: string): [string, bigint][] {
  const table = text.slice(text.indexOf("Allocated resources:"), text.indexOf("Events:"));
  return [...table.matchAll(/^ {2}(\S+) +(\d\S*) /gm)].map((row) => [row[1] ?? "", amount(row[2] ?? "")]);
}

function hasPodLevelResources(raw: RawCluster, node: string): boolean {
  return raw.pods.some(
    (pod) => pick(pod, "spec", "nodeName") === node && pick(pod, "spec", "resources", "requests") !== undefined,
  );
}

function decimal(money: string): bigint {
  const [whole = "0", fraction = ""] = money.split(".");
  return BigInt(`${whole}${fraction.padEnd(9, "0")}`);
}

function asList(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}
