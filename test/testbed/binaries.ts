import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { withFileLock } from "./file-lock.ts";

/** Absolute paths of the programs that a cluster is made of. */
export interface Binaries {
  readonly etcd: string;
  /** kube-apiserver, kube-controller-manager, kube-scheduler and kubectl; the first argument chooses. */
  readonly controlPlane: string;
  readonly kwok: string;
  readonly metricsServer: string;
  /** Writes a cluster's keys and certificates. */
  readonly pki: string;
  /** A proxy whose connections fail as told over its HTTP API; no part of a cluster, built where it is asked for. */
  readonly toxiproxy: string;
}

/** How one program is got: built from a Go module in this folder, or from a published one at a fixed version. */
type Source =
  | { readonly name: string; readonly module: string }
  | { readonly name: string; readonly package: string; readonly version: string; readonly program?: string };

const SOURCES: { readonly [B in keyof Binaries]: Source } = {
  pki: { name: "pki", module: "pki" },
  etcd: { name: "etcd", module: "etcd" },
  kwok: { name: "kwok", package: "sigs.k8s.io/kwok/cmd/kwok", version: "v0.8.0" },
  metricsServer: {
    name: "metrics-server",
    package: "sigs.k8s.io/metrics-server/cmd/metrics-server",
    version: "v0.9.0",
  },
  controlPlane: { name: "control-plane", module: "control-plane" },
  toxiproxy: {
    name: "toxiproxy",
    package: "github.com/Shopify/toxiproxy/v2/cmd/server",
    version: "v2.5.0",
    program: "server",
  },
};

const GO_FLAGS = ["-trimpath", "-ldflags", "-s -w"];

/** Where built programs stay between checkouts: $PLIMSOLL_CACHE, else ~/.cache/plimsoll. */
export function cacheDir(): string {
  return process.env.PLIMSOLL_CACHE || join(homedir(), ".cache", "plimsoll");
}

/**
 * Paths of the programs named (default: all of a cluster); builds those that the cache lacks, one after the other, and says
 * through `say` what it builds and how long it took. Needs Go and the network only then. Safe to call from several processes at once.
 * @throws Error with Go's own output when a build fails.
 */
export async function ensureBinaries(
  names: readonly (keyof Binaries)[] = ["pki", "etcd", "kwok", "metricsServer", "controlPlane"],
  say: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<Binaries> {
  for (const name of names) await ensureBinary(SOURCES[name], say);
  return {
    pki: binaryPath(SOURCES.pki),
    etcd: binaryPath(SOURCES.etcd),
    kwok: binaryPath(SOURCES.kwok),
    metricsServer: binaryPath(SOURCES.metricsServer),
    controlPlane: binaryPath(SOURCES.controlPlane),
    toxiproxy: binaryPath(SOURCES.toxiproxy),
  };
}

/** The cached program's path; its folder's name holds the version, or a hash of the module's files. */
function binaryPath(source: Source): string {
  const key = "version" in source ? source.version.slice(1) : moduleHash(moduleDir(source.module));
  const program = ("program" in source && source.program) || source.name;
  return join(cacheDir(), `${source.name}-${key}`, program);
}

async function ensureBinary(source: Source, say: (line: string) => void): Promise<void> {
  const path = binaryPath(source);
  if (existsSync(path)) return;
  const folder = join(path, "..");
  await withFileLock(
    `${folder}.lock`,
    async () => {
      if (existsSync(path)) return;
      say(`testbed: building ${source.name} (once; kept in ${folder}) …`);
      const start = performance.now();
      await build(source, folder);
      say(`testbed: built ${source.name} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    },
    (holder) => say(`testbed: waiting for process ${holder}, which is building ${source.name} …`),
  );
}

/** Builds beside the cache and renames the folder into it, so that a killed build leaves no half program. */
async function build(source: Source, folder: string): Promise<void> {
  const prefix = `.building-${source.name}-`;
  for (const left of readdirSync(cacheDir()).filter((name) => name.startsWith(prefix))) {
    rmSync(join(cacheDir(), left), { recursive: true, force: true }); // of a build that was killed: we hold the lock
  }
  const temporary = mkdtempSync(join(cacheDir(), prefix));
  const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false", GOWORK: "off" };
  try {
    if ("version" in source) {
      const args = ["install", ...GO_FLAGS, `${source.package}@${source.version}`];
      await go(args, temporary, { ...env, GOBIN: temporary });
    } else {
      const args = ["build", "-mod=readonly", ...GO_FLAGS, "-o", join(temporary, source.name), "."];
      await go(args, moduleDir(source.module), env);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function go(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("go", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let tail = "";
    const keep = (chunk: Buffer) => {
      tail = `${tail}${chunk}`.slice(-4000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => reject(new Error(`go cannot be run (Go 1.26 or newer is needed): ${error.message}`)));
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go ${args.join(" ")} failed in ${cwd} (exit ${code}):\n${tail}`));
    });
  });
}

function moduleDir(module: string): string {
  return join(import.meta.dirname, module);
}

function moduleHash(dir: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(dir).filter((file) => /^go\.(mod|sum)$|\.go$/.test(file));
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(dir, file)))
      .update("\0");
  return hash.digest("hex").slice(0, 12);
}
