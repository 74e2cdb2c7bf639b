/**
 * A hub as a process that is killed: `node hub-process.ts`, which is told everything by messages. The first gives its
 * settings; then it says where it listens. Its clock is set by messages, its commits are slowed by them, and its parts may
 * be broken (see broken-parts.ts).
 */
import { type HubLog, type HubSettings, type Ledger, startHub } from "@plimsoll/hub";
import { type Break, brokenHub } from "./broken-parts.ts";
import { createWorldClock } from "./world-clock.ts";

/** What it is told. */
export type HubOrder =
  | {
      readonly kind: "start";
      readonly settings: HubSettings;
      readonly offsetMs: number;
      readonly broken: Break | null;
    }
  | { readonly kind: "world"; readonly offsetMs: number }
  /** Each commit begins this much later. */
  | { readonly kind: "slow"; readonly commitMs: number };

/** What it says. */
export type HubWord =
  | { readonly kind: "ready"; readonly url: string; readonly adminToken: string | null }
  | { readonly kind: "log"; readonly level: string; readonly event: string; readonly fields: object }
  /** A commit was asked for; before the pause that it may be told to make. */
  | { readonly kind: "committing" };

const clock = createWorldClock(0);
let commitMs = 0;

process.on("message", (order: HubOrder) => {
  if (order.kind === "slow") commitMs = order.commitMs;
  else clock.offsetMs = order.offsetMs;
  if (order.kind === "start") void start(order.settings, order.broken);
});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

async function start(settings: HubSettings, broken: Break | null): Promise<void> {
  const log: HubLog = (level, event, fields = {}) => say({ kind: "log", level, event, fields });
  const { ledger = (real: Ledger) => real, ...others } = brokenHub(broken);
  const around = { ...others, ledger: (real: Ledger) => slowed(ledger(real)) };
  const { url, adminToken } = await startHub(settings, { clock, log, around });
  say({ kind: "ready", url, adminToken });
}

/** As a disk does that takes its time. */
function slowed(real: Ledger): Ledger {
  return {
    ...real,
    commit: async (commit) => {
      say({ kind: "committing" });
      if (commitMs > 0) await new Promise((resolve) => setTimeout(resolve, commitMs));
      return real.commit(commit);
    },
  };
}

function say(word: HubWord): void {
  if (process.connected) process.send?.(word);
}
