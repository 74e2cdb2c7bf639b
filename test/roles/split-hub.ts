/** A hub as two processes, which a test kills and starts again: the ports stay, the data folder stays. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { HubSettings } from "@plimsoll/hub";
import { type HubClient, hubClient } from "../fleet/hub-client.ts";
import { freePorts } from "../testbed/free-ports.ts";

type Part = "control" | "ingest";

/** Control and ingest of one hub. */
export interface SplitHub {
  /** REST addresses; gRPC addresses `host:port`. */
  readonly url: Readonly<Record<Part, string>>;
  readonly agents: Readonly<Record<Part, string>>;
  /** Of the control process that runs. */
  readonly client: HubClient;
  /** When a part was started last. */
  readonly startedMs: Readonly<Record<Part, number>>;
  start(part: Part): Promise<void>;
  /** SIGKILL. */
  kill(part: Part): Promise<void>;
  isRunning(part: Part): boolean;
}

const BEAT_MS = 1_000;

/** Starts neither. `settings` are of both; agents may be told other addresses than those that are listened on. */
export async function openSplitHub(
  settings: Pick<HubSettings, "dataDir" | "postgresUrl">,
  told: Partial<Record<Part, string>> = {},
): Promise<SplitHub> {
  const [control = 0, controlAgents = 0, ingest = 0, ingestAgents = 0] = await freePorts(4);
  const ports = { control: [control, controlAgents], ingest: [ingest, ingestAgents] } as const;
  const running = new Map<Part, ChildProcess>();
  const startedMs = { control: 0, ingest: 0 };
  let client: HubClient | undefined;
  return {
    url: { control: `http://127.0.0.1:${control}`, ingest: `http://127.0.0.1:${ingest}` },
    agents: { control: `127.0.0.1:${controlAgents}`, ingest: `127.0.0.1:${ingestAgents}` },
    startedMs,
    get client() {
      if (!client) throw new Error("no control was started yet");
      return client;
    },
    async start(part) {
      startedMs[part] = Date.now();
      const [port, controlPort] = ports[part];
      const given: HubSettings = {
        ...settings,
        role: part,
        port,
        controlPort,
        publicControlAddress: told[part] ?? null,
        beatMs: BEAT_MS,
        policy: { sampleIntervalMs: 10_000, usageFlushMs: 10_000, usageResendMs: 60_000, reportIntervalMs: 10_000 },
      };
      const { child, said } = await startProcess(given);
      running.set(part, child);
      if (part === "control") client = hubClient(said);
    },
    async kill(part) {
      const child = running.get(part);
      if (!child || !isAlive(child)) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    isRunning: (part) => isAlive(running.get(part)),
  };
}

function isAlive(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function startProcess(settings: HubSettings) {
  const program = new URL("../fleet/hub-process.ts", import.meta.url);
  const child = fork(program, [JSON.stringify(settings)], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (log += text));
  const [said] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`it ended by itself: ${log.slice(-2_000)}`))),
  ]);
  return { child, said: said as { readonly url: string; readonly adminToken: string } };
}
