import { PlimsollError, reportError } from "@plimsoll/contracts";
import {
  type BatchKey,
  DEFAULT_WIRE_LIMITS,
  describeKey,
  type Envelope,
  parseEnvelope,
  readRefusedHead,
} from "@plimsoll/contracts/wire";
import type { Ledger } from "../ledger/ledger.ts";
import type { Quarantine } from "../ledger/quarantine.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { applyGroup, type Delivery } from "./apply-group.ts";
import type { QueuePlace } from "./fair-queue.ts";
import { GroupCommit } from "./group-commit.ts";
import type { Ingest, IngestAnswer, IngestRetry, IngestSource } from "./ingest.ts";
import { IngestCounters } from "./ingest-counters.ts";
import { type Faulty, quarantineBatch, quarantineUnread } from "./quarantine-delivery.ts";

/** What the hub knows of a cluster that delivers. */
export interface ClusterIdentity {
  readonly incarnation: number;
  /** Is it deregistered (a tombstone)? */
  readonly gone: boolean;
}

/** What ingest needs. */
export interface IngestConfig {
  readonly ledger: Ledger;
  readonly quarantine: Quarantine;
  readonly warehouse: Warehouse;
  /** The registry's word on a cluster; undefined = it has never been registered. */
  readonly clusterOf: (clusterId: string) => Promise<ClusterIdentity | undefined>;
  /** Hears what made a delivery end in `retry`; default: nobody. */
  readonly onError?: (error: unknown) => void;
  readonly now?: () => number;
  /** From 0 to 1, for the spread of retries. */
  readonly random?: () => number;
  /** A commit at most so often; what comes meanwhile shares it. Default 200. */
  readonly commitEveryMs?: number;
  /**
   * Rows of one commit, which bounds what is decoded at a time. Default 20,000; a larger batch goes alone. Samples, which
   * stay columns, count a fifth.
   */
  readonly maxCommitRows?: number;
  /** Envelope bytes that may wait; beyond, the answer is `retry`. Default 64 MiB. */
  readonly maxWaitingBytes?: number;
}

/** An agent's idea of hub time may be ahead by its measuring error; more is a clock that nobody corrected. */
const MAX_AHEAD_MS = 24 * 3_600_000;
/** A refused delivery comes back after this time, and up to as long again: many that were refused together come apart. */
const RETRY_AFTER_MS = 5_000;
/** Commits of full queues are made so large that they take about this long. */
const COMMIT_WITHIN_MS = 700;
/** What was sealed within this time is live: it goes ahead of what an agent delivers later than that. */
const LIVE_WITHIN_MS = 120_000;
/** Samples that take the memory of one row of another kind. */
const SAMPLES_PER_ROW = 5;

