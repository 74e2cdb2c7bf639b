/**
 * A fleet reconnects to its hub, each agent with an hour of spool, all at the same moment: how late are live data, when does
 * the back-fill end, what does the hub take? `npm run bench -- reconnect` (`ulimit -n 20000` before). Hub and agents are two
 * processes on one machine, so other work on it shows in the seconds; figures per CPU-second hold.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentsReport, HubReport } from "./reconnect/messages.ts";

const CLUSTERS = Number(process.argv[2] ?? 500);
const LIVE_LIMIT_SECONDS = 10;
const HUB_LIMIT_MB = 1_000;

const folder = mkdtempSync(join(tmpdir(), "plimsoll-reconnect-"));
/** As the command line starts what lasts: a small young generation and few arenas. */
const AS_SHIPPED = {
  execArgv: ["--max-semi-space-size=4"],
  env: { ...process.env, MALLOC_ARENA_MAX: "2" },
};
const childOf = (name: string) =>
  fork(join(import.meta.dirname, "reconnect", `${name}.ts`), [folder, `${CLUSTERS}`], AS_SHIPPED);
const hub = childOf("hub");
try {
  await said(hub, "ready");
  const agents = childOf("agents");
  await said(agents, "ready");
  console.log(`${CLUSTERS} agents reconnect, each with an hour of spool`);
  hub.send("measure");
  agents.send("go");
  const report = await said<AgentsReport>(agents, "done");
  hub.send("report");
  print(report, await said<HubReport>(hub, "report"));
} finally {
  hub.send("stop");
  await new Promise((resolve) => hub.once("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}

function said<T>(child: ReturnType<typeof fork>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.on("message", (message: { readonly what: string } & T) => message.what === what && resolve(message));
    child.once("exit", (code) => reject(new Error(`it ended with ${code} before it said ${what}`)));
  });
}

function print(agents: AgentsReport, { cpuSeconds, maxRssBytes, rows }: HubReport): void {
  const { batches, backfillSeconds, live, reconnects } = agents;
  const megabytes = Math.round(maxRssBytes / 1e6);
  const latest = live.at(-1) ?? Number.NaN;
  console.log(
    `live: ${live.length} batches, from spooled to acknowledged ${seconds(percentile(live, 0.5))} s in the middle, ` +
      `${seconds(percentile(live, 0.99))} s for 99 of 100, ${seconds(latest)} s at most (aim < ${LIVE_LIMIT_SECONDS})`,
  );
  console.log(
    `back-fill: ${batches} batches in ${seconds(backfillSeconds)} s, ${Math.round(batches / backfillSeconds)} a second; ` +
      `${reconnects} sessions were lost on the way`,
  );
  console.log(
    `hub: ${cpuSeconds.toFixed(1)} s of CPU, ${Math.round(rows / cpuSeconds)} rows a CPU-second; ` +
      `RSS ${megabytes} MB at most (aim < ${HUB_LIMIT_MB}); agents' process ${agents.cpuSeconds.toFixed(1)} s of CPU`,
  );
  if (latest >= LIVE_LIMIT_SECONDS || megabytes >= HUB_LIMIT_MB) process.exitCode = 1;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function seconds(value: number): string {
  return value.toFixed(1);
}
