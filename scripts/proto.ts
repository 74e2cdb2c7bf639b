/**
 * Generates `packages/contracts/src/gen` from `proto/`, or with `--verify` fails when the committed code differs.
 * `npm run update:proto` / `npm run check:proto`. protoc and its plug-in come from npm, pinned by the lock file.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const SOURCES = "proto";
const TARGET = "packages/contracts/src/gen";

const fresh = mkdtempSync(join(tmpdir(), "plimsoll-proto-"));
try {
  generate(fresh);
  if (process.argv.includes("--verify")) verify(fresh);
  else {
    rmSync(TARGET, { recursive: true, force: true });
    cpSync(fresh, TARGET, { recursive: true });
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

function generate(folder: string): void {
  const protoc = createRequire(import.meta.url).resolve("protoc/protoc.cjs");
  const plugins = join("node_modules", ".bin");
  const answer = spawnSync(
    process.execPath,
    [
      protoc,
      `--proto_path=${SOURCES}`,
      `--es_out=${folder}`,
      "--es_opt=target=ts,import_extension=ts,erasable_syntax=true",
      ...filesOf(SOURCES),
    ],
    { stdio: "inherit", env: { ...process.env, PATH: `${plugins}${delimiter}${process.env.PATH ?? ""}` } },
  );
  if (answer.status !== 0) throw new Error(`protoc ended with ${answer.status ?? answer.signal}`);
}

function verify(folder: string): void {
  const wanted = filesOf(folder);
  const stale = wanted.filter((file) => read(join(TARGET, file)) !== read(join(folder, file)));
  const extra = filesOf(TARGET).filter((file) => !wanted.includes(file));
  if (stale.length + extra.length === 0) return;
  console.error(`${TARGET} is out of date (${[...stale, ...extra].join(", ")}); run: npm run update:proto`);
  process.exitCode = 1;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(proto|ts)$/.test(file))
      .sort();
  } catch {
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
