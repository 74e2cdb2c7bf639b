import { type HubDeps, type HubSettings, silentLog, stderrLog } from "@plimsoll/hub";
import type { CommandContext } from "../program.ts";
import type { DemoOptions } from "./demo-command.ts";
import type { DemoFolder } from "./demo-folder.ts";

/** Address that a demo listens on: this machine alone. */
export const DEMO_HOST = "127.0.0.1";

/** Lengths that let a fleet be seen soon; a real one takes a minute for each. */
export const DEMO_POLICY = {
  sampleIntervalMs: 10_000,
  usageFlushMs: 10_000,
  usageResendMs: 60_000,
  reportIntervalMs: 15_000,
} as const;

/** How the hub of a demo is set. Its streams take any free port: only the page's port is of interest. */
export function demoHubSettings({ port }: DemoOptions, folder: DemoFolder, pageDir: string | null): HubSettings {
  return {
    dataDir: folder.hubData,
    host: DEMO_HOST,
    port,
    controlPort: 0,
    tls: "off",
    beatMs: 10_000,
    policy: DEMO_POLICY,
    pageDir,
    simulated: true,
  };
}

/** Silent, unless the environment asks for the log. */
export function demoHubDeps({ terminal: { env } }: CommandContext): Partial<HubDeps> {
  return { log: env.PLIMSOLL_DEBUG === "1" ? stderrLog() : silentLog };
}
