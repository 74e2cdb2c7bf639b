import { PlimsollError } from "@plimsoll/contracts";
import { type BatchKey, describeKey, type Envelope, type SpoolMark, type WireLimits } from "@plimsoll/contracts/wire";
import { type Ledger, type LedgerEntry, type LedgerVerdict, MAX_REPLACED } from "../ledger/ledger.ts";
import type { Quarantine } from "../ledger/quarantine.ts";
import { spoolName } from "../ledger/spool-state.ts";
import type { FactRows } from "../warehouse/fact-batch.ts";
import { rowCount } from "../warehouse/fact-batch.ts";
import { isRefused, letGo } from "../warehouse/unnamed-files.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { IngestAnswer, IngestSource } from "./ingest.ts";
import type { IngestCounters } from "./ingest-counters.ts";
import { openFacts } from "./open-facts.ts";
import { quarantineBatch } from "./quarantine-delivery.ts";

/** An envelope that may be delivered: its head is read, its cluster is known. */
export interface Delivery {
  readonly envelope: Envelope;
  readonly source: IngestSource;
  readonly limits: WireLimits;
}

/** What applying needs. */
export interface ApplyContext {
  readonly ledger: Ledger;
  readonly quarantine: Quarantine;
  readonly warehouse: Warehouse;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly counters: IngestCounters;
}

/** A delivery whose rows are decoded. */
interface Opened {
  readonly delivery: Delivery;
  readonly entry: LedgerEntry;
  readonly facts: FactRows;
}

/** Repeats of a commit that another writer was faster than. */
const MAX_REPEATS = 3;

/**
 * Decodes deliveries, writes their rows and registers them in one commit; one answer for each, in their order. Nothing is
 * acknowledged before the commit is durable. When the group cannot be written, each delivery is tried alone, so that one
 * that breaks the store's engine takes no other with it.
 */
export async function applyGroup(
  context: ApplyContext,
  deliveries: readonly Delivery[],
): Promise<readonly IngestAnswer[]> {
  const answers = new Map<Delivery, IngestAnswer>();
  const opened: Opened[] = [];
  for (const delivery of deliveries) {
    const result = await open(context, delivery);
    if ("facts" in result) opened.push(result);
    else answers.set(delivery, result);
  }
  for (const [delivery, answer] of await applyOrSplit(context, opened)) answers.set(delivery, answer);
  return deliveries.map((delivery) => answers.get(delivery) ?? RETRY);
}

const RETRY: IngestAnswer = { kind: "retry", afterMs: 5_000, code: "warehouse_unavailable" };

async function open(context: ApplyContext, delivery: Delivery): Promise<Opened | IngestAnswer> {
  const entry = entryOf(delivery, context.now());
  try {
    refuseLongReplacement(entry);
    return { delivery, entry, facts: openFacts(delivery.envelope, delivery.limits) };
  } catch (error) {
    if (!(error instanceof PlimsollError) || error.retryable) throw error;
    const answer = await quarantineBatch(context.quarantine, faultyOf(delivery, error, entry.receivedAtMs), entry.key);
    await context.ledger.registerQuarantined(entry);
    return answer;
  }
}

function entryOf({ envelope }: Delivery, receivedAtMs: number): LedgerEntry {
  const { key, kind, rows, sealedAtMs, replaces } = envelope;
  const sha256 = Buffer.from(envelope.sha256).toString("hex");
  return { key, sha256, kind, rows, sealedAtMs, receivedAtMs, replaces };
}

function refuseLongReplacement({ replaces }: LedgerEntry): void {
  if (replaces === null || replaces.last - replaces.first < MAX_REPLACED) return;
  const reason = `is of more than ${MAX_REPLACED} batches`;
  throw new PlimsollError("batch_invalid", { field: "envelope.replaces", reason });
}

function faultyOf({ envelope, source }: Delivery, error: PlimsollError, atMs: number) {
  return { bytes: envelope.bytes, source, error, atMs };
}

async function applyOrSplit(
  context: ApplyContext,
  opened: readonly Opened[],
): Promise<readonly (readonly [Delivery, IngestAnswer])[]> {
  try {
    return await applyOpened(context, opened);
  } catch (error) {
    context.onError(error);
    if (opened.length <= 1) return opened.map(({ delivery }) => [delivery, RETRY]);
    const answers: (readonly [Delivery, IngestAnswer])[] = [];
    for (const each of opened) answers.push(...(await applyOrSplit(context, [each])));
    return answers;
  }
}

async function applyOpened(
  context: ApplyContext,
  opened: readonly Opened[],
): Promise<readonly (readonly [Delivery, IngestAnswer])[]> {
  const verdicts = await register(context, opened);
  const marks = new Map<string, Promise<SpoolMark>>();
  const markOf = (key: BatchKey): Promise<SpoolMark> => {
    const mark = marks.get(spoolName(key)) ?? context.ledger.mark(key);
    marks.set(spoolName(key), mark);
    return mark;
  };
  const answers: (readonly [Delivery, IngestAnswer])[] = [];
  for (const [index, one] of opened.entries()) {
    answers.push([one.delivery, await answerOf(context, one, verdicts[index] ?? "conflict", markOf)]);
  }
  return answers;
}

/** Judges, writes and commits. Its end is the moment from which the batches count. */
async function register(context: ApplyContext, opened: readonly Opened[]): Promise<readonly LedgerVerdict[]> {
  const { ledger, warehouse, counters, now } = context;
  for (let repeat = 0; ; repeat += 1) {
    const verdicts = await ledger.judge(opened.map(({ entry }) => entry));
    const applied = opened.filter((_, index) => verdicts[index] === "applied");
    const facts = await warehouse.append(applied.map(({ entry, facts }) => ({ key: placeOf(entry), facts })));
    const entries = opened.map(({ entry }, index) => ({ entry, verdict: verdicts[index] ?? "conflict" }));
    try {
      await ledger.commit({ entries, ...facts, nowMs: now() });
      counters.committed(now());
      for (const { facts } of applied) counters.applied(facts.kind, rowCount(facts));
      return verdicts;
    } catch (error) {
      // Files of a commit that failed are not orphans to wonder about, and fill no disk.
      await letGo(facts.written, error);
      if (!isRefused(error) || repeat >= MAX_REPEATS) throw error;
    }
  }
}

/**
 * Where the rows of a batch stand among those of its spool. One that stands for others has the place of their last: rows of
 * one key and moment that were sealed after those are newer, whatever its own sequence.
 */
function placeOf({ key, replaces }: LedgerEntry): BatchKey {
  return replaces ? { ...key, sequence: replaces.last } : key;
}

async function answerOf(
  { quarantine, now }: ApplyContext,
  { delivery, entry }: Opened,
  verdict: LedgerVerdict,
  markOf: (key: BatchKey) => Promise<SpoolMark>,
): Promise<IngestAnswer> {
  const { key } = entry;
  if (verdict !== "conflict") return { kind: "ack", clusterId: key.clusterId, mark: await markOf(key), verdict };
  const error = new PlimsollError("batch_conflict", { batch: describeKey(key) });
  return quarantineBatch(quarantine, faultyOf(delivery, error, now()), key);
}
