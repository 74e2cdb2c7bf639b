import { PlimsollError, type ReportedError, reportError } from "@plimsoll/contracts";
import { reportCluster } from "@plimsoll/core";
import type { ClusterSource } from "./cluster-source.ts";
import { mapBounded } from "./map-bounded.ts";
import type { ScanProgress } from "./scan-progress.ts";

type ClusterResult = ReturnType<typeof reportCluster>;

/** What came of one source: a cluster's part of the report, or why there is none. `thrown` is for debugging only. */
export type ClusterReading =
  | { readonly source: ClusterSource; readonly result: ClusterResult }
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
 * its error. Facts are turned into a report at once, so that no more than `concurrency` clusters are in memory.
 */
export function readFleet(sources: readonly ClusterSource[], options: ReadOptions): Promise<ClusterReading[]> {
  return mapBounded(sources, options.concurrency, async (source) => {
    options.progress.started(source.name);
    const reading = await readOne(source, options);
    options.progress.finished(source.name, "error" in reading ? reading.error : undefined);
    return reading;
  });
}

async function readOne(source: ClusterSource, options: ReadOptions): Promise<ClusterReading> {
  const bulkhead = new AbortController();
  const signal = AbortSignal.any([options.signal, bulkhead.signal]);
  const timer = giveUpLater(source, bulkhead);
  try {
    options.signal.throwIfAborted();
    const facts = await orAborted(
      source.read(signal, (step) => options.progress.step(source.name, step)),
      signal,
    );
    return { source, result: reportCluster(facts) };
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
