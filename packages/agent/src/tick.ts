import type { DynamicReport, GapRow, SampleRow } from "@plimsoll/contracts/wire";
import type { ClusterLook, MeterCheckpoint, MeterFlush } from "@plimsoll/core";
import type { FlushedRows } from "./rows/fact-spooler.ts";

/** What a tick has to do: each has an interval of its own. */
export interface Due {
  readonly sample: boolean;
  readonly report: boolean;
  readonly flush: boolean;
}

/** The parts that a tick works with. Each is told what to do with partial failure: a tick never fails for one of them. */
export interface TickParts {
  /** Reads usage; what cannot be read is unknown. */
  readUsage(): Promise<void>;
  /** Asks the API server for its version and health. */
  askServer(): Promise<void>;
  /** The cluster as the watches know it now. */
  look(): ClusterLook;
  /** Takes the readings of the last `readUsage` into meter and windows. */
  takeSample(look: ClusterLook): void;
  /** Has what is reported at once changed since the last report? */
  isNews(look: ClusterLook): boolean;
  reportOf(look: ClusterLook): DynamicReport;
  report(report: DynamicReport): void;
  flushMeter(): MeterFlush;
  checkpoint(): MeterCheckpoint;
  /** Keeps the checkpoint on disk, if the disk takes it. */
  keep(checkpoint: MeterCheckpoint): Promise<void>;
  takeWindows(): readonly SampleRow[];
  takeGaps(): readonly GapRow[];
  /** Seals, and spools what the disk takes. */
  spool(rows: FlushedRows): Promise<void>;
}

/** The agent: what is seen of the cluster → the report → usage rows → the spool. From there it goes to the hub by itself. */
export async function tick(parts: TickParts, due: Due): Promise<void> {
  if (due.sample) await Promise.all([parts.readUsage(), parts.askServer()]);

  const look = parts.look();
  if (due.sample) parts.takeSample(look);
  if (due.report || parts.isNews(look)) parts.report(parts.reportOf(look));
  if (!due.flush) return;

  const { usage, nodes } = parts.flushMeter();
  // Before the rows: after a crash in between they are told again, and under the same keys.
  await parts.keep(parts.checkpoint());
  await parts.spool({ usage, nodes, samples: parts.takeWindows(), gaps: parts.takeGaps() });
}
