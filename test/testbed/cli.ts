import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isAlive } from "./file-lock.ts";
import { parseFleetInfo } from "./fleet-server.ts";
import { cacheDir, ensureBinaries, type Fleet, type FleetInfo, mixedFleet } from "./index.ts";
import { fleetInfo } from "./mixed-fleet.ts";

const HELP = `Real Kubernetes clusters on this machine, without containers: API server, controllers, scheduler and etcd are real,
nodes and pods are played by kwok. Everything listens on 127.0.0.1 only.

Usage: npm run testbed -- COMMAND

  up [N]     Start N clusters (default 3, at most 8) with mixed contents; print the kubeconfig; run until Ctrl-C.
             --no-usage   do not wait for metrics.k8s.io's first figures (saves some 30 s)
  status     List the fleets that run.
  down [PID] Stop the fleet of that process (see status), or all that "up" started.
  build      Build what is missing (about 12 minutes on two cores, once) and say where it is.

Built programs are kept in \${PLIMSOLL_CACHE:-~/.cache/plimsoll}.
`;

const { values, positionals } = parseCommandLine();
const [command = "", argument] = positionals;
if (values.help || command === "") process.stdout.write(HELP);
else if (command === "up") await up(argument ?? "3");
else if (command === "status") status();
else if (command === "down") await down(argument);
else if (command === "build") await build();
else usageError(`unknown command ${command}`);

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, "no-usage": { type: "boolean" } },
    });
  } catch (error) {
    return usageError(error instanceof Error ? error.message : String(error));
  }
}

function usageError(message: string): never {
  process.stderr.write(`testbed: ${message}; see: npm run testbed -- --help\n`);
  process.exit(2);
}

async function up(text: string): Promise<void> {
  const clusters = Number(text);
  if (!Number.isInteger(clusters) || clusters < 1 || clusters > 8)
    usageError(`up takes a number from 1 to 8, not ${text}`);
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => ended.abort(new Error(signal)));
  const start = performance.now();
  process.stderr.write(`testbed: starting ${clusters} clusters …\n`);
  let fleet: Fleet;
  try {
    fleet = await mixedFleet({ count: clusters, usage: !values["no-usage"], signal: ended.signal });
  } catch (error) {
    process.stderr.write(`testbed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  const file = writeRunFile(fleet);
  describe(fleet, (performance.now() - start) / 1000, file);
  while (!ended.signal.aborted) await sleep(3_600_000, undefined, { signal: ended.signal }).catch(() => {});
  process.stderr.write("testbed: stopping …\n");
  rmSync(file, { force: true });
  await fleet.stop();
}

function describe(fleet: Fleet, seconds: number, file: string): void {
  const [program, first] = fleet.clusters[0]?.kubectlCommand ?? ["", ""];
  const names = fleet.clusters.map(
    ({ name, gitVersion, server }) => `  ${name.padEnd(14)} ${gitVersion.padEnd(22)} ${server}`,
  );
  process.stderr.write(`testbed: up in ${seconds.toFixed(0)} s; Ctrl-C stops it\n`);
  process.stdout.write(
    `${names.join("\n")}\n\nexport KUBECONFIG=${fleet.kubeconfig}\nalias kubectl='${program} ${first}'\n` +
      `# tests on this fleet: PLIMSOLL_TESTBED=${file}\n`,
  );
}

function writeRunFile(fleet: Fleet): string {
  mkdirSync(runDir(), { recursive: true });
  const file = join(runDir(), `${process.pid}.json`);
  writeFileSync(file, JSON.stringify(fleetInfo(fleet)), { mode: 0o600 });
  return file;
}

function status(): void {
  const fleets = runningFleets();
  if (fleets.length === 0) process.stdout.write("no fleet runs\n");
  for (const { pid, info } of fleets) {
    const names = info.clusters.map(({ name }) => name).join(", ");
    process.stdout.write(`process ${pid}: ${names}\n  KUBECONFIG=${info.kubeconfig}\n`);
  }
}

async function down(only?: string): Promise<void> {
  const fleets = runningFleets().filter(({ pid }) => only === undefined || only === String(pid));
  if (fleets.length === 0) process.stdout.write("no such fleet runs\n");
  for (const { pid } of fleets) {
    process.stdout.write(`stopping process ${pid}\n`);
    process.kill(pid, "SIGTERM");
    for (let waited = 0; isAlive(pid) && waited < 100; waited++) await sleep(100);
  }
}

/** Fleets that "up" of some process left a file for; files of processes that are gone are removed. */
function runningFleets(): { readonly pid: number; readonly info: FleetInfo }[] {
  mkdirSync(runDir(), { recursive: true });
  return readdirSync(runDir()).flatMap((name) => {
    const file = join(runDir(), name);
    const pid = Number.parseInt(name, 10);
    const info = parseFleetInfo(readFileSync(file, "utf8"));
    // a process number may have been given to another program since: its clusters' processes tell
    if (isAlive(pid) && info.clusters.every(({ processes }) => processes.every((each) => isAlive(each.pid)))) {
      return [{ pid, info }];
    }
    rmSync(file, { force: true });
    return [];
  });
}

async function build(): Promise<void> {
  const binaries = await ensureBinaries();
  for (const [name, path] of Object.entries(binaries)) process.stdout.write(`${name.padEnd(14)} ${path}\n`);
}

function runDir(): string {
  return join(cacheDir(), "run");
}
