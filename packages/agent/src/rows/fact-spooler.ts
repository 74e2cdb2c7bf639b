import type { Clock } from "@plimsoll/collect";
import { type PlimsollError, reportError } from "@plimsoll/contracts";
import {
  type Batch,
  type GapRow,
  type NodeRow,
  type SampleRow,
  sealBatch,
  type UsageRow,
} from "@plimsoll/contracts/wire";
import type { HubClock } from "../channel/hub-clock.ts";
import type { Identity } from "../join/identity.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { Spool, SpoolLoss } from "../spool/spool.ts";
import { encodeInParts } from "./encode-in-parts.ts";

/** Rows of one flush. */
export interface FlushedRows {
  readonly usage: readonly UsageRow[];
  readonly nodes: readonly NodeRow[];
  readonly samples: readonly SampleRow[];
  readonly gaps: readonly GapRow[];
}

/** What sealing and spooling needs. */
export interface FactSpoolerNeeds {
  readonly identity: Pick<Identity, "clusterId" | "incarnation">;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly hubClock: HubClock;
  readonly policyRevision: () => number;
  readonly log: AgentLog;
  readonly count: (name: string, by?: number) => void;
}

/**
 * Seals rows into batches and spools them. Rows that cannot be spooled (disk full) are kept, the newest of each key, and
 * tried again with the next flush.
 */
export class FactSpooler {
  readonly #needs: FactSpoolerNeeds;
  readonly #waiting = {
    usage: new Map<string, UsageRow>(),
    nodes: new Map<string, NodeRow>(),
    gaps: new Map<string, GapRow>(),
  };
  #failing = false;

  constructor(needs: FactSpoolerNeeds) {
    this.#needs = needs;
  }

  /** Rows that wait in memory for a disk that takes them. */
  get waiting(): number {
    return this.#waiting.usage.size + this.#waiting.nodes.size + this.#waiting.gaps.size;
  }

  /** Spools what waits and the given rows. Never rejects for a disk that does not take them. */
  async spool({ usage, nodes, samples, gaps }: FlushedRows): Promise<void> {
    keep(this.#waiting.usage, usage, (row) => `${row.podUid} ${row.intervalStartMs} ${row.hourStartMs}`);
    keep(this.#waiting.nodes, nodes, (row) => `${row.nodeUid} ${row.hourStartMs}`);
    keep(this.#waiting.gaps, gaps, (row) => `${row.startMs} ${row.reason} ${row.missing} ${row.subject}`);
    try {
      await this.#drain(this.#waiting.usage, (rows) => ({ kind: "usage", rows }));
      await this.#drain(this.#waiting.nodes, (rows) => ({ kind: "node", rows }));
      await this.#drain(this.#waiting.gaps, (rows) => ({ kind: "gap", rows }));
      await this.#append(samples, (rows) => ({ kind: "sample", rows }));
      await this.#needs.spool.settleLosses((loss) => this.#recordLoss(loss));
      if (this.#failing) this.#needs.log("info", "spool_writable");
      this.#failing = false;
    } catch (error) {
      const { code, message } = reportError(error);
      // One line when it begins; samples of this flush are not kept, they are told by their windows' absence.
      if (!this.#failing) this.#needs.log("error", "spool_failing", { code, message });
      this.#failing = true;
      this.#needs.count("spool_failures");
    }
  }

  async #drain<R>(rows: Map<string, R>, batchOf: (rows: readonly R[]) => Batch): Promise<void> {
    await this.#append([...rows.values()], batchOf);
    rows.clear();
  }

  async #append<R>(rows: readonly R[], batchOf: (rows: readonly R[]) => Batch): Promise<void> {
    await encodeInParts(
      rows,
      (part) => this.#seal(batchOf(part)),
      (_, error) => this.#refuse(error),
    );
  }

  async #seal(batch: Batch): Promise<void> {
    const { identity, spool, clock, hubClock, policyRevision, count } = this.#needs;
    const { clusterId, incarnation } = identity;
    const facts = { agentClockMs: clock.now(), policyRevision: policyRevision(), replaces: null };
    const sealedAtMs = Math.round(hubClock.now());
    await spool.append(batch.kind, (spoolId, sequence) => {
      const envelope = sealBatch({ clusterId, incarnation, spoolId, sequence }, batch, { ...facts, sealedAtMs });
      return { bytes: envelope.bytes, sealedAtMs };
    });
    count("batches_spooled");
    count(`${batch.kind}_rows`, batch.rows.length);
  }

  #refuse(error: PlimsollError): void {
    this.#needs.count("rows_refused");
    this.#needs.log("error", "row_refused", { code: error.code, message: error.message });
  }

  async #recordLoss(loss: SpoolLoss): Promise<void> {
    const gap = gapOf(loss, Math.round(this.#needs.hubClock.now()));
    this.#needs.log("error", "spool_loss", { reason: loss.reason, spool: loss.spoolId, batches: loss.batches });
    await this.#append([gap], (rows) => ({ kind: "gap", rows }));
  }
}

/** A loss of the spool as the hub is told of it. */
function gapOf(loss: SpoolLoss, nowMs: number): GapRow {
  const { reason, missing, spoolId, first, last, batches, bytes, startMs, endMs, openEnd } = loss;
  const what = `${batches} batches of ${bytes} bytes`;
  return {
    startMs,
    endMs,
    asOfMs: nowMs,
    reason,
    missing,
    subject: null,
    detail:
      reason === "spool_full"
        ? `The spool was full: ${what} of samples were dropped`
        : `The spool was damaged: ${what} are lost${openEnd ? "; the last may never have been finished" : ""}`,
    lostBatches: batches,
    lostRows: 0,
    lostBytes: bytes,
    lostSequences: { spoolId, first, last },
  };
}

function keep<R extends { readonly asOfMs: number }>(
  held: Map<string, R>,
  rows: readonly R[],
  keyOf: (row: R) => string,
): void {
  for (const row of rows) held.set(keyOf(row), row);
}
