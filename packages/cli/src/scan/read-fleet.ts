import { type ClusterFacts, PlimsollError, type ReportedError, reportError } from "@plimsoll/contracts";
import type { ClusterSource } from "./cluster-source.ts";
import { mapBounded } from "./map-bounded.ts";
import type { ScanProgress } from "./scan-progress.ts";

/** What came of one source: what was made of its facts, or why there is nothing. `thrown` is for debugging only. */
export type ClusterReading<T> =
  | { readonly source: ClusterSource; readonly result: T }
  | { readonly source: ClusterSource; readonly error: ReportedError; readonly thrown: unknown };

export interface ReadOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly progress: ScanProgress;
}

/** A collection keeps its own deadline and says best what ran out of time; this much later it is given up, milliseconds. */
const GRACE_MS = 250;

/**
 * Reads every source, some side by side, and never rejects: one that fails, hangs or is interrupted is one reading with
 * its error. `take` makes what is wanted of a cluster's facts at once, so that no more than `concurrency` clusters are in
 * memory; when it throws, that is the cluster's error.
 */
export function readFleet<T>(
  sources: readonly ClusterSource[],
  options: ReadOptions,
  take: (facts: ClusterFacts, source: ClusterSource) => T | Promise<T>,
): Promise<ClusterReading<T>[]> {
  return mapBounded(sources, options.concurrency, async (source) => {
    options.progress.started(source.name);
    const reading = await readOne(source, options, take);
    options.progress.finished(source.name, "error" in reading ? reading.error : undefined);
    return reading;
  });
}

async function readOne<T>(
  source: ClusterSource,
  options: ReadOptions,
  take: (facts: ClusterFacts, source: ClusterSource) => T | Promise<T>,
): Promise<ClusterReading<T>> {
  const bulkhead = new AbortController();
  const signal = AbortSignal.any([options.signal, bulkhead.signal]);
  const timer = giveUpLater(source, bulkhead);
  try {
    options.signal.throwIfAborted();
    const facts = await orAborted(
      source.read(signal, (step) => options.progress.step(source.name, step)),
      signal,
    );
    return { source, result: await take(facts, source) };
  } catch (thrown) {
    const cause = options.signal.aborted ? new PlimsollError("scan_interrupted", { cluster: source.name }) : thrown;
    return { source, error: reportError(cause), thrown: cause };
  } finally {
    clearTimeout(timer);
  }
}

function giveUpLater(source: ClusterSource, bulkhead: AbortController): NodeJS.Timeout | undefined {
  if (source.deadlineMs === undefined) return undefined;
  const seconds = source.deadlineMs / 1000;
  const late = () => bulkhead.abort(new PlimsollError("cluster_timeout", { what: `Reading ${source.name}`, seconds }));
  return setTimeout(late, source.deadlineMs + GRACE_MS);
}

/** The promise's outcome, or the signal's reason as soon as it aborts, whatever the promise waits for. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
