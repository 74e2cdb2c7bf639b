import { ClusterList, ClusterView, InventoryList, Overview } from "@plimsoll/contracts/rest";
import { fromDynamicReport, toDynamicReport } from "@plimsoll/contracts/wire";
import { describe, expect, test } from "vitest";
import { pageOf } from "../api/page.ts";
import { capacityReport, dynamicFacts } from "../testing/dynamic-facts.ts";
import type { ClusterEntry } from "./cluster-entry.ts";
import { type KnownCluster, presentCluster } from "./cluster-view.ts";
import { type ClusterFilter, filterClusters } from "./filter-clusters.ts";
import { flatRecord } from "./flat-record.ts";
import { fleetErrors } from "./fleet-errors.ts";
import type { LivenessView } from "./liveness.ts";
import { beatWindows } from "./liveness-rules.ts";
import { overviewOf } from "./overview.ts";
import { clusterOrdering } from "./sort-clusters.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");

interface Given {
  readonly name: string;
  readonly version?: string | null;
  readonly region?: string | null;
  readonly state?: LivenessView["state"];
  readonly health?: LivenessView["health"];
  readonly labels?: Record<string, string>;
  readonly requested?: bigint;
  readonly cost?: bigint | null;
  readonly currency?: string;
  readonly entry?: Partial<ClusterEntry>;
}

function cluster(given: Given): KnownCluster {
  const { name, version = "v1.33.4", region = "eu-central-1", cost = null, currency = "USD" } = given;
  const facts = dynamicFacts(NOW, { k8s_version: version });
  const state = given.state ?? "online";
  return {
    entry: {
      id: `id-of-${name}`,
      name,
      fingerprint: `fp-${name}`,
      incarnation: 1,
      mode: "push",
      phase: "active",
      simulated: false,
      base: {},
      labels: given.labels ?? {},
      layer: facts.layer,
      capacity: capacityReport(given.requested ?? 9_000n),
      detected: { ...facts.detected, region },
      readStates: [],
      sessionEpoch: 1,
      reportSequence: 1,
      resourceVersion: 2,
      observedAtMs: NOW,
      receivedAtMs: NOW,
      createdAtMs: NOW - 1_000,
      credentialExpiresAtMs: null,
      ...given.entry,
    },
    heard: {
      state,
      sinceMs: NOW,
      lastBeatAtMs: state === "never-seen" ? null : NOW - 5_000,
      windows: beatWindows(30_000, 4),
      health: given.health ?? "healthy",
      clockOffsetMs: null,
      spool: null,
    },
    rate:
      cost === null
        ? null
        : {
            clusterId: name,
            currency,
            total: cost,
            workloads: cost,
            idle: 0n,
            system: 0n,
            asOfMs: NOW,
            priceSource: "default",
            unpriced: [],
            coverage: { coveredMs: 3, expectedMs: 4, lost: new Map([["agent_down", 1]]) },
          },
    pullFault: null,
    factsLateAfterMs: 480_000,
  };
}

const FLEET = [
  cluster({ name: "prod-eu", labels: { env: "prod", team: "pay" }, requested: 3_000n, cost: 5_000_000_000n }),
  cluster({ name: "prod-us", labels: { env: "prod" }, region: "us-east-1", version: "v1.9.10", requested: 12_000n }),
  cluster({
    name: "test-eu",
    labels: { env: "test" },
    version: "v1.33.0-rc.1",
    state: "late",
    health: "degraded",
    cost: 1n,
  }),
  cluster({
    name: "edge",
    region: null,
    version: null,
    state: "offline",
    health: "unknown",
    cost: 7n,
    currency: "EUR",
  }),
  cluster({
    name: "new",
    state: "never-seen",
    health: "unknown",
    entry: { layer: null, capacity: null, detected: null, observedAtMs: null },
  }),
];

describe("a filter", () => {
  test.each<[ClusterFilter, string[]]>([
    [{}, ["prod-eu", "prod-us", "test-eu", "edge", "new"]],
    [{ selector: "env=prod" }, ["prod-eu", "prod-us"]],
    [{ selector: "env!=prod,env" }, ["test-eu"]],
    [{ selector: "region=us-east-1" }, ["prod-us"]],
    [{ selector: "!region" }, ["edge", "new"]],
    [{ search: "PROD us" }, ["prod-us"]],
    [{ search: "aws central" }, ["prod-eu", "test-eu"]],
    [{ type: "Other,K3s" }, ["new"]],
    [{ connectivity: "late,offline" }, ["test-eu", "edge"]],
    [{ health: "unknown" }, ["edge", "new"]],
    [{ version: "1.33" }, ["prod-eu", "test-eu"]],
    [{ version: "1.9, unknown" }, ["prod-us", "edge", "new"]],
    [{ selector: "env=prod", search: "eu", version: "1.9" }, []],
  ])("%j", (filter, names) => {
    expect(filterClusters(FLEET, filter).map(({ entry }) => entry.name)).toEqual(names);
  });
});

