/** `plimsoll` as a process of its own: what only shows from outside, such as exit codes, signals and the hand-over. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../scan/run-cli.ts";
import { deadContext, writeKubeconfig } from "../testbed/index.ts";
import { type SilentServer, silentServer } from "./silent-server.ts";
import { writeSmallDump } from "./small-dump.ts";

const BIN = resolve(import.meta.dirname, "../../packages/cli/bin/plimsoll.js");
const room = mkdtempSync(join(tmpdir(), "plimsoll-cli-"));
const dump = writeSmallDump(join(room, "small"), { uid: "11111111-2222-4333-8444-555555555555" });
const silentConfig = join(room, "silent-config");
let silent: SilentServer;

beforeAll(async () => {
  silent = await silentServer();
  const credentials = { kind: "token", token: "unused" } as const;
  writeKubeconfig(silentConfig, [{ name: "silent", server: silent.url, credentials }]);
});
afterAll(async () => {
  await silent.close();
  rmSync(room, { recursive: true, force: true });
});

describe("exit codes", () => {
  test("0: everything was read", async () => {
    const answer = await runCli(["scan", "--from-dump", dump, "-o", "json"]);
    expect(answer.stderr).toBe("");
    expect(answer.code).toBe(0);
    expect(JSON.parse(answer.stdout)).toMatchObject({ kind: "ScanReport", errors: [] });
  });

  test("1: nothing could be read, and the report says why", async () => {
    const config = writeKubeconfig(join(room, "dead-config"), [deadContext("dead")]);
    const answer = await runCli(["scan", "--kubeconfig", config]);
    expect(answer.code).toBe(1);
    expect(answer.stdout).toContain("[cluster_unreachable]");
    expect(answer.stderr).toBe("");
  });

  test("2: a fault of the command line", async () => {
    const answer = await runCli(["scan", "--ouput", "x"]);
    expect(answer.code).toBe(2);
    expect(answer.stderr).toBe(
      "error option_unknown: Unknown option --ouput, did you mean --output?\n  → See: plimsoll scan --help\n",
    );
    expect(answer.stdout).toBe("");
  });

  test("3: a finding at least as bad as --fail-on, and never without it", async () => {
    expect((await runCli(["scan", "--from-dump", dump, "--fail-on", "info"])).code).toBe(3);
    expect((await runCli(["scan", "--from-dump", dump])).code).toBe(0);
  });

  test("4: a cluster could not be read, whatever was found", async () => {
    const config = writeKubeconfig(join(room, "dead-config"), [deadContext("dead")]);
    const args = ["scan", "--kubeconfig", config, "--from-dump", dump, "--fail-on", "info", "-o", "csv"];
    const answer = await runCli(args);
    expect(answer.code).toBe(4);
    expect(answer.stdout.trimEnd().split("\r\n")).toHaveLength(3);
    expect(answer.stderr).toMatch(/^error cluster_unreachable: dead: .+\n {2}→ .+\n$/);
  });
});

describe("output", () => {
  test("a figure beyond 2^53 comes out digit for digit from a dump to JSON and CSV", async () => {
    const huge = writeSmallDump(join(room, "huge"), { uid: "9", memory: "9007199254740993" });
    const json = await runCli(["scan", "--from-dump", huge, "-o", "json"]);
    expect(json.stdout).toMatch(/"allocatable": 9007199254740993,/);
    const csv = await runCli(["scan", "--from-dump", huge, "-o", "csv"]);
    expect(csv.stdout).toContain(",9007199254740993,");
  });

  test("a file's name chooses the form, and what is written is whole", async () => {
    const file = join(room, "fleet.html");
    const answer = await runCli(["scan", "--from-dump", dump, "--output", file]);
    expect([answer.code, answer.stdout, answer.stderr]).toEqual([0, "", ""]);
    expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>[\s\S]+<\/html>\n$/);
  });

  test("a pipe has no colours and no progress, even where FORCE_COLOR is unset and TERM is rich", async () => {
    const answer = await runCli(["scan", "--from-dump", dump], { TERM: "xterm-256color", FORCE_COLOR: undefined });
    expect(answer.stdout + answer.stderr).not.toContain("\u001b");
  });

  test("a reader that leaves early is no error", async () => {
    const child = spawn(process.execPath, [BIN, "scan", "--from-dump", dump, "-o", "html"]);
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.stdout.destroy();
    expect(await ended(child)).toEqual({ code: 0, signal: null });
    expect(errors).toBe("");
  });

  test("a listener of standard error that left does not change the answer", async () => {
    const args = ["scan", "--from-dump", dump, join(room, "no-such-dump"), "-o", "json"];
    const child = spawn(process.execPath, [BIN, ...args]);
    let out = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.destroy();
    expect(await ended(child)).toEqual({ code: 4, signal: null });
    expect(JSON.parse(out)).toMatchObject({ kind: "ScanReport" });
  });

  test.skipIf(!existsSync("/dev/full"))("a full disk is a coded error, not a defect", async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [BIN, "scan", "--from-dump", dump], { stdio: ["ignore", full, "pipe"] });
    let errors = "";
    child.stderr?.on("data", (chunk) => (errors += chunk));
    expect((await ended(child)).code).toBe(1);
    closeSync(full);
    expect(errors).toMatch(/^error output_unwritable: standard output cannot be written: the disk is full\n/);
  });
});

describe("Ctrl-C", () => {
  test("stops at once, prints what was read and names the rest", async () => {
    const args = ["scan", "--kubeconfig", silentConfig, "--from-dump", dump, "--timeout", "120", "--concurrency", "1"];
    const started = performance.now();
    const connected = silent.connected();
    const child = spawn(process.execPath, [BIN, ...args]);
    let out = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    await connected;
    child.kill("SIGINT");
    expect(await ended(child)).toEqual({ code: 130, signal: null });
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(out).toMatch(/^small +/m);
    expect(out).toContain("silent: Stopped before silent was read [scan_interrupted]");
  });

  test("leaves the file of an earlier report as it was", async () => {
    const file = join(room, "earlier.json");
    writeFileSync(file, "earlier");
    const args = ["scan", "--kubeconfig", silentConfig, "--from-dump", dump, "--output", file, "--concurrency", "1"];
    const connected = silent.connected();
    const child = spawn(process.execPath, [BIN, ...args]);
    await connected;
    child.kill("SIGTERM");
    expect(await ended(child)).toEqual({ code: 143, signal: null });
    expect(readFileSync(file, "utf8")).toBe("earlier");
  });
});

describe("an older Node hands over to the pinned one", () => {
  const old = join(room, "old-node.mjs");
  beforeAll(() => {
    writeFileSync(
      old,
      `if (!process.env.PLIMSOLL_HANDED_OVER || process.env.ALWAYS_OLD)
        Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.0" } });`,
    );
  });
  const asOld = (bin: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const options = { env: { ...process.env, ...env } };
    return spawn(process.execPath, ["--import", pathToFileURL(old).href, bin, ...args], options);
  };

  test("with its output and exit code", async () => {
    const child = asOld(BIN, ["scan", "--from-dump", dump, "--fail-on", "info", "-o", "json"]);
    let out = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    expect(await ended(child)).toEqual({ code: 3, signal: null });
    expect(JSON.parse(out)).toMatchObject({ kind: "ScanReport" });
  });

  test("and a signal reaches it", async () => {
    const connected = silent.connected();
    const child = asOld(BIN, ["scan", "--kubeconfig", silentConfig, "--timeout", "120"]);
    await connected;
    child.kill("SIGTERM");
    expect(await ended(child)).toEqual({ code: 143, signal: null });
  });

  test("once: a pinned runtime that is too old itself ends with a remedy", async () => {
    const child = asOld(BIN, ["--version"], { ALWAYS_OLD: "1" });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    expect((await ended(child)).code).toBe(1);
    expect(errors).toMatch(/^error runtime_missing: Plimsoll needs Node 26.*\n {2}→ .+npm ci.+\n$/);
  });

  test("and says what to do where none is installed", async () => {
    const bin = join(room, "alone/bin/plimsoll.js");
    mkdirSync(join(room, "alone/bin"), { recursive: true });
    writeFileSync(join(room, "alone/package.json"), '{"type":"module"}');
    copyFileSync(BIN, bin);
    const child = asOld(bin, ["--version"]);
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    expect((await ended(child)).code).toBe(1);
    expect(errors).toContain("no pinned runtime is installed");
    expect(errors).not.toMatch(/\n\s+at /);
  });
});

test("help loads neither the collector nor the core nor a format's library", async () => {
  const record = join(room, "record.mjs");
  const list = join(room, "loaded.txt");
  writeFileSync(
    record,
    `import { registerHooks } from "node:module";
     import { appendFileSync } from "node:fs";
     registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); } });`,
  );
  const child = spawn(process.execPath, ["--import", pathToFileURL(record).href, BIN, "--help"]);
  expect((await ended(child)).code).toBe(0);
  expect(existsSync(list)).toBe(true);
  const loaded = readFileSync(list, "utf8");
  expect(loaded).toContain("commander");
  const heavy = ["collect", "core", "hub", "agent", "sim"].map((name) => `packages/${name}/`);
  for (const part of [...heavy, "/zod/", "/@grpc/", "/yaml/", "string-width", "/html/"]) {
    expect(loaded).not.toContain(part);
  }
});

function ended(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((done, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => done({ code, signal }));
  });
}
