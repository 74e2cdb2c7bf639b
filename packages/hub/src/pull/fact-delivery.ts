import { randomUUID } from "node:crypto";
import type { Clock } from "@plimsoll/collect";
import { type Batch, type NodeRow, type SampleRow, sealBatch, type UsageRow } from "@plimsoll/contracts/wire";
import type { Ingest } from "../ingest/ingest.ts";
import { sealInParts } from "./seal-in-parts.ts";

/** Rows of one round. */
export interface RoundRows {
  readonly usage: readonly UsageRow[];
  readonly nodes: readonly NodeRow[];
  readonly samples: readonly SampleRow[];
}

/** What delivering needs. */
export interface DeliveryNeeds {
  readonly clusterId: string;
  readonly incarnation: number;
  readonly ingest: Pick<Ingest, "ingestEnvelope">;
  readonly clock: Clock;
  /** Hears of rows and batches that will never be counted. */
  readonly onRefused: (error: { readonly code: string; readonly message: string }) => void;
}

/**
 * Delivers the rows of a cluster that the hub reads itself, by the way that agents' batches take, in a spool of its own. What
 * cannot be stored now waits in memory, sealed, and goes first the next time.
 */
export class FactDelivery {
  readonly #needs: DeliveryNeeds;
  /** New with every start: its sequence starts anew. */
  readonly #spoolId = `pull-${randomUUID()}`;
  #sequence = 0;
  #waiting: Uint8Array[] = [];

  constructor(needs: DeliveryNeeds) {
    this.#needs = needs;
  }

  /** Nothing waits: there is room for the rows of another round. */
  get isClear(): boolean {
    return this.#waiting.length === 0;
  }

  /** Seals rows behind what waits, and delivers as much as is taken. True = all of it. */
  async deliver({ usage, nodes, samples }: RoundRows): Promise<boolean> {
    this.#seal(usage, (rows) => ({ kind: "usage", rows }));
    this.#seal(nodes, (rows) => ({ kind: "node", rows }));
    this.#seal(samples, (rows) => ({ kind: "sample", rows }));
    return this.drain();
  }

  /** Delivers what waits. */
  async drain(): Promise<boolean> {
    const { clusterId, ingest, onRefused } = this.#needs;
    const source = { clusterId, name: "pull" };
    const answers = await Promise.all(this.#waiting.map((bytes) => ingest.ingestEnvelope(bytes, source)));
    this.#waiting = this.#waiting.filter((_, index) => answers[index]?.kind === "retry");
    for (const answer of answers) if (answer.kind === "reject") onRefused(answer);
    return this.isClear;
  }

  #seal<R>(rows: readonly R[], batchOf: (rows: readonly R[]) => Batch): void {
    const { clusterId, incarnation, clock, onRefused } = this.#needs;
    const nowMs = clock.now();
    const facts = { sealedAtMs: nowMs, agentClockMs: nowMs, policyRevision: 0, replaces: null };
    sealInParts(
      rows,
      (part) => {
        const key = { clusterId, incarnation, spoolId: this.#spoolId, sequence: this.#sequence + 1 };
        this.#waiting.push(sealBatch(key, batchOf(part), facts).bytes);
        this.#sequence += 1;
      },
      onRefused,
    );
  }
}
