import { reportError } from "@plimsoll/contracts";
import type { Closers } from "../config/closers.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { type Costs, createCosts } from "../cost/costs.ts";
import { heardBy } from "../coverage/heard.ts";
import type { CoverageSources } from "../coverage/read-coverage.ts";
import { createIngest } from "../ingest/create-ingest.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { Liveness } from "../inventory/liveness.ts";
import type { Registry } from "../inventory/registry.ts";
import { openLedger } from "../ledger/ledger.ts";
import { openQuarantine, type Quarantine } from "../ledger/quarantine.ts";
import type { Store } from "../store/store.ts";
import { REAL_DISK } from "../warehouse/disk.ts";
import { createUpkeep } from "../warehouse/upkeep.ts";
import { openWarehouse } from "../warehouse/warehouse.ts";

/** Facts on their way in, and what they cost. */
export interface Facts {
  readonly ingest: Ingest;
  readonly quarantine: Quarantine;
  readonly costs: Costs;
  readonly coverage: CoverageSources;
}

/** Opens warehouse, ledger, ingest, pricing and upkeep. What stops first is what takes in: nothing is cut half-way. */
export async function openFacts(
  { dataDir }: HubConfig,
  { clock, log, around = {} }: HubDeps,
  { store, registry, liveness }: { readonly store: Store; readonly registry: Registry; readonly liveness: Liveness },
  closers: Closers,
): Promise<Facts> {
  const noted = (event: string) => (error: unknown) => log("error", event, { ...reportError(error) });
  const onFault = ({ path, fault, detail }: { path: string; fault: string; detail: string }) =>
    log("warn", "segment_fault", { path, fault, detail });
  const { disk = asItIs, ledger: aroundLedger = asItIs, ingest: aroundIngest = asItIs } = around;
  const warehouse = await openWarehouse({ dataDir, store, onFault, disk: disk(REAL_DISK) });
  closers.add("warehouse", () => warehouse.close());
  await warehouse.recover();
  const [ledger, now] = [aroundLedger(openLedger(store)), () => clock.now()];
  const upkeep = createUpkeep({ warehouse, ledger, now, onError: noted("upkeep_failed") });
  closers.add("upkeep", () => upkeep.stop());
  const coverage = { store, warehouse, heardOf: heardBy(liveness) };
  const costs = createCosts({ ...coverage, now, onError: noted("pricing_failed") });
  closers.add("pricing", () => costs.stop());
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
  costs.start();
  upkeep.start();
  return { ingest: aroundIngest(ingest), quarantine, costs, coverage };
}

const asItIs = <Part>(real: Part): Part => real;
