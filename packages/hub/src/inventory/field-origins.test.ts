import { ClusterDetail } from "@plimsoll/contracts/rest";
import { describe, expect, test } from "vitest";
import { dynamicFacts } from "../testing/dynamic-facts.ts";
import type { ClusterEntry } from "./cluster-entry.ts";
import type { KnownCluster } from "./cluster-view.ts";
import { fieldOrigins } from "./field-origins.ts";
import { flatRecord } from "./flat-record.ts";
import { beatWindows } from "./liveness-rules.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

function cluster(given: Partial<ClusterEntry> = {}, state: KnownCluster["heard"]["state"] = "online"): KnownCluster {
  const { layer, detected } = dynamicFacts(NOW, {});
  return {
    entry: {
      id: "c",
      name: "c",
      fingerprint: "f",
      incarnation: 1,
      mode: "push",
      phase: "active",
      simulated: false,
      base: { region: "eu-west-3" },
      labels: { env: "prod" },
      layer,
      capacity: null,
      detected,
      readStates: [
        { resource: "version", state: "current", observedAtMs: NOW - 7_000, errorCode: null },
        { resource: "nodes", state: "stale", observedAtMs: NOW - 300_000, errorCode: "api_error" },
        { resource: "daemonsets", state: "current", observedAtMs: NOW - 20_000, errorCode: null },
        { resource: "deployments", state: "unreadable", observedAtMs: null, errorCode: "cluster_forbidden" },
      ],
      sessionEpoch: 1,
      reportSequence: 1,
      resourceVersion: 2,
      observedAtMs: NOW - 10_000,
      receivedAtMs: NOW - 9_000,
      createdAtMs: NOW - 86_400_000,
      credentialExpiresAtMs: null,
      ...given,
    },
    heard: {
      state,
      sinceMs: NOW - 60_000,
      lastBeatAtMs: NOW - 2_000,
      windows: beatWindows(30_000, 4),
      health: "healthy",
      clockOffsetMs: null,
      spool: null,
    },
    rate: null,
    pullFault: null,
    factsLateAfterMs: 480_000,
  };
}

describe("the origin of a field", () => {
  test.each([
    ["a version that was asked for", "k8s_version", "agent", "current", ago(7)],
    ["a count of a list that fails", "node_count", "agent", "stale", ago(300)],
    ["an add-on, half of whose lists were never read", "cni", "agent", "unreadable", null],
    ["what the agent knows by itself", "agent_version", "agent", "current", ago(10)],
    ["health as reported", "health_status", "agent", "current", ago(10)],
    ["a base field that was set", "region", "registry", "current", ago(86_400)],
    ["a base field that is seen", "provider", "agent", "stale", ago(300)],
    ["a base field of two resources: the worse and older", "cluster_type", "agent", "stale", ago(300)],
    ["what the agent's connection says", "api_server_endpoint", "agent", "current", ago(10)],
    ["a label", "cost_center", "registry", "current", ago(86_400)],
    ["the identity", "fingerprint", "registry", "current", ago(86_400)],
    ["connectivity: the last beat", "connectivity", "hub", "current", ago(2)],
    ["the hub's own count", "resource_version", "hub", "current", ago(0)],
  ] as const)("%s: %s of %s, %s", (_, field, source, state, observedAt) => {
    expect(fieldOrigins(cluster(), NOW)[field]).toMatchObject({ source, state, observedAt });
  });

  test("is told of every field of the record, in the form of the API", () => {
    const known = cluster();
    const origins = ClusterDetail.shape.fields.parse(fieldOrigins(known, NOW));
    const fields = Object.keys(flatRecord(known.entry, known.heard));
    expect(Object.keys(origins)).toEqual(fields.filter((field) => !["observed_at", "received_at"].includes(field)));
  });

  test("is the hub's reading where it reads the cluster itself", () => {
    expect(fieldOrigins(cluster({ mode: "pull" }), NOW).k8s_version).toMatchObject({
      source: "pull",
      resources: ["version"],
    });
  });

  test("of unknown health is the hub: it hears nothing", () => {
    expect(fieldOrigins(cluster({}, "offline"), NOW).health_status).toMatchObject({
      source: "hub",
      observedAt: ago(60),
    });
  });

  test("is unknown and of no age before the first report", () => {
    const unseen = { layer: null, detected: null, readStates: [], observedAtMs: null, receivedAtMs: null };
    const { node_count, provider } = fieldOrigins(cluster(unseen, "never-seen"), NOW);
    for (const origin of [node_count, provider])
      expect(origin).toMatchObject({ state: "unknown", observedAt: null, receivedAt: null });
  });
});
