/**
 * Control and ingest are killed, one while the other goes on: agents deliver while control is down, also one that starts
 * then; control answers while ingest is down, and says how old facts are; in the end the usage that the hub holds is what
 * the simulator wrote down. On both control stores.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterView } from "@plimsoll/contracts/rest";
import { type Simulator, startSimulator } from "@plimsoll/sim";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../packages/hub/src/store/testing/postgres-server.ts";
import { type AgentProcess, startAgentProcess } from "../fleet/agent-process.ts";
import { type HeldUsage, heldUsage } from "../fleet/held-usage.ts";
import { until } from "../fleet/until.ts";
import { createUsageTruth } from "../fleet/usage-truth.ts";
import { openSplitHub, type SplitHub } from "./split-hub.ts";

const HOUR_MS = 3_600_000;
/** Running intervals are told again each minute; then they are delivered, and committed. */
const TOLD_AGAIN = 120_000;

describe.each(["sqlite", "postgres"] as const)("with the control store in %s", (dialect) => {
  const room = mkdtempSync(join(tmpdir(), "plimsoll-outages-"));
  const dataDir = join(room, "hub");
  let postgres: PostgresServer | undefined;
  let simulator: Simulator;
  let hub: SplitHub;
  let agent: AgentProcess;
  let agentStarts = 0;
  let firstHourMs = 0;
  let name = "";

  beforeAll(async () => {
    if (dialect === "postgres") {
      postgres = await startPostgres();
      await postgres.run("create database hub");
    }
    simulator = await startSimulator({ clusters: 1, load: "flat", sickness: false, podsPerCluster: 60 });
    name = simulator.clusters[0]?.name ?? "";
    writeFileSync(join(room, "kubeconfig"), simulator.kubeconfig());
    hub = await openSplitHub({ dataDir, postgresUrl: postgres?.url("hub") ?? null });
    await hub.start("control");
    await hub.start("ingest");
    firstHourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const { token } = await hub.client.joinToken(name);
    startAgent(["--token", token]);
    await until("facts of each pod", held, (usage) => usage.size >= podsNow().size && podsNow().size > 0);
  }, 120_000);

  afterAll(async () => {
    await agent?.end("SIGKILL");
    await hub?.kill("ingest");
    await hub?.kill("control");
    await simulator?.stop();
    await postgres?.stop();
    rmSync(room, { recursive: true, force: true });
  });

  function startAgent(joining: readonly string[] = []): void {
    const where = ["--state", join(room, "agent"), "--kubeconfig", join(room, "kubeconfig"), "--context", name];
    agent = startAgentProcess(["--hub", hub.url.control, ...joining, ...where]);
    agentStarts += 1;
  }

  const ledger = () => (postgres ? { postgres: postgres.url("hub") } : undefined);
  const held = (): Promise<ReadonlyMap<string, HeldUsage>> => heldUsage(dataDir, join(room, "scratch"), ledger());
  const view = (): Promise<ClusterView | undefined> => hub.client.cluster(name);

  /** UIDs of pods that run. */
  function podsNow(): ReadonlySet<string> {
    const now = simulator.now();
    const pods = simulator.truth(name, new Date(now.getTime() - 1_000), now);
    return new Set(pods.flatMap(({ uid, end }) => (end === null ? [uid] : [])));
  }

  /** Waits until the hub holds facts of every pod that are later than `sinceMs`. */
  function untilAllAreTold(sinceMs: number) {
    return until(
      `facts of each pod after ${new Date(sinceMs).toISOString()}`,
      async () => {
        const usage = await held();
        return [...podsNow()].filter((uid) => (usage.get(uid)?.asOfMs ?? 0) < sinceMs);
      },
      (late) => late.length === 0,
      TOLD_AGAIN,
    );
  }

  async function readyOf(part: "control" | "ingest"): Promise<string> {
    return (await fetch(`${hub.url[part]}/readyz`)).text();
  }

  test("agents deliver while control is down, also one that starts meanwhile", async () => {
    await hub.kill("control");
    const downMs = Date.now();
    await until(
      "facts from after the kill",
      async () => [...(await held()).values()].filter(({ asOfMs }) => asOfMs > downMs).length,
      (count) => count > 0,
      TOLD_AGAIN,
    );
    await agent.end("SIGKILL");
    startAgent();
    const startedMs = Date.now();
    await untilAllAreTold(startedMs);
    expect(hub.isRunning("control")).toBe(false);
  });

  test("a control that is back calls no cluster unknown for its own absence, and shows what came meanwhile", async () => {
    await hub.start("control");
    const unexplained: string[] = [];
    const seen = await until(
      "online and priced",
      async () => {
        const shown = await view();
        const { state, unknownAfterSeconds = 0 } = shown?.connectivity ?? {};
        const listenedMs = Date.now() - hub.startedMs.control;
        if (state === "offline" && listenedMs < unknownAfterSeconds * 1_000) unexplained.push(`after ${listenedMs} ms`);
        return shown;
      },
      (shown) =>
        Date.parse(shown?.connectivity.lastBeatAt ?? "") >= hub.startedMs.control && (shown?.cost ?? null) !== null,
    );
    expect(unexplained).toEqual([]);
    expect(seen?.connectivity.state).toBe("online");
  });

  test("control answers while ingest is down and says how old facts are; nothing is lost when ingest is back", async () => {
    await hub.kill("ingest");
    const downMs = Date.now();
    await until(
      "said to be silent",
      () => readyOf("control"),
      (text) => text.includes("not heard of for"),
    );
    const shown = await view();
    expect(shown?.connectivity.state).toBe("online");
    expect(Date.parse(shown?.receivedAt ?? "")).toBeGreaterThan(downMs);
    expect(Date.parse(shown?.cost?.asOf ?? "")).toBeLessThanOrEqual(downMs);
    await hub.start("ingest");
    await untilAllAreTold(downMs);
  });

  test("in the end the hub holds what the simulator wrote down, none lost and none twice", async () => {
    const usage = await held();
    console.log(`${dialect}: ${usage.size} pods held, agent started ${agentStarts} times`);
    expect(usage.size).toBeGreaterThan(0);
    expect(createUsageTruth(simulator, name, firstHourMs).faults(usage, agentStarts)).toEqual([]);
  });
});
