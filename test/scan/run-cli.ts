import { spawn } from "node:child_process";
import { resolve } from "node:path";

export interface CliAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

const BIN = resolve(import.meta.dirname, "../../packages/cli/bin/plimsoll.js");

/** Runs `plimsoll` with plain Node as a process of its own, as a user does. Rejects only when it cannot be started. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<CliAnswer> {
  const started = performance.now();
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr, milliseconds: performance.now() - started }));
  });
}
