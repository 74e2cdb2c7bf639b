import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const BIN = resolve(import.meta.dirname, "../../packages/cli/bin/plimsoll.js");

/** An agent as a process of its own, started as `plimsoll join` says. */
export interface AgentProcess {
  readonly child: ChildProcess;
  /** What it wrote to standard error so far. */
  log(): string;
  /** Ends it with this signal and waits for its end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `plimsoll agent` with these arguments. */
export function startAgentProcess(args: readonly string[]): AgentProcess {
  const child = spawn(process.execPath, [BIN, "agent", ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  return {
    child,
    log: () => said,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
      return child.exitCode;
    },
  };
}
