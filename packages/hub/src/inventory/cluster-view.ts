import { type CapacityReport, formatMoney, type ResourceFigures } from "@plimsoll/contracts";
import type { ClusterView, CostRate, Watermark } from "@plimsoll/contracts/rest";
import type { z } from "zod";
import type { CoveredRate } from "../cost/live-rate.ts";
import { presentCoverage } from "../coverage/present-coverage.ts";
import type { PullFault } from "../pull/pull-loop.ts";
import type { ClusterEntry } from "./cluster-entry.ts";
import { flatRecord, toInstant } from "./flat-record.ts";
import type { LivenessView } from "./liveness.ts";

/** Everything that is known of one cluster, from its several places. */
export interface KnownCluster {
  readonly entry: ClusterEntry;
  readonly heard: LivenessView;
  /** Null = not priced (yet). */
  readonly rate: CoveredRate | null;
  /** Why the hub cannot read it; null = it can, or an agent does. */
  readonly pullFault: PullFault | null;
  /** Facts that are older say that they do not arrive, milliseconds. */
  readonly factsLateAfterMs: number;
}

/** A cluster as the API shows it. */
export function presentCluster({ entry, heard, rate }: KnownCluster): ClusterView {
  const { capacity } = entry;
  return {
    id: entry.id,
    name: entry.name,
    mode: entry.mode,
    record: { ...flatRecord(entry, heard) },
    connectivity: {
      state: heard.state,
      since: new Date(heard.sinceMs).toISOString(),
      lastBeatAt: toInstant(heard.lastBeatAtMs),
      beatSeconds: heard.windows.beatMs / 1000,
      lateAfterSeconds: heard.windows.lateAfterMs / 1000,
      unknownAfterSeconds: heard.windows.unknownAfterMs / 1000,
    },
    nodes: capacity && presentNodes(capacity),
    watermarks: capacity && presentWatermarks(capacity.resources),
    observedAt: toInstant(entry.observedAtMs),
    receivedAt: toInstant(entry.receivedAtMs),
    cost: rate && presentRate(rate),
    simulated: entry.simulated,
  };
}

function presentNodes({ nodes }: CapacityReport): ClusterView["nodes"] {
  const { total, schedulable, reportingUsage, excluded } = nodes;
  return { total, schedulable, reportingUsage, excluded: { ...excluded } };
}

/** Figures by resource as a list: whole numbers as digits. */
export function presentWatermarks(resources: Readonly<Record<string, ResourceFigures>>): z.infer<typeof Watermark>[] {
  return Object.entries(resources)
    .sort(inOrder)
    .map(([resource, figures]) => ({
      resource,
      unit: figures.unit,
      capacity: figures.capacity.toString(),
      allocatable: figures.allocatable.toString(),
      requested: digits(figures.requested),
      requestedAllocatable: digits(figures.requestedAllocatable),
      limits: digits(figures.limits),
      limitsPartial: figures.limitsPartial,
      used: digits(figures.used),
      usedAllocatable: digits(figures.usedAllocatable),
      pending: digits(figures.pending),
    }));
}

/** What every cluster has comes first. */
const FIRST = ["cpu", "memory", "pods", "ephemeral-storage"];

function inOrder([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  const [left, right] = [a, b].map((name) => FIRST.indexOf(name) + 1 || FIRST.length + 1);
  return (left ?? 0) - (right ?? 0) || (a < b ? -1 : 1);
}

/** A live rate with money as decimals. */
export function presentRate(rate: CoveredRate): z.infer<typeof CostRate> {
  return {
    currency: rate.currency,
    total: formatMoney(rate.total),
    workloads: formatMoney(rate.workloads),
    idle: formatMoney(rate.idle),
    system: formatMoney(rate.system),
    asOf: new Date(rate.asOfMs).toISOString(),
    priceSource: rate.priceSource,
    coverage: presentCoverage(rate.coverage),
  };
}

function digits(quantity: bigint | null): string | null {
  return quantity === null ? null : quantity.toString();
}
