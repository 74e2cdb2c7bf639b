import type { BatchKind, SampleRow, SpoolMark, UsageRow } from "@plimsoll/contracts/wire";
import { type Batch, parseEnvelope, sealBatch } from "@plimsoll/contracts/wire";
import { openSpoolFolder } from "../../packages/agent/src/spool/open-spool-folder.ts";
import type { Spool } from "../../packages/agent/src/spool/spool.ts";
import type { JoinedCluster } from "../../packages/hub/src/testing/test-hub.ts";
import { nodeRow, sampleRow, usageRow } from "../../test/hub/facts.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NODES = 20;
/** Pods whose usage is told in one minute: of 300 pods each is told again after five minutes. */
const PODS_A_MINUTE = 60;

/** A spool with an hour of batches of a cluster of 20 nodes and 300 pods, and what of it is acknowledged when. */
export class FilledSpool {
  batches = 0;
  readonly backfilled: Promise<void>;
  readonly #spool: Spool;
  readonly #cluster: JoinedCluster;
  /** Last sequence of the back-fill, by spool; one goes when all of it is acknowledged. */
  readonly #lasts = new Map<string, number>();
  /** When live batches were spooled, by spool and sequence; milliseconds of `performance.now`. */
  readonly #waiting = new Map<string, { readonly spoolId: string; readonly sequence: number; readonly atMs: number }>();
  readonly #seconds: number[] = [];
  #endBackfill: () => void = () => {};

  static async make(path: string, cluster: JoinedCluster): Promise<FilledSpool> {
    const spool = await openSpoolFolder(path, {
      maxBytes: () => 2 ** 30,
      now: Date.now,
      readHead: (bytes) => {
        const { sealedAtMs, replaces } = parseEnvelope(bytes);
        return { sealedAtMs, untilMs: sealedAtMs, replaces };
      },
      keepDamage: async () => undefined,
    });
    const filled = new FilledSpool(spool, cluster);
    const until = Date.now();
    for (let atMs = until - HOUR_MS; atMs < until; atMs += MINUTE_MS) await filled.#minute(atMs);
    for (const { spoolId, lastSequence } of spool.states()) filled.#lasts.set(spoolId, Number(lastSequence));
    return filled;
  }

  private constructor(spool: Spool, cluster: JoinedCluster) {
    this.#spool = spool;
    this.#cluster = cluster;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.backfilled = promise;
    this.#endBackfill = resolve;
  }

  /** Batches that are not acknowledged. */
  get waiting(): number {
    return this.#spool.figures().batches;
  }

  /** The spool as a channel uses it. */
  watched(): Spool {
    const spool = this.#spool;
    return {
      append: (kind, seal) => spool.append(kind, seal),
      reader: () => spool.reader(),
      acknowledge: async (mark) => {
        await spool.acknowledge(mark);
        this.#note(mark);
      },
      forget: (batch) => spool.forget(batch),
      settle: (tools) => spool.settle(tools),
      states: () => spool.states(),
      figures: () => spool.figures(),
      onAppend: (listener) => spool.onAppend(listener),
      close: () => spool.close(),
    };
  }

  async addLive(): Promise<void> {
    const atMs = performance.now();
    await this.#append({ kind: "usage", rows: usageRows(Date.now()) }, Date.now(), (spoolId, sequence) =>
      this.#waiting.set(`${spoolId} ${sequence}`, { spoolId, sequence, atMs }),
    );
  }

  /** Of live batches, those that wait still included. */
  liveSeconds(): readonly number[] {
    const waiting = [...this.#waiting.values()].map(({ atMs }) => (performance.now() - atMs) / 1_000);
    return [...this.#seconds, ...waiting];
  }

  async #minute(atMs: number): Promise<void> {
    await this.#backfill({ kind: "usage", rows: usageRows(atMs) }, atMs);
    if (Math.round(atMs / MINUTE_MS) % 5 !== 0) return;
    const hourStartMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    const presentMs = atMs - hourStartMs;
    const times = { hourStartMs, asOfMs: atMs, presentMs, schedulableMs: presentMs };
    const nodes = Array.from({ length: NODES }, (_, node) => nodeRow({ ...times, nodeUid: `node-${node}` }));
    await this.#backfill({ kind: "node", rows: nodes }, atMs);
    await this.#backfill({ kind: "sample", rows: sampleRows(atMs) }, atMs);
  }

  async #backfill(batch: Batch, atMs: number): Promise<void> {
    await this.#append(batch, atMs, () => {});
    this.batches += 1;
  }

  #append(batch: Batch, atMs: number, noted: (spoolId: string, sequence: number) => void): Promise<void> {
    const { clusterId, incarnation } = this.#cluster;
    const kind: BatchKind = batch.kind;
    return this.#spool.append(kind, (spoolId, sequence) => {
      noted(spoolId, sequence);
      const facts = { sealedAtMs: atMs, agentClockMs: atMs, policyRevision: 1, replaces: null };
      const { bytes } = sealBatch({ clusterId, incarnation, spoolId, sequence }, batch, facts);
      return { bytes, sealedAtMs: atMs };
    });
  }

  #note({ spoolId, contiguous, ranges }: SpoolMark): void {
    const now = performance.now();
    for (const [key, one] of this.#waiting) {
      const { sequence } = one;
      const isHeld = sequence <= contiguous || ranges.some(({ first, last }) => first <= sequence && sequence <= last);
      if (one.spoolId !== spoolId || !isHeld) continue;
      this.#waiting.delete(key);
      this.#seconds.push((now - one.atMs) / 1_000);
    }
    if (contiguous >= (this.#lasts.get(spoolId) ?? Number.POSITIVE_INFINITY)) this.#lasts.delete(spoolId);
    if (this.#lasts.size === 0) this.#endBackfill();
  }
}

function usageRows(atMs: number): UsageRow[] {
  const hourStartMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  const first = (Math.round(atMs / MINUTE_MS) % 5) * PODS_A_MINUTE;
  return Array.from({ length: PODS_A_MINUTE }, (_, pod) =>
    usageRow({
      podUid: `0b2f4f6e-6f3f-4b41-8f43-${(first + pod).toString(16).padStart(12, "0")}`,
      podName: `cart-${first + pod}`,
      nodeUid: `node-${(first + pod) % NODES}`,
      hourStartMs,
      intervalStartMs: hourStartMs - HOUR_MS,
      asOfMs: atMs,
      billedMs: atMs - hourStartMs,
    }),
  );
}

function sampleRows(atMs: number): SampleRow[] {
  const windowStartMs = Math.floor(atMs / 300_000) * 300_000 - 300_000;
  return Array.from({ length: NODES }, (_, node) =>
    ["cpu", "memory", "pods"].map((resource) => sampleRow({ windowStartMs, subject: `node-${node}`, resource })),
  ).flat();
}
