import type { Clock, Random } from "@plimsoll/collect";
import type { Ingest } from "../ingest/ingest.ts";
import type { Liveness } from "../inventory/liveness.ts";
import type { Registry } from "../inventory/registry.ts";
import type { SpoolLosses } from "../ledger/spool-losses.ts";
import type { HubLog } from "../log/hub-log.ts";
import type { Store } from "../store/store.ts";
import type { HelloBudget } from "./hello-budget.ts";
import type { Policies } from "./policies.ts";
import type { Sessions } from "./sessions.ts";

/** What the streams of agents work with. */
export interface StreamDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly hellos: { readonly control: HelloBudget; readonly ingest: HelloBudget };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: HubLog;
  readonly hubVersion: string;
  /** Hears of every message that was refused, by the code of its error. */
  readonly onRefused: (stream: "control" | "ingest", code: string) => void;
}

/** And control streams. */
export interface ControlStreamDeps extends StreamDeps {
  readonly liveness: Liveness;
  readonly policies: Policies;
  readonly beatMs: number;
  /** Where agents deliver, `host:port`; empty = where their control stream is, null = not known yet. */
  readonly ingestAddress: () => string | null;
}

/** And data streams. */
export interface IngestStreamDeps extends StreamDeps {
  readonly ingest: Pick<Ingest, "ingestEnvelope" | "mark">;
  /** Hears which batches an agent still holds. Default: nobody. */
  readonly onSpools?: SpoolLosses["heard"];
  /** Asks the store anew about a cluster, where another process registers clusters and opens their sessions. */
  readonly refresh: (clusterId: string) => Promise<void>;
}
