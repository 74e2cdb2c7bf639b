import { type ResourceNanos, roundSample, toWireQuantity } from "@plimsoll/contracts";
import type { SampleRow } from "@plimsoll/contracts/wire";
import type { Load } from "../capacity/cluster-loads.ts";

/** Collects loads into windows that are aligned to UTC. */
export interface SampleWindows {
  /** The loads of a moment, milliseconds since 1970 UTC by hub time; a moment of a window that was taken is left out. */
  observe(loads: readonly Load[], atMs: number): void;
  /**
   * Rows of the windows that are over at `nowMs`, each once. Until there was one, the window that runs is told as it is so far,
   * each time: its later row has the same key and more readings, and replaces it.
   */
  take(nowMs: number): readonly SampleRow[];
}

/** Length of a window. Source: capacity rules, "5-minute windows". */
export const SAMPLE_WINDOW_MS = 300_000;

interface Window {
  readonly load: Pick<Load, "scope" | "subject">;
  readonly resource: string;
  readonly startMs: number;
  requested: bigint | null;
  min: bigint;
  max: bigint;
  sum: bigint;
  readings: number;
}

/** No windows yet. */
export function createSampleWindows(windowMs = SAMPLE_WINDOW_MS): SampleWindows {
  const windows = new Map<string, Window>();
  let takenTo = 0;
  let isFirst = true;
  return {
    observe(loads, atMs) {
      const startMs = Math.floor(atMs / windowMs) * windowMs;
      if (startMs < takenTo) return;
      for (const load of loads) {
        for (const resource of resourcesOf(load)) add(windows, load, resource, startMs);
      }
    },
    take(nowMs) {
      const over = [...windows].filter(([, { startMs }]) => startMs + windowMs <= nowMs);
      takenTo = Math.max(takenTo, Math.floor(nowMs / windowMs) * windowMs);
      for (const [key] of over) windows.delete(key);
      isFirst &&= over.length === 0;
      return (isFirst ? [...windows] : over).map(([, window]) => toRow(window, windowMs));
    },
  };
}

/** cpu and memory always, other resources where something of them is requested or used. */
function resourcesOf({ requested, used }: Load): readonly string[] {
  const names = new Set(["cpu", "memory"]);
  for (const list of [requested, used]) for (const [name, nanos] of list ?? []) if (nanos > 0n) names.add(name);
  return [...names];
}

function add(windows: Map<string, Window>, load: Load, resource: string, startMs: number): void {
  const key = `${startMs} ${load.scope} ${resource} ${load.subject}`;
  const window = windows.get(key) ?? {
    load,
    resource,
    startMs,
    requested: null,
    min: 0n,
    max: 0n,
    sum: 0n,
    readings: 0,
  };
  windows.set(key, window);
  window.requested = load.requested && amountOf(load.requested, resource);
  const used = load.used?.get(resource);
  if (used === undefined) return;
  const amount = toWireQuantity(resource, used);
  window.min = window.readings === 0 || amount < window.min ? amount : window.min;
  window.max = amount > window.max ? amount : window.max;
  window.sum += amount;
  window.readings += 1;
}

function amountOf(resources: ResourceNanos, resource: string): bigint {
  return toWireQuantity(resource, resources.get(resource) ?? 0n);
}

function toRow({ load, resource, startMs, requested, min, max, sum, readings }: Window, windowMs: number): SampleRow {
  const known = readings > 0;
  return roundSample({
    scope: load.scope,
    subject: load.subject,
    resource,
    windowStartMs: startMs,
    windowMs,
    requested: requested === null ? null : toSample(requested),
    usedMin: known ? toSample(min) : null,
    usedAvg: known ? toSample(sum / BigInt(readings)) : null,
    usedMax: known ? toSample(max) : null,
    readings,
  });
}

/** A sample holds at most 2^53 - 1, beyond any cluster: 9 million cores, 9 PB. */
function toSample(amount: bigint): number {
  return amount > MOST ? Number.MAX_SAFE_INTEGER : Number(amount);
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER);
