import { fork } from "node:child_process"; import { once } from "node:events"; import { mkdtempSync, readFileSync, rmSync } from "node:fs"; import { setTimeout as wait } from "node:timers/promises";
import { hubClient } from "../test/fleet/hub-client.ts";
const room = mkdtempSync("/tmp/plimsoll-rss-");
const policy = { sampleIntervalMs: 10000, usageFlushMs: 10000, usageResendMs: 60000, reportIntervalMs: 15000 };
const hub = fork(new URL("../test/fleet/hub-process.ts", import.meta.url), [JSON.stringify({ dataDir: room + "/hub", port: 0, controlPort: 0, beatMs: 10000, policy, simulated: true })], { execArgv: ["--max-semi-space-size=4"], stdio: ["ignore","ignore","ignore","ipc"] });
const [said]: any = await once(hub, "message"); const client = hubClient(said);
const fleet = fork(new URL("fleet-process.ts", import.meta.url), [JSON.stringify({ part: "p", clusters: 20, hubUrl: said.url, stateDir: room + "/a" })], { execArgv: [] });
const [w]: any = await once(fleet, "message"); const t: any = {}; for (const n of w.names) t[n] = (await client.joinToken(n)).token; fleet.send(t); await once(fleet, "message");
for (let i = 0; i < 9; i++) { await wait(20000); const s = readFileSync(`/proc/${hub.pid}/status`, "utf8"); console.log(/VmHWM.*/.exec(s)?.[0], /VmRSS.*/.exec(s)?.[0], (await client.clusters()).filter((c) => c.cost).length); }
fleet.kill("SIGKILL"); hub.kill("SIGKILL"); await wait(500); rmSync(room, { recursive: true });
