/**
 * A hub, three real clusters with agents as processes (push), and a fourth that the hub reads itself (pull): what the hub
 * says equals a scan of the same moment; a silent agent makes its cluster unknown, and its return makes it known again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterView } from "@plimsoll/contracts/rest";
import { type RunningHub, silentLog, startHub } from "@plimsoll/hub";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pick } from "../oracle/fleet-figures.ts";
import { runCli } from "../scan/run-cli.ts";
import {
  type Cluster,
  createObjects,
  type Fleet,
  namespace,
  node,
  pod,
  sharedFleet,
  startCluster,
} from "../testbed/index.ts";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import { type HubClient, hubClient } from "./hub-client.ts";
import { until } from "./until.ts";

const PUSHED = ["eks-prod", "gke-staging", "self-built"] as const;
const PULLED = "pulled";
const BEAT_MS = 1_000;

const room = mkdtempSync(join(tmpdir(), "plimsoll-living-"));
let fleet: Fleet;
let pulled: Cluster;
let hub: RunningHub;
let client: HubClient;
const agents = new Map<string, AgentProcess>();
const appearedAfterMs = new Map<string, number>();

beforeAll(async () => {
  fleet = await sharedFleet();
  pulled = await startCluster({ name: PULLED, gitVersion: "v1.35.1" });
  await createObjects(pulled, [node({ name: "p1", provider: "aws", cpuCores: 4, memoryGiB: 16 })]);
  hub = await startHub(
    {
      dataDir: join(room, "hub"),
      port: 0,
      controlPort: 0,
      beatMs: BEAT_MS,
      pullIntervalMs: 5_000,
      policy: { sampleIntervalMs: 10_000, usageFlushMs: 10_000, usageResendMs: 60_000, reportIntervalMs: 10_000 },
    },
    { log: silentLog },
  );
  client = hubClient(hub);
  for (const name of PUSHED) await startAgent(name);
  const added = await runCli([
    "add",
    "--kubeconfig",
    pulled.kubeconfig,
    "--name",
    PULLED,
    "--hub",
    hub.url,
    "--admin-token",
    hub.adminToken ?? "",
  ]);
  expect(added.code, added.stderr).toBe(0);
  for (const name of [...PUSHED, PULLED])
    await until(
      `${name} with figures`,
      () => client.cluster(name),
      (seen) => seen?.watermarks != null && seen.cost !== null,
    );
}, 300_000);

afterAll(async () => {
  for (const agent of agents.values()) await agent.end("SIGTERM");
  await hub?.stop();
  await pulled?.stop();
  rmSync(room, { recursive: true, force: true });
});

async function startAgent(name: string): Promise<void> {
  const { token } = await client.joinToken(name);
  const kubeconfig = fleet.clusters.find((one) => one.name === name)?.kubeconfig ?? "";
  const state = join(room, "agents", name);
  agents.set(
    name,
    startAgentProcess(["--hub", hub.url, "--token", token, "--state", state, "--kubeconfig", kubeconfig]),
  );
  const seen = await until(
    `${name} appears`,
    () => client.cluster(name),
    (now) => now?.connectivity.state === "online",
    30_000,
  );
  const joined = /"at":"([^"]+)"[^\n]*"event":"joined"/.exec(agents.get(name)?.log() ?? "")?.[1] ?? "";
  appearedAfterMs.set(name, Date.parse(seen?.connectivity.since ?? "") - Date.parse(joined));
}

const clusterOf = (name: string): Cluster =>
  name === PULLED ? pulled : fleet.cluster(name as (typeof PUSHED)[number]);

describe.each([...PUSHED, PULLED])("%s", (name) => {
  let view: ClusterView;
  let scanned: unknown;

  beforeAll(async () => {
    // Objects of the fleet stand still; the hub's newest report is at most one interval old.
    scanned = await scanOf(clusterOf(name));
    const seen = await until(
      `${name} as scanned`,
      () => client.cluster(name),
      (now) => requested(now) === String(pick(scanned, "capacity", "resources", "cpu", "requested")),
    );
    if (!seen) throw new Error("gone");
    view = seen;
  });

  test("is read the way it was registered for", () => {
    expect(view.mode).toBe(name === PULLED ? "pull" : "push");
    expect(view.connectivity.state).toBe("online");
  });

  test.each(["capacity", "allocatable", "requested", "limits", "pending"] as const)(
    "%s equals the scan's",
    (figure) => {
      const resources = Object.entries(pick(scanned, "capacity", "resources") ?? {});
      expect(resources.length).toBeGreaterThanOrEqual(4);
      const of = new Map(view.watermarks?.map((one) => [one.resource, one[figure]]));
      for (const [resource, figures] of resources)
        expect(`${resource} ${of.get(resource)}`).toBe(`${resource} ${pick(figures, figure)}`);
    },
  );

  test("the inventory record is the scan's, and filled where the cluster says something", () => {
    const record = view.record;
    for (const field of RECORD_FIELDS) expect(record[field], field).toEqual(pick(scanned, "inventory", field));
    for (const field of HUB_FIELDS) expect(record[field], field).not.toBeNull();
    expect(record.fingerprint).toBe(clusterOf(name).kubeSystemUid);
  });

  test("the rate of the current hour is the price of the nodes", () => {
    expect(Number(view.cost?.total)).toBeCloseTo(Number(pick(scanned, "cost", "hourly", "total")), 6);
  });
});

test("a cluster appears within 5 s of its agent's joining", () => {
  // By the agent's own account, so that starting a process on a busy machine is no part of it.
  expect(appearedAfterMs.size).toBe(PUSHED.length);
  for (const [name, ms] of appearedAfterMs) expect(ms, name).toBeLessThan(5_000);
});

test("what pods of a known life cost is their request × that life × the price", async () => {
  const cluster = fleet.cluster("self-built");
  const pods = [1, 2, 3].map((index) =>
    pod("metered", `metered-${index}`, { containers: [{ requests: { cpu: "500m", memory: "1Gi" } }] }),
  );
  await createObjects(cluster, [namespace("metered", { "cost-center": "cc-metered" }), ...pods]);
  const running = await until(
    "running",
    () => cluster.api.list("/api/v1/namespaces/metered/pods"),
    (items) => items.length === 3 && items.every((one) => pick(one, "status", "phase") === "Running"),
  );
  const starts = running.map((one) => {
    const scheduled = (pick(one, "status", "conditions") as unknown[]).find(
      (it) => pick(it, "type") === "PodScheduled",
    );
    return Date.parse(String(pick(scheduled, "lastTransitionTime")));
  });
  await until(
    "25 s old",
    async () => Date.now() - Math.max(...starts),
    (age) => age > 25_000,
  );
  const asked = Date.now();
  await cluster.kubectl(["delete", "pods", "--all", "-n", "metered", "--grace-period=1", "--wait=true"]);
  const gone = Date.now();

  const expected = (ends: number) =>
    starts.reduce((sum, start) => sum + ((ends - start) / 3_600_000) * (0.5 * 0.031611 + 1 * 0.004237), 0);
  const hour = (ms: number) => new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString();
  const window = `${hour(Math.min(...starts))},${hour(gone + 3_600_000)}`;
  const query = `window=${encodeURIComponent(window)}&aggregate=namespace&cluster=self-built`;
  const total = async () =>
    Number((await client.cost(query)).items.find((row) => row.key.namespace === "metered")?.total ?? 0);
  // Kubernetes keeps whole seconds: one of them at each end.
  const [least, most] = [expected(asked - 1_000), expected(gone + 1_000)];
  const seen = await until("metered to its end", total, (value) => value >= least, 60_000);
  expect(seen).toBeLessThanOrEqual(most);
  await until("no dearer later", total, () => true);
  expect(await total()).toBeLessThanOrEqual(most);
});

test("a silent agent: late, then offline with health unknown; its return makes the cluster known again", async () => {
  const name = "gke-staging";
  await agents.get(name)?.end("SIGKILL");
  const state = async () => (await client.cluster(name))?.connectivity.state;
  await until("late", state, (now) => now === "late" || now === "offline");
  await until("offline", state, (now) => now === "offline");
  const silent = await client.cluster(name);
  expect(silent?.record.health_status).toBe("unknown");
  // What was known stays, with its age.
  expect(silent?.record.k8s_version).toBe("v1.33.5-gke.1700");
  for (const other of ["eks-prod", "self-built", PULLED])
    expect((await client.cluster(other))?.connectivity.state, other).toBe("online");

  const kubeconfig = fleet.cluster(name).kubeconfig;
  agents.set(
    name,
    startAgentProcess(["--hub", hub.url, "--state", join(room, "agents", name), "--kubeconfig", kubeconfig]),
  );
  await until("online again", state, (now) => now === "online");
  await until(
    "healthy again",
    () => client.cluster(name),
    (seen) => seen?.record.health_status !== "unknown",
  );
});

const RECORD_FIELDS = [
  "cluster_type",
  "provider",
  "region",
  "k8s_version",
  "kubelet_version",
  "kubelet_versions",
  "node_os_version",
  "container_runtime_version",
  "node_count",
  "node_count_ready",
  "node_count_not_ready",
  "node_count_cordoned",
  "node_count_virtual",
  "total_cpu_cores",
  "total_memory_gb",
  "total_gpus",
  "total_pods",
];
const HUB_FIELDS = [
  "cluster_id",
  "cluster_name",
  "api_server_endpoint",
  "incarnation",
  "fingerprint",
  "k8s_version",
  "health_status",
  "connectivity",
  "resource_version",
  "observed_at",
  "received_at",
  "node_count",
];

function requested(view: ClusterView | undefined): string | null | undefined {
  return view?.watermarks?.find((one) => one.resource === "cpu")?.requested;
}

async function scanOf(cluster: Cluster): Promise<unknown> {
  const answer = await runCli(["scan", "--kubeconfig", cluster.kubeconfig, "-o", "json"]);
  expect(answer.code, answer.stderr).toBe(0);
  return pick(JSON.parse(answer.stdout), "clusters", 0);
}
