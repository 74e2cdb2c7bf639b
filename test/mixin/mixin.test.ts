import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completeConfig, listenForProbes, runAgent, silentLog } from "@plimsoll/agent";
import { createHttpConnection, fixedCredential, systemClock } from "@plimsoll/collect";
import { startSimulator } from "@plimsoll/sim";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { AGENT_METRICS } from "../../packages/agent/src/metrics/agent-metric-table.ts";
import { HUB_METRICS } from "../../packages/hub/src/metrics/hub-metric-table.ts";
import { startTestHub, type TestHub } from "../../packages/hub/src/testing/test-hub.ts";
import { until } from "../fleet/until.ts";
import { ensurePromtool } from "../promtool.ts";
import { declaredIn, metricsIn, namesIn } from "./named-metrics.ts";

const MIXIN = join(import.meta.dirname, "../../deploy/mixin");
const read = (file: string): string => readFileSync(join(MIXIN, file), "utf8");

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string().optional(),
          record: z.string().optional(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(["critical", "warning"]) }).optional(),
          annotations: z.object({ summary: z.string(), description: z.string(), runbook: z.string() }).optional(),
        }),
      ),
    }),
  ),
});
const rulesOf = (file: string) => Rules.parse(parse(read(file))).groups.flatMap(({ rules }) => rules);
const alerts = rulesOf("alerts.yaml");
const recorded = rulesOf("rules.yaml");

const Dashboard = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string() })).optional(),
    }),
  ),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
});
const dashboard = Dashboard.parse(JSON.parse(read("dashboard.json")));

/** What promtool says; throws its words when it objects. */
function promtool(args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(ensurePromtool(), args, { encoding: "utf8", input, cwd: MIXIN });
  if (status !== 0) throw new Error(`promtool ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

describe("the rules", () => {
  it("are rules to Prometheus", () => {
    expect(promtool(["check", "rules", "rules.yaml", "alerts.yaml"])).toContain(
      `SUCCESS: ${alerts.length} rules found`,
    );
  });

  it("fire and are quiet as their tests say", () => {
    expect(promtool(["test", "rules", "tests.yaml"])).toContain("SUCCESS");
  });

  it("are each tested for both", () => {
    const names = [...read("tests.yaml").matchAll(/- name: (.+)/g)].map(([, name]) => name);
    expect(names).toEqual(alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} is quiet`]));
  });

  it("say how bad it is, what it means, and where it says what to do", () => {
    const guide = readFileSync(join(MIXIN, "../../docs/guides/alerts.md"), "utf8");
    for (const { alert, labels, annotations } of alerts) {
      expect(labels, alert).toBeDefined();
      expect(annotations?.runbook).toBe(`docs/guides/alerts.md#${alert?.toLowerCase()}`);
      expect(guide).toContain(`\n## ${alert}\n`);
    }
  });
});

