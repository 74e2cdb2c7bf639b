/**
 * `node bench/hub-memory.ts [--clusters 20] [--seconds 180]`: resident memory of `plimsoll hub`, started as a person starts
 * it, while the agents of so many simulated clusters in another process report and deliver. Once as shipped, and once with
 * the young generation that V8 would take. The last third of the span counts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as span } from "node:timers/promises";
import { parseArgs } from "node:util";
import { completeConfig, runAgent, silentLog } from "@plimsoll/agent";
import { createHttpConnection, fixedCredential, systemClock } from "@plimsoll/collect";
import { startSimulator } from "@plimsoll/sim";
import { hubClient } from "../test/fleet/hub-client.ts";
import { freePorts } from "../test/testbed/free-ports.ts";
import { median } from "./measure-process.ts";

/** Issue of the demo's size: a hub of 20 clusters. */
const LIMIT_MIB = 300;
const SHIPPED = "as shipped";

const { values } = parseArgs({
  options: {
    role: { type: "string", default: "bench" },
    clusters: { type: "string", default: "20" },
    seconds: { type: "string", default: "180" },
    hub: { type: "string", default: "" },
    room: { type: "string", default: "" },
  },
});

if (values.role === "agents") await runAgents();
else await bench();

async function bench(): Promise<void> {
  console.log(
    `node ${process.version}, ${values.clusters} clusters, ${values.seconds} s, load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const [name, options] of [
    [SHIPPED, ""],
    ["V8's own young generation", "--max-semi-space-size=16"],
  ] as const) {
    const { rss, peak, floor } = await measure(options);
    console.log(`${name.padEnd(28)} RSS ${rss} MiB (peak ${peak}; ${floor} before the first agent)`);
    if (name === SHIPPED && rss > LIMIT_MIB) process.exitCode = 1;
  }
}

async function measure(nodeOptions: string) {
  const room = mkdtempSync(join(tmpdir(), "plimsoll-hub-memory-"));
  const [port = 0, grpc = 0] = await freePorts(2);
  const bin = join(import.meta.dirname, "../packages/cli/bin/plimsoll.js");
  const where = ["--data", join(room, "hub"), "--listen", `127.0.0.1:${port}`, "--grpc", `127.0.0.1:${grpc}`];
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  const hub = spawn(process.execPath, [bin, "hub", ...where], { stdio: ["ignore", "pipe", "inherit"], env });
  await once(hub.stdout, "data");
  const floor = memoryOf(hub).rss;
  const given = [
    "--role",
    "agents",
    "--clusters",
    values.clusters,
    "--hub",
    `http://127.0.0.1:${port}`,
    "--room",
    room,
  ];
  const agents = spawn(process.execPath, [import.meta.filename, ...given], { stdio: ["ignore", "pipe", "inherit"] });
  await once(agents.stdout, "data");
  const seen: number[] = [];
  for (let second = 0; second < Number(values.seconds); second += 1) {
    await span(1_000);
    seen.push(memoryOf(hub).rss);
  }
  const { peak } = memoryOf(hub);
  for (const child of [agents, hub]) await end(child);
  rmSync(room, { recursive: true, force: true });
  return { rss: median(seen.slice(-Math.ceil(seen.length / 3))), peak, floor };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

/** MiB. Linux only. */
function memoryOf({ pid }: ChildProcess): { readonly rss: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [rss = 0, peak = 0] = ["VmRSS", "VmHWM"].map((name) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024),
  );
  return { rss, peak };
}

/** Says a line when every agent has joined; runs until it is ended. */
async function runAgents(): Promise<void> {
  const tokenFile = join(values.room, "hub", "admin-token");
  if (!existsSync(tokenFile)) throw new Error(`${tokenFile} is not there`);
  const client = hubClient({ url: values.hub, adminToken: readFileSync(tokenFile, "utf8").trim() });
  const simulator = await startSimulator({ clusters: Number(values.clusters) });
  const handles = await Promise.all(
    simulator.clusters.map(async ({ name, server, token }) => {
      const { token: joinToken } = await client.joinToken(name);
      const credentials = fixedCredential({ headers: { authorization: `Bearer ${token}` } });
      const parts = { clock: systemClock, random: Math.random };
      const connection = createHttpConnection({ server, context: name, credentials, ...parts });
      const config = completeConfig({
        hubUrl: values.hub,
        joinToken,
        stateDir: join(values.room, name),
        instance: name,
      });
      return runAgent(config, { connection, ...parts, log: silentLog });
    }),
  );
  await Promise.all(handles.map(({ joined }) => joined));
  console.log(`${handles.length} agents have joined`);
}
