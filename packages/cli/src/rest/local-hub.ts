import { readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** How commands on the same machine reach a hub that runs here. */
export interface LocalHub {
  readonly url: string;
  /** Null when the file is gone, or not for this user to read. */
  readonly token: string | null;
  /** The hub's own certificates, where it speaks TLS by them. */
  readonly caFile: string | null;
}

/** Of the process that serves people, and of one that takes facts in beside it. */
const ADDRESS_FILES = { hub: "hub.json", ingest: "ingest.json" } as const;
const TOKEN_FILE = "admin-token";
const OWNER_ONLY = 0o600;

/** Folder that a hub keeps everything in: PLIMSOLL_DATA, else the user's own place for state. */
export function defaultDataDir(env: Environment): string {
  return env.PLIMSOLL_DATA || join(stateHome(env), "plimsoll", "hub");
}

/** Folder for what programs keep between runs, by the XDG rules. */
export function stateHome(env: Environment): string {
  return env.XDG_STATE_HOME || join(env.HOME || homedir(), ".local", "state");
}

/** Lets commands on this machine find a process of the hub of this data folder; gives back what takes that away again. */
export async function announceHub(
  dataDir: string,
  hub: { url: string; caFile: string | null },
  part: keyof typeof ADDRESS_FILES = "hub",
): Promise<() => Promise<void>> {
  const path = join(dataDir, ADDRESS_FILES[part]);
  await writeFile(path, `${JSON.stringify({ ...hub, pid: process.pid })}\n`, { mode: OWNER_ONLY });
  return () => rm(path, { force: true });
}

/** The hub that runs, or last ran, with this data folder, or the part of it that takes facts in; undefined when none did. */
export async function findLocalHub(
  dataDir: string,
  part: keyof typeof ADDRESS_FILES = "hub",
): Promise<LocalHub | undefined> {
  const announced = parseAddress(await textOf(join(dataDir, ADDRESS_FILES[part])));
  if (announced === undefined) return undefined;
  return { ...announced, token: (await textOf(join(dataDir, TOKEN_FILE)))?.trim() || null };
}

function parseAddress(text: string | undefined): Omit<LocalHub, "token"> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (typeof value !== "object" || value === null || !("url" in value) || typeof value.url !== "string")
      return undefined;
    const caFile = "caFile" in value && typeof value.caFile === "string" ? value.caFile : null;
    return { url: value.url, caFile };
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