test.each<ClusterFilter>([
  { type: "EKS,Bogus" },
  { type: "" },
  { connectivity: "Online" },
  { health: "bad" },
  { version: "v1.33" },
  { version: "1.33," },
  { selector: "env in" },
])("a filter %j that no cluster could ever pass is refused with a code, and not answered with nothing", (filter) => {
  expect(() => filterClusters(FLEET, filter)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^(parameter|selector)_invalid$/) }),
  );
});

describe("an order", () => {
  test.each<[string | undefined, string[]]>([
    [undefined, ["edge", "new", "prod-eu", "prod-us", "test-eu"]],
    ["-name", ["test-eu", "prod-us", "prod-eu", "new", "edge"]],
    // Numbers as numbers, a pre-release before its release, what says none last.
    ["version", ["prod-us", "test-eu", "prod-eu", "edge", "new"]],
    ["-version", ["prod-eu", "test-eu", "prod-us", "edge", "new"]],
    ["region", ["prod-eu", "test-eu", "prod-us", "edge", "new"]],
    ["cpu", ["prod-eu", "edge", "test-eu", "prod-us", "new"]],
    ["-cost", ["prod-eu", "edge", "test-eu", "new", "prod-us"]],
    ["state", ["prod-eu", "prod-us", "test-eu", "edge", "new"]],
    ["-nodes", ["edge", "prod-eu", "prod-us", "test-eu", "new"]],
    ["environment", ["prod-eu", "prod-us", "test-eu", "edge", "new"]],
  ])("%s", (sort, names) => {
    const { items } = pageOf(FLEET, clusterOrdering(sort), { limit: 10, filters: {} });
    expect(items.map(({ entry }) => entry.name)).toEqual(names);
  });
});

describe("the overview", () => {
  const overview = Overview.parse(overviewOf(FLEET, NOW));

  test("counts states, never one worst", () => {
    expect(overview.clusters).toEqual({
      total: 5,
      byConnectivity: { late: 1, "never-seen": 1, offline: 1, online: 2 },
      byHealth: { degraded: 1, healthy: 2, unknown: 2 },
      byType: { EKS: 4, Other: 1 },
    });
    expect(overview.versions).toEqual([
      { minor: "1.33", clusters: 2 },
      { minor: "1.9", clusters: 1 },
      { minor: "unknown", clusters: 2 },
    ]);
  });

  test("sums over the clusters that are heard of, exactly, and says how many those are", () => {
    expect(overview.reporting).toEqual({ clusters: 3, of: 5 });
    expect(overview.nodes).toEqual({ total: 9, schedulable: 9 });
    const [cpu, memory] = overview.watermarks;
    expect(cpu).toMatchObject({
      resource: "cpu",
      requested: "24000",
      allocatable: "36000",
      used: "6000",
      usedAllocatable: "24000",
    });
    expect(memory).toMatchObject({ resource: "memory", allocatable: "27021597764222979", used: null });
  });

  test("never adds amounts of different currencies", () => {
    expect(overview.cost).toMatchObject([
      { currency: "EUR", total: "0.000000007", clusters: 1 },
      { currency: "USD", total: "5.000000001", clusters: 2 },
    ]);
  });

  test("has the fullest on top", () => {
    expect(overview.topByRequestedCpu.map(({ name, percent }) => [name, percent])).toEqual([
      ["prod-us", 100],
      ["test-eu", 75],
      ["prod-eu", 25],
    ]);
  });

  test("of no clusters is zeros and no shares", () => {
    expect(Overview.parse(overviewOf([], NOW))).toMatchObject({ clusters: { total: 0 }, watermarks: [], cost: [] });
  });
});

