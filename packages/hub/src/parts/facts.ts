import { reportError } from "@plimsoll/contracts";
import type { Metric } from "prom-client";
import type { Closers } from "../config/closers.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { type CostAnswers, createCostReader, createCosts, createPricing } from "../cost/costs.ts";
import { heardBy } from "../coverage/heard.ts";
import type { CoverageSources } from "../coverage/read-coverage.ts";
import { createIngest } from "../ingest/create-ingest.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { Liveness } from "../inventory/liveness.ts";
import type { Registry } from "../inventory/registry.ts";
import { openLedger } from "../ledger/ledger.ts";
import { openQuarantine, type Quarantine } from "../ledger/quarantine.ts";
import { createSpoolLosses, type SpoolLosses } from "../ledger/spool-losses.ts";
import type { HubLog } from "../log/hub-log.ts";
import { IngestMetrics } from "../metrics/ingest-metrics.ts";
import { storeMetrics } from "../metrics/store-metrics.ts";
import type { Store } from "../store/store.ts";
import { REAL_DISK } from "../warehouse/disk.ts";
import { createUpkeep } from "../warehouse/upkeep.ts";
import { openWarehouse, openWarehouseReader } from "../warehouse/warehouse.ts";
import type { WarehouseFault } from "../warehouse/warehouse-port.ts";

/** What is asked of facts. */
export interface FactAnswers {
  readonly costs: CostAnswers;
  readonly coverage: CoverageSources;
}

/** Facts on their way in, and what they cost. */
export interface Facts {
  readonly ingest: Ingest;
  readonly quarantine: Quarantine;
  readonly spoolLosses: SpoolLosses;
  /** Files that were found missing, damaged or not named by the ledger since the start. */
  readonly faults: () => number;
  /** Null where another process answers. */
  readonly answers: FactAnswers | null;
  /** What is measured of them. */
  readonly metrics: readonly Metric[];
}

/** Opens warehouse, ledger, ingest, pricing and upkeep. What stops first is what takes in: nothing is cut half-way. */
export async function openFacts(
  { dataDir, role, retentionMs }: HubConfig,
  { clock, log, around = {} }: HubDeps,
  { store, registry, liveness }: { readonly store: Store; readonly registry: Registry; readonly liveness: Liveness },
  closers: Closers,
): Promise<Facts> {
  const noted = notedBy(log);
  let faults = 0;
  const onFault = (fault: WarehouseFault): void => {
    faults += 1;
    faultsBy(log)(fault);
  };
  const { disk = asItIs, ledger: aroundLedger = asItIs, ingest: aroundIngest = asItIs } = around;
  const measured = new IngestMetrics();
  const warehouse = await openWarehouse({
    dataDir,
    store,
    onFault,
    onLost: measured.segmentLost,
    disk: disk(measured.disk(REAL_DISK)),
  });
  closers.add("warehouse", () => warehouse.close());
  await warehouse.recover();
  const [ledger, now] = [aroundLedger(measured.ledger(openLedger(store))), () => clock.now()];
  const spoolLosses = createSpoolLosses(store, measured.gapWriter(warehouse));
  const upkeep = createUpkeep({ warehouse, ledger, spoolLosses, retentionMs, now, onError: noted("upkeep_failed") });
  closers.add("upkeep", () => upkeep.stop());
  const coverage = { store, warehouse, heardOf: heardBy(liveness), samplesKeptMs: retentionMs.sample };
  const priced = { ...coverage, usageKeptMs: retentionMs.usage, now, onError: noted("pricing_failed") };
  const costs = role === "ingest" ? null : createCosts(priced);
  const pricing = costs ?? createPricing(priced);
  closers.add("pricing", () => pricing.stop());
  const quarantine = openQuarantine(store);
  const ingest = createIngest({
    ledger,
    quarantine,
    warehouse,
    now,
    onError: noted("ingest_failed"),
    clusterOf: async (clusterId) => {
      const entry = registry.find(clusterId);
      return entry && { incarnation: entry.incarnation, gone: entry.phase === "deregistered" };
    },
  });
  closers.add("ingest", () => ingest.stop());
  pricing.start();
  upkeep.start();
  const metrics = [...measured.metrics(ingest), ...storeMetrics(store, now)];
  const answers = costs && { costs, coverage };
  const taking = { ingest: measured.ingest(aroundIngest(ingest)), quarantine, spoolLosses, faults: () => faults };
  return { ...taking, answers, metrics };
}

/** Opens what answers from facts that another process takes in and prices: nothing is written. */
export async function openFactReader(
  { dataDir, retentionMs }: HubConfig,
  { clock, log }: HubDeps,
  { store, liveness }: { readonly store: Store; readonly liveness: Liveness },
  closers: Closers,
): Promise<FactAnswers> {
  const warehouse = await openWarehouseReader({ dataDir, store, onFault: faultsBy(log) });
  closers.add("warehouse", () => warehouse.close());
  const onError = notedBy(log)("live_rates_failed");
  const coverage = { store, warehouse, heardOf: heardBy(liveness), samplesKeptMs: retentionMs.sample };
  const costs = createCostReader({ ...coverage, now: () => clock.now(), onError });
  closers.add("live rates", () => costs.stop());
  costs.start();
  return { costs, coverage };
}

function notedBy(log: HubLog) {
  return (event: string) => (error: unknown) => log("error", event, { ...reportError(error) });
}

function faultsBy(log: HubLog) {
  return ({ path, fault, detail }: WarehouseFault) => log("warn", "segment_fault", { path, fault, detail });
}

const asItIs = <Part>(real: Part): Part => real;
