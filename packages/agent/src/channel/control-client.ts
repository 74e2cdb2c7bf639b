import type { Clock, Random } from "@plimsoll/collect";
import type { HealthStatus } from "@plimsoll/contracts";
import type { Command, CommandResult, DynamicReport, Policy } from "@plimsoll/contracts/wire";
import type { SpoolStatus } from "../agent.ts";
import type { Identity } from "../join/identity.ts";
import type { AgentLog } from "../log/agent-log.ts";
import { ControlSession } from "./control-session.ts";
import type { Dial } from "./hub-client.ts";
import type { HubClock } from "./hub-clock.ts";
import { type KeptStream, keepStream } from "./keep-stream.ts";
import { runSession } from "./run-session.ts";

/** What the hub told of itself; both streams read it. */
export interface HubSession {
  /** Of the last welcome; 0 = control was not reached yet. */
  epoch: bigint;
  fleetSize: number;
}

/** What the control stream needs of the rest of the agent. */
export interface ControlNeeds {
  readonly identity: Identity;
  readonly instance: string;
  readonly agentVersion: string;
  readonly startedMs: number;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: AgentLog;
  readonly count: (name: string) => void;
  readonly signal: AbortSignal;
  readonly hubClock: HubClock;
  readonly session: HubSession;
  readonly policyRevision: () => number;
  readonly spool: () => SpoolStatus;
  readonly health: () => HealthStatus;
  /** Applies a policy; gives the code and message of why it cannot, null when it did. */
  readonly applyPolicy: (policy: Policy) => Promise<{ readonly code: string; readonly message: string } | null>;
  /** Carries a command out; one that it does not know it says so of. */
  readonly carryOut: (command: Command) => Promise<Pick<CommandResult, "state" | "errorCode" | "message">>;
}

/** The agent's end of the control plane: it keeps the stream, beats and reports. */
export interface ControlClient extends KeptStream {
  /** The latest report: sent at once when connected, else as soon as that. Never blocks. */
  report(report: DynamicReport): void;
  /** Says why it goes; nothing is sent afterwards. */
  goodbye(reason: string): void;
}

/** Starts the control stream. */
export function startControl(needs: ControlNeeds): ControlClient {
  let latest: DynamicReport | undefined;
  let current: ControlSession | undefined;
  let leaving = false;
  const kept = keepStream({
    ...needs,
    name: "control",
    address: () => needs.identity.controlAddress,
    fleetSize: () => needs.session.fleetSize,
    async session(address, welcomed, signal) {
      const client = needs.dial(address);
      current = new ControlSession(needs, () => latest, welcomed);
      try {
        const end = await runSession({ call: client.control(), clock: needs.clock, signal }, current);
        // Who took leave does not come back, whichever side ended the stream.
        return leaving ? { kind: "over", end: { reason: "stopped", code: null, message: "stopped" } } : end;
      } finally {
        current = undefined;
        client.close();
      }
    },
  });
  return {
    ...kept,
    report(report) {
      latest = report;
      current?.report(report);
    },
    goodbye(reason) {
      leaving = true;
      current?.goodbye(reason);
    },
  };
}