describe("what an answer lacks", () => {
  test("is said with code, since when, and what to do", () => {
    const unreadable = cluster({
      name: "blind",
      entry: {
        readStates: [
          { resource: "pods", state: "unreadable", observedAtMs: null, errorCode: "cluster_forbidden" },
          { resource: "nodes", state: "stale", observedAtMs: NOW - 60_000, errorCode: "api_error" },
          { resource: "namespaces", state: "current", observedAtMs: NOW, errorCode: null },
          // Not installed: nothing failed.
          { resource: "usage", state: "unreadable", observedAtMs: null, errorCode: "usage_not_served" },
        ],
      },
    });
    const errors = fleetErrors([...FLEET, unreadable], NOW);
    expect(errors.map(({ cluster: of, code, since }) => [of, code, since])).toEqual([
      ["test-eu", "cluster_silent", "2026-03-01T09:59:55.000Z"],
      ["edge", "cluster_silent", "2026-03-01T09:59:55.000Z"],
      ["new", "cluster_never_seen", "2026-03-01T09:59:59.000Z"],
      ["blind", "cluster_not_read", null],
      ["blind", "cluster_not_read", "2026-03-01T09:59:00.000Z"],
    ]);
    for (const { cluster: name, clusterId } of errors) expect(clusterId).toBe(`id-of-${name}`);
    for (const { message, remedy } of errors) expect(`${message} ${remedy}`).not.toMatch(/\{\w+\}/);
  });

  test("is that facts do not arrive of a cluster that is heard of, not of one that is silent anyway", () => {
    const late = (given: Given) => {
      const known = cluster({ cost: 1n, ...given });
      return { ...known, rate: known.rate && { ...known.rate, asOfMs: NOW - 600_000 } };
    };
    const clusters = [
      late({ name: "late" }),
      late({ name: "gone", state: "offline" }),
      cluster({ name: "fine", cost: 1n }),
    ];
    expect(fleetErrors(clusters, NOW).map(({ code, since }) => [code, since])).toEqual([
      ["cluster_facts_late", "2026-03-01T09:50:00.000Z"],
      ["cluster_silent", "2026-03-01T09:59:55.000Z"],
    ]);
  });

  test("is why the hub cannot read a cluster that it reads itself", () => {
    const fault = { code: "cluster_unauthorized", message: "no", remedy: "sign in", sinceMs: NOW - 1_000 } as const;
    const errors = fleetErrors([{ ...cluster({ name: "pulled", state: "late" }), pullFault: fault }], NOW);
    expect(errors).toMatchObject([{ code: "cluster_unauthorized", since: "2026-03-01T09:59:59.000Z" }]);
  });
});

test("what requested and used shares are of comes from the report to the API", () => {
  const { capacity } = fromDynamicReport(toDynamicReport(dynamicFacts(NOW)));
  const { watermarks } = ClusterView.parse(presentCluster(cluster({ name: "a", entry: { capacity } })));
  expect(watermarks).toMatchObject([
    { resource: "cpu", allocatable: "12000", requestedAllocatable: "12000", used: "2000", usedAllocatable: "8000" },
    { resource: "memory", requestedAllocatable: "9007199254740993", used: null, usedAllocatable: null },
  ]);
});

describe("a record", () => {
  test("has three layers: what a person set wins over what the agent sees; labels fill their fields", () => {
    const labels = {
      env: "stage",
      "cost-center": "cc-1",
      "owner-team": "pay",
      tenant: "t-1",
      "business-unit": "b",
      project: "p",
    };
    const { entry, heard } = cluster({ name: "a", labels, entry: { base: { region: "eu-west-3" } } });
    expect(flatRecord(entry, heard)).toMatchObject({
      cluster_id: "id-of-a",
      region: "eu-west-3",
      provider: "aws",
      environment: "staging",
      cost_center: "cc-1",
      owner_team: "pay",
      tenant_id: "t-1",
      business_unit: "b",
      project: "p",
      labels,
    });
  });

  test("of a cluster that was never seen is unknown, neither zero nor healthy", () => {
    const shown = presentCluster(
      cluster({
        name: "new",
        state: "never-seen",
        health: "unknown",
        entry: { layer: null, capacity: null, detected: null, observedAtMs: null },
      }),
    );
    expect(ClusterList.shape.items.element.parse(shown)).toMatchObject({
      nodes: null,
      watermarks: null,
      cost: null,
      observedAt: null,
    });
    expect(shown.record).toMatchObject({
      health_status: "unknown",
      node_count: null,
      k8s_version: null,
      cluster_type: "Other",
    });
    expect(InventoryList.shape.items.element.parse(shown.record)).toBeDefined();
  });
});
