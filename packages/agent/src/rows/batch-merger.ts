import { PlimsollError } from "@plimsoll/contracts";
import {
  type Batch,
  type BatchKey,
  type BatchKind,
  type NodeRow,
  openEnvelope,
  parseEnvelope,
  type SampleRow,
  type SealFacts,
  type SequenceRange,
  sealBatch,
  type UsageRow,
} from "@plimsoll/contracts/wire";
import type { BatchMerger } from "../spool/spool.ts";
import { NewestRows } from "./merge-newest.ts";
import { mergeSamples } from "./merge-samples.ts";
import { nodeKey, usageKey } from "./row-keys.ts";

/** What sealing a merged batch needs besides what it is made of. */
export interface MergeFacts {
  readonly identity: Pick<BatchKey, "clusterId" | "incarnation">;
  readonly agentClockMs: number;
  readonly policyRevision: number;
}

/** Rows of a merged batch: below what a batch may hold, and of hours at most what a hub takes of one. */
const MOST = { rows: 20_000, ofAnHour: 40_000, samples: 100_000, hours: 48 };
const HOUR_MS = 3_600_000;

/** A merger of a kind; undefined for gaps, which stay as they are. */
export function createBatchMerger(kind: BatchKind, facts: MergeFacts): BatchMerger | undefined {
  switch (kind) {
    case "usage":
      return new RunMerger(new UsageRun(), facts);
    case "node":
      return new RunMerger(new NodeRun(), facts);
    case "sample":
      return new RunMerger(new SampleRun(), facts);
    case "gap":
      return undefined;
  }
}

/** Rows of a run of batches. */
interface Run {
  /** False = the batch does not go with those before; nothing of it is taken. */
  add(batch: Batch): boolean;
  merged(): Batch;
  /** Up to when the facts run; undefined = up to when they were sealed. */
  untilMs(): number | undefined;
}

class UsageRun implements Run {
  readonly #newest = new NewestRows<UsageRow>(usageKey);
  add = (batch: Batch): boolean => batch.kind === "usage" && this.#newest.add(batch.rows, MOST);
  merged = (): Batch => ({ kind: "usage", rows: this.#newest.rows() });
  untilMs = (): undefined => undefined;
}

class NodeRun implements Run {
  readonly #newest = new NewestRows<NodeRow>(nodeKey);
  add = (batch: Batch): boolean => batch.kind === "node" && this.#newest.add(batch.rows, MOST);
  merged = (): Batch => ({ kind: "node", rows: this.#newest.rows() });
  untilMs = (): undefined => undefined;
}

class SampleRun implements Run {
  readonly #rows: SampleRow[] = [];
  readonly #hours = new Set<number>();

  add(batch: Batch): boolean {
    if (batch.kind !== "sample" || this.#rows.length + batch.rows.length > MOST.samples) return false;
    const hours = new Set([
      ...this.#hours,
      ...batch.rows.map(({ windowStartMs }) => Math.floor(windowStartMs / HOUR_MS)),
    ]);
    if (hours.size > MOST.hours) return false;
    for (const hour of hours) this.#hours.add(hour);
    for (const row of batch.rows) this.#rows.push(row);
    return true;
  }

  merged(): Batch {
    return { kind: "sample", rows: mergeSamples(this.#rows) };
  }

  untilMs(): number {
    return this.#rows.reduce((most, { windowStartMs, windowMs }) => Math.max(most, windowStartMs + windowMs), 0);
  }
}

class RunMerger implements BatchMerger {
  readonly #run: Run;
  readonly #facts: MergeFacts;
  /** The merged batch is as old as the oldest of those that it stands for. */
  #sealedAtMs = Number.POSITIVE_INFINITY;

  constructor(run: Run, facts: MergeFacts) {
    this.#run = run;
    this.#facts = facts;
  }

  add(bytes: Uint8Array): boolean {
    const own = openOwn(bytes, this.#facts.identity);
    if (!own || !this.#run.add(own.batch)) return false;
    this.#sealedAtMs = Math.min(this.#sealedAtMs, own.sealedAtMs);
    return true;
  }

  seal(spoolId: string, sequence: number, replaces: SequenceRange) {
    const { identity, agentClockMs, policyRevision } = this.#facts;
    const facts: SealFacts = { sealedAtMs: this.#sealedAtMs, agentClockMs, policyRevision, replaces };
    const key = { clusterId: identity.clusterId, incarnation: identity.incarnation, spoolId, sequence };
    try {
      const { bytes, sealedAtMs } = sealBatch(key, this.#run.merged(), facts);
      const untilMs = this.#run.untilMs() ?? sealedAtMs;
      return { bytes, sealedAtMs, untilMs };
    } catch (error) {
      if (error instanceof PlimsollError && error.code.startsWith("batch_")) return null;
      throw error;
    }
  }
}

/** Undefined for what this release cannot open, or another incarnation sealed: it goes as it is. */
function openOwn(bytes: Uint8Array, { clusterId, incarnation }: MergeFacts["identity"]) {
  try {
    const envelope = parseEnvelope(bytes);
    const { key, sealedAtMs } = envelope;
    if (key.clusterId !== clusterId || key.incarnation !== incarnation) return undefined;
    return { batch: openEnvelope(envelope), sealedAtMs };
  } catch {
    return undefined;
  }
}