/** The way for facts into the hub. One per process; the ledger has one writer. */
export function createIngest(config: IngestConfig): Ingest {
  const { ledger, quarantine, now = Date.now, random = Math.random, onError = () => undefined } = config;
  const { maxWaitingBytes = 64 * 1024 * 1024 } = config;
  const counters = new IngestCounters();
  const group = new GroupCommit<Delivery, IngestAnswer>(
    (deliveries) => applyGroup({ ...config, now, onError, counters }, deliveries),
    { everyMs: config.commitEveryMs ?? 200, maxSize: config.maxCommitRows ?? 20_000, maxMs: COMMIT_WITHIN_MS },
  );
  const inFlight = new Set<Promise<IngestAnswer>>();
  let stopped = false;
  let waitingBytes = 0;

  const retry = (code: string): IngestRetry => ({
    kind: "retry",
    afterMs: Math.round(RETRY_AFTER_MS * (1 + random())),
    code,
  });

  async function answer(bytes: Uint8Array, source: IngestSource): Promise<IngestAnswer> {
    const limits = { ...DEFAULT_WIRE_LIMITS, latestMs: now() + MAX_AHEAD_MS };
    try {
      const envelope = parseEnvelope(bytes, limits);
      refuseOther(envelope, source);
      const gone = goneOrNull(envelope, await config.clusterOf(envelope.key.clusterId));
      if (gone) return gone;
      return await group.add({ envelope, source, limits }, sizeOf(envelope), placeOf(envelope, now()));
    } catch (error) {
      if (!(error instanceof PlimsollError) || error.retryable) throw error;
      return refused({ bytes, source, error, atMs: now() });
    }
  }

  /** Of a batch that belongs to the sender's ledger the place is taken: its agent lets go of it, and no hole stays. */
  async function refused(faulty: Faulty): Promise<IngestAnswer> {
    const head = readRefusedHead(faulty.bytes);
    if (!head?.sha256) return quarantineUnread(quarantine, faulty, head?.key ?? null);
    const { key, kind, sha256 } = head;
    const known = await config.clusterOf(key.clusterId);
    const isOwn = isOf(key, faulty.source) && known?.gone === false && known.incarnation === key.incarnation;
    if (!isOwn) return quarantineUnread(quarantine, faulty, key);
    const answer = await quarantineBatch(quarantine, faulty, key);
    const times = { sealedAtMs: faulty.atMs, receivedAtMs: faulty.atMs };
    const entry = { key, sha256: Buffer.from(sha256).toString("hex"), kind, rows: 0, replaces: null, ...times };
    await ledger.registerQuarantined(entry);
    return answer;
  }

  async function answerAlways(bytes: Uint8Array, source: IngestSource): Promise<IngestAnswer> {
    if (stopped || waitingBytes + bytes.length > maxWaitingBytes) return counters.answered(retry("hub_busy"));
    waitingBytes += bytes.length;
    const answering = answer(bytes, source).catch((error: unknown) => {
      onError(error);
      return retry(reportError(error).code);
    });
    inFlight.add(answering);
    const answered = await answering;
    inFlight.delete(answering);
    waitingBytes -= bytes.length;
    return counters.answered(answered);
  }

  return {
    ingestEnvelope: (bytes, source) => answerAlways(bytes, source),
    replay: async (id) => {
      const [entry, bytes] = [await quarantine.find(id), await quarantine.bytes(id)];
      if (entry === null || bytes === null) return null;
      // As whoever sent it: what he may not deliver he may not deliver now either.
      const result = await answerAlways(bytes, { clusterId: entry.cluster_id, name: `replay of ${id}` });
      if (result.kind === "ack") await quarantine.markReplayed(id, now());
      return result;
    },
    mark: (spool) => ledger.mark(spool),
    figures: () => counters.figures(waitingBytes),
    stop: async () => {
      stopped = true;
      group.hasten();
      await Promise.all(inFlight);
    },
  };
}

/** What an envelope counts in a commit; even one without rows takes its place. */
function sizeOf({ kind, rows }: Envelope): number {
  return Math.max(kind === "sample" ? Math.ceil(rows / SAMPLES_PER_ROW) : rows, 1);
}

function placeOf({ key, sealedAtMs }: Envelope, nowMs: number): QueuePlace {
  return { member: key.clusterId, lane: nowMs - sealedAtMs <= LIVE_WITHIN_MS ? "live" : "backfill" };
}

function refuseOther({ key }: Envelope, source: IngestSource): void {
  if (isOf(key, source)) return;
  throw new PlimsollError("batch_of_other_cluster", { batch: describeKey(key), cluster: source.clusterId ?? "" });
}

function isOf({ clusterId }: BatchKey, source: IngestSource): boolean {
  return source.clusterId === null || source.clusterId === clusterId;
}

/** Only the registered incarnation of a cluster may deliver. Throws `batch_invalid` for one that there has never been. */
function goneOrNull({ key }: Envelope, known: ClusterIdentity | undefined): IngestAnswer | null {
  const { clusterId, incarnation } = key;
  if (known === undefined || known.gone || incarnation < known.incarnation) {
    return { kind: "deregistered", clusterId, incarnation, message: `${clusterId}/${incarnation} is not registered` };
  }
  if (incarnation === known.incarnation) return null;
  const reason = `is ${incarnation}, the cluster's is ${known.incarnation}`;
  throw new PlimsollError("batch_invalid", { field: "envelope.incarnation", reason });
}
