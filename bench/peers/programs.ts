import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheDir } from "../../test/testbed/binaries.ts";
import { withFileLock } from "../../test/testbed/file-lock.ts";

const PROGRAMS = {
  "victoria-metrics": {
    package: "github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics",
    version: "v1.151.0",
    release: "1.151.0",
  },
  prometheus: { package: "github.com/prometheus/prometheus/cmd/prometheus", version: "v0.316.0", release: "3.16.0" },
} as const;

/** A peer's kind. */
export type PeerName = keyof typeof PROGRAMS;

/** A peer that can be started. */
export interface PeerProgram {
  readonly name: PeerName;
  /** As its project writes it. */
  readonly release: string;
  readonly path: string;
}

/** VictoriaMetrics, Prometheus, and the Prometheus of this machine where there is one of another release. */
export async function peerPrograms(): Promise<readonly PeerProgram[]> {
  const built: PeerProgram[] = [];
  for (const name of ["victoria-metrics", "prometheus"] as const) {
    built.push({ name, release: PROGRAMS[name].release, path: await builtProgram(name) });
  }
  const release = installedPrometheus();
  const known = release === null || release === PROGRAMS.prometheus.release;
  return known ? built : [...built, { name: "prometheus", release, path: "prometheus" }];
}

function installedPrometheus(): string | null {
  try {
    const text = execFileSync("prometheus", ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return /version ([\d.]+)/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * The path of a peer's program; built once from its published Go module and kept beside the test clusters' programs. Needs
 * Go and the network only then. Throws Error with Go's own output when it cannot be built.
 */
async function builtProgram(name: PeerName): Promise<string> {
  const folder = join(cacheDir(), `${name}-${PROGRAMS[name].version.slice(1)}`);
  const path = join(folder, name);
  if (existsSync(path)) return path;
  mkdirSync(cacheDir(), { recursive: true });
  await withFileLock(`${folder}.lock`, async () => {
    if (!existsSync(path)) await build(name, folder);
  });
  return path;
}

/** Builds beside the cache and renames, so that a killed build leaves no half program. */
async function build(name: PeerName, folder: string): Promise<void> {
  console.log(`building ${name} ${PROGRAMS[name].release} (once, minutes; kept in ${folder}) …`);
  const temporary = mkdtempSync(join(dirname(folder), `.building-${name}-`));
  const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false", GOWORK: "off", GOBIN: temporary };
  try {
    const target = `${PROGRAMS[name].package}@${PROGRAMS[name].version}`;
    await promisify(execFile)("go", ["install", "-trimpath", "-ldflags", "-s -w", target], { env, cwd: temporary });
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
