import { mkdirSync } from "node:fs";
import { type AgentHandle, completeConfig, jsonLog, runAgent, silentLog } from "@plimsoll/agent";
import { createHttpConnection, fixedCredential, type KubeConnection, systemClock } from "@plimsoll/collect";
import { JoinTokenAnswer } from "@plimsoll/contracts/rest";
import type { RunningHub } from "@plimsoll/hub";
import type { SimulatedCluster } from "@plimsoll/sim";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import type { DemoFolder } from "./demo-folder.ts";
import { DEMO_POLICY } from "./demo-hub.ts";

/** The agents of a demo. */
export interface DemoAgents {
  stop(): Promise<void>;
}

/** Lets an agent in for each cluster and starts it, as `plimsoll join` and `plimsoll agent` would. */
export async function startAgents(
  clusters: readonly SimulatedCluster[],
  hub: RunningHub,
  folder: DemoFolder,
  { terminal, signal }: CommandContext,
): Promise<DemoAgents> {
  const client = openHub({ url: hub.url, token: hub.adminToken, ca: undefined }, signal);
  const log = terminal.env.PLIMSOLL_DEBUG === "1" ? jsonLog(terminal.err.write, systemClock.now) : silentLog;
  const tokens = await Promise.all(
    clusters.map(({ name, plan }) =>
      client.post("/api/v1/join-tokens", { clusterName: name, labels: plan.labels }, JoinTokenAnswer),
    ),
  );
  const agents = clusters.map((cluster, at) => {
    const stateDir = folder.agentState(cluster.name);
    mkdirSync(stateDir, { recursive: true });
    const connection = connectionTo(cluster);
    const config = completeConfig({
      hubUrl: hub.url,
      joinToken: tokens[at]?.value.token ?? null,
      stateDir,
      clusterName: cluster.name,
      instance: `demo-${cluster.name}`,
      ...DEMO_POLICY,
    });
    return { connection, handle: runAgent(config, { connection, clock: systemClock, random: Math.random, log }) };
  });
  return { stop: () => stopAll(agents) };
}

function connectionTo({ name, server, token }: SimulatedCluster): KubeConnection {
  return createHttpConnection({
    server,
    context: name,
    credentials: fixedCredential({ headers: { authorization: `Bearer ${token}` } }),
    clock: systemClock,
    random: Math.random,
  });
}

interface RunningAgent {
  readonly connection: KubeConnection;
  readonly handle: AgentHandle;
}

async function stopAll(agents: readonly RunningAgent[]): Promise<void> {
  await Promise.allSettled(agents.map(({ handle }) => handle.stop()));
  for (const { connection } of agents) connection.close();
}
