import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("go", import.meta.url));

/**
 * Path of the oracle program; built with Go on first use and kept under `$PLIMSOLL_CACHE` (else ~/.cache/plimsoll), in a
 * folder named after a hash of its source. Safe to call from several processes at once: each builds aside, then renames.
 * @throws Error with Go's own output when the build fails.
 */
export function buildOracle(say: (line: string) => void = (line) => process.stderr.write(`${line}\n`)): string {
  const cache = process.env.PLIMSOLL_CACHE || join(homedir(), ".cache", "plimsoll");
  const folder = join(cache, `oracle-${sourceHash()}`);
  const path = join(folder, "oracle");
  if (existsSync(path)) return path;
  say(`oracle: building Kubernetes' own quantity and pod-request code (once; kept in ${folder}) …`);
  const start = performance.now();
  compileInto(cache, folder);
  say(`oracle: built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return path;
}

function compileInto(cache: string, folder: string): void {
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, "oracle-building-"));
  try {
    const go = spawnSync("go", ["build", "-trimpath", "-ldflags", "-s -w", "-o", join(aside, "oracle"), "."], {
      cwd: SOURCE,
      env: { ...process.env, CGO_ENABLED: "0" },
      encoding: "utf8",
    });
    if (go.error) throw new Error(`Go is needed to build the oracle: ${go.error.message}`);
    if (go.status !== 0) throw new Error(`go build of ${SOURCE} failed:\n${go.stderr}`);
    if (!existsSync(folder)) renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function sourceHash(): string {
  const hash = createHash("sha256");
  for (const file of readdirSync(SOURCE).sort()) hash.update(`${file}\0`).update(readFileSync(join(SOURCE, file)));
  return hash.digest("hex").slice(0, 16);
}
