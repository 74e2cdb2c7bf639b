/** The agents of the bench `reconnect`, all in one process: `node agents.ts FOLDER CLUSTERS`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@plimsoll/collect";
import { createDial } from "../../packages/agent/src/channel/hub-client.ts";
import { createHubClock } from "../../packages/agent/src/channel/hub-clock.ts";
import { startIngest } from "../../packages/agent/src/channel/ingest-client.ts";
import type { Identity } from "../../packages/agent/src/join/identity.ts";
import type { JoinedCluster } from "../../packages/hub/src/testing/test-hub.ts";
import { FilledSpool } from "./filled-spool.ts";

/** An agent spools usage once a minute; here more often, to see more of how late it comes. */
const LIVE_EVERY_MS = 10_000;
const PROGRESS_MS = 15_000;
/** Live data go on so long after the back-fill has ended. */
const AFTER_MS = 20_000;

const [folder = ""] = process.argv.slice(2);
const clusters: JoinedCluster[] = JSON.parse(readFileSync(join(folder, "clusters.json"), "utf8"));
const controller = new AbortController();
const live: number[] = [];
let reconnects = 0;
let startedAt = 0;

const spools: FilledSpool[] = [];
for (const [index, cluster] of clusters.entries()) {
  spools.push(await FilledSpool.make(join(folder, "spools", `${index}`), cluster));
}
process.send?.({ what: "ready" });
process.once("message", () => void run());

async function run(): Promise<void> {
  const cpu = process.cpuUsage();
  startedAt = performance.now();
  for (const [index, cluster] of clusters.entries()) {
    const spool = spools[index];
    if (spool) connect(cluster, spool);
  }
  const progress = setInterval(() => {
    const waiting = spools.reduce((sum, spool) => sum + spool.waiting, 0);
    const worst = Math.max(...spools.flatMap((spool) => spool.liveSeconds()), 0);
    console.log(`${seconds(startedAt)} s: ${waiting} batches wait, live ${worst.toFixed(1)} s at most so far`);
  }, PROGRESS_MS);
  await Promise.all(spools.map(({ backfilled }) => backfilled));
  clearInterval(progress);
  const backfillSeconds = (performance.now() - startedAt) / 1_000;
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  for (const spool of spools) live.push(...spool.liveSeconds());
  controller.abort();
  const { user, system } = process.cpuUsage(cpu);
  const batches = spools.reduce((sum, spool) => sum + spool.batches, 0);
  live.sort((a, b) => a - b);
  process.send?.({ what: "done", batches, backfillSeconds, live, reconnects, cpuSeconds: (user + system) / 1e6 });
  process.disconnect?.();
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(0);
}

function connect(cluster: JoinedCluster, spool: FilledSpool): void {
  const identity: Identity = {
    ...cluster,
    clusterName: cluster.clusterId,
    privateKey: cluster.key,
  };
  startIngest({
    identity,
    instance: "agent-0",
    agentVersion: "0.1.0",
    dial: createDial(identity),
    clock: systemClock,
    random: Math.random,
    log: (_, event) => {
      if (event === "ingest_lost") reconnects += 1;
    },
    signal: controller.signal,
    session: { epoch: 0n, fleetSize: clusters.length },
    hubClock: createHubClock(systemClock),
    address: () => cluster.controlAddress,
    spool: spool.watched(),
    quarantine: async (batch, code) => console.error(`batch ${batch.sequence} was refused: ${code}`),
    count: () => {},
  });
  const next = (): void => {
    if (controller.signal.aborted) return;
    void spool.addLive();
    setTimeout(next, LIVE_EVERY_MS * (0.5 + Math.random()));
  };
  setTimeout(next, LIVE_EVERY_MS * Math.random());
}
