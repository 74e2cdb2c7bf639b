import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ensureBinaries } from "../testbed/index.ts";

/** One fault of a connection: `timeout`, `latency`, `slow_close`, `limit_data`, `bandwidth`, `slicer` and their numbers. */
export interface Toxic {
  readonly type: "timeout" | "latency" | "slow_close" | "limit_data" | "bandwidth" | "slicer" | "reset_peer";
  /** `upstream`: from the agent to the hub. */
  readonly stream: "upstream" | "downstream";
  readonly attributes: Readonly<Record<string, number>>;
}

/** A real Toxiproxy before one port. Every call rejects unless the proxy says that it did it. */
export interface Toxiproxy {
  /** False: connections are cut and none is taken. */
  enable(enabled: boolean): Promise<void>;
  add(toxic: Toxic): Promise<void>;
  /** Takes all faults away, and enables. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a proxy from `listenPort` to `upstreamPort`, with its API at `apiPort`; all of 127.0.0.1. */
export async function startToxiproxy(ports: {
  readonly api: number;
  readonly listen: number;
  readonly upstream: number;
}): Promise<Toxiproxy> {
  const { toxiproxy } = await ensureBinaries(["toxiproxy"]);
  const args = ["-host", "127.0.0.1", "-port", `${ports.api}`];
  const child = spawn(toxiproxy, args, { stdio: "ignore", env: { ...process.env, LOG_LEVEL: "error" } });
  process.once("exit", () => child.kill("SIGKILL"));
  const base = `http://127.0.0.1:${ports.api}`;
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${base}/${path}`, init);
    if (!answer.ok) throw new Error(`toxiproxy ${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  await listening(child, () => ask("GET", "proxies"));
  const listen = `127.0.0.1:${ports.listen}`;
  await ask("POST", "proxies", { name: "agents", listen, upstream: `127.0.0.1:${ports.upstream}`, enabled: true });
  let toxics = 0;
  return {
    enable: async (enabled) => void (await ask("POST", "proxies/agents", { enabled })),
    add: async (toxic) => {
      toxics += 1;
      await ask("POST", "proxies/agents/toxics", { name: `t${toxics}`, toxicity: 1, ...toxic });
    },
    heal: async () => void (await ask("POST", "reset")),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

async function listening(child: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (attempt > 100 || child.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
