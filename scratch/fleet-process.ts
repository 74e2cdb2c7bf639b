/**
 * Part of a fleet in one process: simulated clusters, and an agent for each. `node fleet-process.ts ORDER`, the order as
 * JSON. Says which clusters it has, takes a join token for each, and says when every agent has joined.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { completeConfig, runAgent, silentLog } from "@plimsoll/agent";
import { createHttpConnection, fixedCredential, systemClock } from "@plimsoll/collect";
import { type SimulatedCluster, startSimulator } from "@plimsoll/sim";

/** What it is started with. */
export interface FleetOrder {
  readonly part: string;
  readonly clusters: number;
  readonly hubUrl: string;
  readonly stateDir: string;
}

/** What it is told: a token by cluster. */
export type JoinOrder = Readonly<Record<string, string>>;

/** What it says. */
export type FleetWord = { readonly kind: "clusters"; readonly names: readonly string[] } | { readonly kind: "joined" };

const order = JSON.parse(process.argv[2] ?? "{}") as FleetOrder;
const simulator = await startSimulator({
  clusters: order.clusters,
  seed: order.part,
  podsPerCluster: 150,
  
  
});
simulator.step();
const named = simulator.clusters.map((cluster) => ({ cluster, name: `${order.part}-${cluster.name}` }));

process.on("message", (tokens: JoinOrder) => void joinAll(tokens));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
say({ kind: "clusters", names: named.map(({ name }) => name) });

async function joinAll(tokens: JoinOrder): Promise<void> {
  await Promise.all(named.map(({ cluster, name }) => startAgent(cluster, name, tokens[name] ?? "").joined));
  say({ kind: "joined" });
}

function startAgent({ name: context, server, token }: SimulatedCluster, clusterName: string, joinToken: string) {
  const stateDir = join(order.stateDir, clusterName);
  mkdirSync(stateDir, { recursive: true });
  const connection = createHttpConnection({
    server,
    context,
    credentials: fixedCredential({ headers: { authorization: `Bearer ${token}` } }),
    clock: systemClock,
    random: Math.random,
  });
  const config = completeConfig({ hubUrl: order.hubUrl, joinToken, stateDir, clusterName, instance: clusterName });
  return runAgent(config, { connection, clock: systemClock, random: Math.random, log: silentLog });
}

function say(word: FleetWord): void {
  process.send?.(word);
}
