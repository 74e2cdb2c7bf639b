import type { Clock, Random } from "@plimsoll/collect";
import type { Identity } from "../join/identity.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { Spool, SpooledBatch } from "../spool/spool.ts";
import type { HubSession } from "./control-client.ts";
import type { Dial } from "./hub-client.ts";
import type { HubClock } from "./hub-clock.ts";
import { IngestSession } from "./ingest-session.ts";
import { type KeptStream, keepStream } from "./keep-stream.ts";
import { runSession } from "./run-session.ts";

/** What the data stream needs of the rest of the agent. */
export interface IngestNeeds {
  readonly identity: Identity;
  readonly instance: string;
  readonly agentVersion: string;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: AgentLog;
  readonly signal: AbortSignal;
  readonly session: HubSession;
  readonly hubClock: HubClock;
  /** Where batches go now, `host:port`. */
  readonly address: () => string;
  readonly spool: Spool;
  /** Puts a batch that the hub refuses for good aside, where people find it. */
  readonly quarantine: (batch: SpooledBatch, code: string, message: string) => Promise<void>;
  readonly count: (name: string) => void;
}

/** Starts the data stream: everything in the spool goes to the hub, and out of the spool when that has it durably. */
export function startIngest(needs: IngestNeeds): KeptStream {
  let current: IngestSession | undefined;
  needs.spool.onAppend(() => current?.wake());
  return keepStream({
    ...needs,
    name: "ingest",
    address: needs.address,
    fleetSize: () => needs.session.fleetSize,
    async session(address, welcomed, signal) {
      const client = needs.dial(address);
      const call = client.deliver();
      current = new IngestSession(needs, welcomed);
      call.on("drain", () => current?.wake());
      try {
        return await runSession({ call, clock: needs.clock, signal }, current);
      } finally {
        current = undefined;
        client.close();
      }
    },
  });
}
