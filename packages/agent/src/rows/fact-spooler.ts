import type { Clock } from "@plimsoll/collect";
import { type PlimsollError, reportError } from "@plimsoll/contracts";
import {
  type Batch,
  type BatchKind,
  type GapRow,
  type NodeRow,
  type SampleRow,
  sealBatch,
  type UsageRow,
} from "@plimsoll/contracts/wire";
import type { HubClock } from "../channel/hub-clock.ts";
import type { Identity } from "../join/identity.ts";
import type { AgentLog } from "../log/agent-log.ts";
import type { SettleTools, Spool, SpoolLoss } from "../spool/spool.ts";
import { createBatchMerger } from "./batch-merger.ts";
import { encodeInParts } from "./encode-in-parts.ts";
import { lossGap } from "./loss-gap.ts";
import { nodeKey, usageKey } from "./row-keys.ts";
import { droppedSamples, WaitingSamples } from "./waiting-samples.ts";

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

/** What the disk did not take, and how it is. */
interface DiskFault {
  readonly code: string;
  readonly message: string;
  readonly disk: string;
}

/**
 * Seals rows into batches and spools them. Rows that cannot be spooled (disk full, read-only) are kept in memory, the newest
 * of each key, and tried again with the next flush; samples only so many, and what goes of them is a gap.
 */
export class FactSpooler {
  readonly #needs: FactSpoolerNeeds;
  readonly #waiting = {
    usage: new Map<string, UsageRow>(),
    nodes: new Map<string, NodeRow>(),
    gaps: new Map<string, GapRow>(),
    samples: new WaitingSamples(),
  };
  readonly #tools: SettleTools;
  /** Code and state of the disk while it does not take what it is given. */
  #failing: string | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(needs: FactSpoolerNeeds) {
    this.#needs = needs;
    this.#tools = { record: (loss) => this.#recordLoss(loss), merger: (kind) => this.#merger(kind) };
  }

  /** Rows that wait in memory for a disk that takes them. */
  get waiting(): number {
    const { usage, nodes, gaps, samples } = this.#waiting;
    return usage.size + nodes.size + gaps.size + samples.size;
  }

  /** Spools what waits and the given rows, one call after the other. Never rejects for a disk that does not take them. */
  spool(rows: FlushedRows): Promise<void> {
    const done = this.#queue.then(() => this.#spool(rows));
    // What fails fails its own call, none of those behind it.
    this.#queue = done.catch(() => {});
    return done;
  }

  async #spool({ usage, nodes, samples, gaps }: FlushedRows): Promise<void> {
    for (const row of usage) this.#waiting.usage.set(usageKey(row), row);
    for (const row of nodes) this.#waiting.nodes.set(nodeKey(row), row);
    for (const row of gaps) this.#keepGap(row);
    const given = this.#waiting.samples.add(samples);
    if (given.length > 0) this.#dropSamples(given);
    const refused = await this.#attempt(() => this.#drain());
    const unsettled = await this.#attempt(() => this.#needs.spool.settle(this.#tools));
    // Settling may have made the room that was missing.
    const again = refused && !unsettled ? await this.#attempt(() => this.#drain()) : undefined;
    this.#tell(refused ?? unsettled ?? again);
  }

  /** Spools everything that waits, what tells of losses first. */
  async #drain(): Promise<void> {
    const { usage, nodes, gaps, samples } = this.#waiting;
    await this.#drainMap(gaps, (rows) => ({ kind: "gap", rows }));
    await this.#drainMap(usage, (rows) => ({ kind: "usage", rows }));
    await this.#drainMap(nodes, (rows) => ({ kind: "node", rows }));
    await this.#append(samples.rows(), (rows) => ({ kind: "sample", rows }));
    samples.clear();
  }

  async #drainMap<R>(rows: Map<string, R>, batchOf: (rows: readonly R[]) => Batch): Promise<void> {
    await this.#append([...rows.values()], batchOf);
    rows.clear();
  }

  /** The fault of the disk; undefined = there was none. */
  async #attempt(work: () => Promise<void>): Promise<DiskFault | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      const { code, message } = reportError(error);
      this.#needs.count("spool_failures");
      return { code, message, disk: this.#needs.spool.figures().disk };
    }
  }

  /** One line when it begins, when it becomes another fault, and when it is over. */
  #tell(fault: DiskFault | undefined): void {
    const now = fault && `${fault.code} ${fault.disk}`;
    if (now === this.#failing) return;
    this.#failing = now;
    if (fault) this.#needs.log("error", "spool_failing", { ...fault, rowsInMemory: this.waiting });
    else this.#needs.log("info", "spool_writable");
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
    const sizes = { raw: 0, packed: 0 };
    await spool.append(batch.kind, (spoolId, sequence) => {
      const envelope = sealBatch({ clusterId, incarnation, spoolId, sequence }, batch, { ...facts, sealedAtMs });
      Object.assign(sizes, { raw: envelope.rawBytes, packed: envelope.bytes.length });
      return { bytes: envelope.bytes, sealedAtMs };
    });
    count("batches_spooled");
    count("batch_raw_bytes", sizes.raw);
    count("batch_bytes", sizes.packed);
    count(`${batch.kind}_rows`, batch.rows.length);
  }

  #refuse(error: PlimsollError): void {
    this.#needs.count("rows_refused");
    this.#needs.log("error", "row_refused", { code: error.code, message: error.message });
  }

  #keepGap(row: GapRow): void {
    const lost = row.lostSequences?.spoolId ?? "";
    this.#waiting.gaps.set(`${row.startMs} ${row.reason} ${row.missing} ${row.subject} ${lost}`, row);
  }

  #dropSamples(rows: readonly SampleRow[]): void {
    const { hubClock, count } = this.#needs;
    this.#keepGap(droppedSamples(rows, Math.round(hubClock.now())));
    count("samples_dropped", rows.length);
  }

  #merger(kind: BatchKind) {
    const { identity, clock, policyRevision } = this.#needs;
    return createBatchMerger(kind, {
      identity,
      agentClockMs: clock.now(),
      policyRevision: policyRevision(),
    });
  }

  async #recordLoss(loss: SpoolLoss): Promise<void> {
    const gap = lossGap(loss, Math.round(this.#needs.hubClock.now()));
    const { reason, spoolId: spool, batches, missing } = loss;
    this.#needs.log("error", "spool_loss", { reason, missing, spool, batches });
    await this.#append([gap], (rows) => ({ kind: "gap", rows }));
  }
}
