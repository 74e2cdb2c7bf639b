import type { Metric } from "prom-client";
import type { Policies } from "../channel/policies.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { Quarantine } from "../ledger/quarantine.ts";
import type { SpoolLosses } from "../ledger/spool-losses.ts";
import type { Store } from "../store/store.ts";
import type { FactAnswers } from "./facts.ts";
import type { Fleet } from "./fleet.ts";
import type { ControlNews } from "./follow-control.ts";
import type { IngestNews } from "./follow-ingest.ts";
import type { HubKeys } from "./keys.ts";

/** What every process of a hub stands on. */
export interface HubBase {
  readonly store: Store;
  readonly keys: HubKeys;
  readonly fleet: Fleet;
}

/** What serves people, and tells agents what to do. */
export interface ControlParts extends FactAnswers {
  readonly policies: Policies;
  /** Of the ingest process; null = it is this one. */
  readonly news: IngestNews | null;
}

/** What takes facts in. */
interface IngestParts {
  readonly ingest: Ingest;
  readonly quarantine: Quarantine;
  readonly spoolLosses: SpoolLosses;
  /** Files that were found missing, damaged or not named by the ledger since the start. */
  readonly faults: () => number;
  /** What is measured of them. */
  readonly metrics: readonly Metric[];
  /** Of the control process; null = it is this one. */
  readonly news: ControlNews | null;
}

/** The parts of a hub behind its ports; one of the two at least. */
export interface HubParts extends HubBase {
  readonly control: ControlParts | null;
  readonly ingest: IngestParts | null;
}