describe("the dashboard", () => {
  it("has panels that do not overlap, and each an id of its own", () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it("asks what Prometheus understands", () => {
    const variables = /\$job|\$\{datasource\}/g;
    const rules = dashboard.panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr.replaceAll(variables, ".*")),
    );
    const groups = [{ name: "dashboard", rules: rules.map((expr, at) => ({ record: `panel:${at}`, expr })) }];
    const folder = mkdtempSync(join(tmpdir(), "plimsoll-mixin-"));
    try {
      // JSON is YAML.
      const file = join(folder, "dashboard.yaml");
      writeFileSync(file, JSON.stringify({ groups }));
      expect(promtool(["check", "rules", file])).toContain(`SUCCESS: ${rules.length} rules found`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("what a running hub and a running agent say", () => {
  let hub: TestHub;
  let stop: () => Promise<void>;
  let [ofHub, ofAgent] = ["", ""];

  beforeAll(async () => {
    hub = await startTestHub();
    const simulator = await startSimulator({ clusters: 1, podsPerCluster: 30, sickness: false });
    const [cluster] = simulator.clusters;
    if (!cluster) throw new Error("no cluster");
    const connection = createHttpConnection({
      server: cluster.server,
      context: cluster.name,
      credentials: fixedCredential({ headers: { authorization: `Bearer ${cluster.token}` } }),
      clock: systemClock,
      random: Math.random,
    });
    const { body } = await hub.ask("/api/v1/join-tokens", {
      method: "POST",
      body: { clusterName: "prod-eu", labels: {} },
    });
    const stateDir = mkdtempSync(join(tmpdir(), "plimsoll-mixin-agent-"));
    const { token } = z.object({ token: z.string() }).parse(body);
    const config = completeConfig({
      hubUrl: hub.url,
      joinToken: token,
      stateDir,
      sampleIntervalMs: 1_000,
      usageFlushMs: 1_000,
      reportIntervalMs: 1_000,
    });
    const agent = runAgent(config, { connection, clock: systemClock, random: Math.random, log: silentLog });
    const listener = await listenForProbes(agent, "127.0.0.1:0");
    stop = async () => {
      await listener.close();
      await agent.stop();
      connection.close();
      await simulator.stop();
      await hub.remove();
      rmSync(stateDir, { recursive: true });
    };
    await agent.joined;
    const scrape = async (path: string) => (await fetch(`http://127.0.0.1:${listener.port}${path}`)).text();
    const saysOf = (pattern: RegExp) => (text: string) => pattern.test(text);
    const hubSays = async () => (await hub.ask("/metrics")).text;
    await until("priced", hubSays, saysOf(/plimsoll_pricing_lag_seconds \d/));
    await until("acknowledged", () => scrape("/metrics"), saysOf(/batches_acked_total [1-9]/));
    expect([await scrape("/livez"), await scrape("/readyz")]).toEqual(["ok\n", "ok\n"]);
    await hub.ask("/api/v1/clusters/nobody");
    ofAgent = await scrape("/metrics");
    ofHub = (await hub.ask("/metrics")).text;
  }, 120_000);
  afterAll(() => stop());

  it("is metrics to Prometheus, named as it wants them", () => {
    expect(promtool(["check", "metrics"], ofHub)).toBe("");
    expect(promtool(["check", "metrics"], ofAgent)).toBe("");
  });

  it("is all that their tables list, and nothing else of Plimsoll", () => {
    const own = (text: string) => [...declaredIn(text)].filter((name) => name.startsWith("plimsoll_")).sort();
    expect(own(ofHub)).toEqual(Object.keys(HUB_METRICS).sort());
    const listed = Object.keys(AGENT_METRICS).filter((name) => name.startsWith("plimsoll_"));
    expect(own(ofAgent)).toEqual(listed.sort());
  });

  it("has every metric that a rule or a panel names", () => {
    const known = new Set([
      ...metricsIn(ofHub),
      ...metricsIn(ofAgent),
      ...recorded.flatMap(({ record }) => record ?? []),
    ]);
    // Events that have not happened here; they are declared.
    const declared = [...declaredIn(ofHub), ...declaredIn(ofAgent)];
    const parts = declared.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]);
    const expressions = [
      ...[...alerts, ...recorded].map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ];
    const named = new Set(expressions.flatMap(namesIn));
    expect(named.size).toBeGreaterThan(40);
    expect([...named].filter((name) => !known.has(name) && !parts.includes(name))).toEqual([]);
  });

  it("names no cluster and none of its pods", () => {
    expect(ofHub + ofAgent).not.toContain("prod-eu");
    expect(ofAgent).not.toMatch(/pod=|namespace=/);
  });

  it("adds up: what the agent says is acknowledged, the hub has applied", () => {
    const valueIn = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    const acked = valueIn(ofAgent, "plimsoll_agent_batches_acked_total");
    expect(acked).toBeGreaterThan(0);
    expect(acked).toBeLessThanOrEqual(valueIn(ofHub, 'plimsoll_ingest_batches_total\\{outcome="applied"\\}'));
    expect(valueIn(ofAgent, "plimsoll_agent_batches_spooled_total")).toBeGreaterThanOrEqual(acked);
    expect(valueIn(ofAgent, "plimsoll_agent_batch_raw_bytes_total")).toBeGreaterThan(
      valueIn(ofAgent, "plimsoll_agent_batch_bytes_total"),
    );
    expect(valueIn(ofHub, "plimsoll_commit_duration_seconds_count")).toBeGreaterThan(0);
    expect(valueIn(ofAgent, "plimsoll_agent_fsync_duration_seconds_count")).toBeGreaterThan(0);
  });
});
