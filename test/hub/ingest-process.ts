/**
 * A hub's way for facts as a process that is killed: `node ingest-process.ts FOLDER MODE POINT COUNT`. Envelopes come as
 * messages, each is answered by its sequence when its fate is durable. Mode `ingest` only ingests; mode `upkeep` merges
 * segments and prices hours without end. The process kills itself (SIGKILL) when it comes to POINT for the COUNT-th time:
 * `written` = a file is written and not flushed, `flushed` = files are flushed and not committed, `committed` = a commit is
 * durable and not acknowledged; any other word = never.
 */
import { join } from "node:path";
import { createCosts } from "../../packages/hub/src/cost/costs.ts";
import { createIngest } from "../../packages/hub/src/ingest/create-ingest.ts";
import { openLedger } from "../../packages/hub/src/ledger/ledger.ts";
import { openQuarantine } from "../../packages/hub/src/ledger/quarantine.ts";
import { openStore } from "../../packages/hub/src/store/store.ts";
import { REAL_DISK } from "../../packages/hub/src/warehouse/disk.ts";
import { openWarehouse, type Warehouse } from "../../packages/hub/src/warehouse/warehouse.ts";
import type { WarehouseFault } from "../../packages/hub/src/warehouse/warehouse-port.ts";
import { HOUR, HOUR_MS } from "./facts.ts";

/** What this process says. */
export type IngestMessage =
  | { readonly kind: "ready"; readonly faults: readonly WarehouseFault[] }
  | { readonly kind: "answer"; readonly sequence: number; readonly answer: string; readonly verdict: string }
  | { readonly kind: "round" };

const [dataDir = "", mode = "ingest", crashPoint = "", crashCount = "1"] = process.argv.slice(2);
let passes = 0;
const store = await openStore({ sqlite: join(dataDir, "control.sqlite") });
await store.migrate();
const files = await openWarehouse({
  dataDir,
  store,
  threads: 1,
  disk: {
    ...REAL_DISK,
    flushFile: async (path) => {
      crashAt("written");
      return REAL_DISK.flushFile(path);
    },
  },
});
const warehouse: Warehouse = {
  ...files,
  append: (batches) => files.append(batches).finally(() => crashAt("flushed")),
  writeCost: (records) => files.writeCost(records).finally(() => crashAt("flushed")),
};
const ledger = openLedger(store);
say({ kind: "ready", faults: await warehouse.recover() });

if (mode === "ingest") {
  const ingest = createIngest({
    ledger: { ...ledger, commit: (commit) => ledger.commit(commit).finally(() => crashAt("committed")) },
    quarantine: openQuarantine(store),
    warehouse,
    clusterOf: async () => ({ incarnation: 1, gone: false }),
    now: () => HOUR + HOUR_MS,
    commitEveryMs: 0,
    maxCommitRows: 60,
  });
  process.on("message", async ({ sequence, bytes }: { readonly sequence: number; readonly bytes: Uint8Array }) => {
    const answer = await ingest.ingestEnvelope(bytes, { clusterId: "prod-eu", name: "test" });
    say({ kind: "answer", sequence, answer: answer.kind, verdict: answer.kind === "ack" ? answer.verdict : "" });
  });
} else {
  const costs = createCosts({ store, warehouse, now: () => HOUR + HOUR_MS });
  for (;;) {
    await store.db.updateTable("cost_hours").set({ priced_version: 0 }).execute();
    await costs.priceTouched();
    await warehouse.compact(HOUR + 10 * HOUR_MS);
    say({ kind: "round" });
  }
}

function crashAt(point: string): void {
  if (point !== crashPoint) return;
  passes += 1;
  if (passes === Number(crashCount)) process.kill(process.pid, "SIGKILL");
}

function say(message: IngestMessage): void {
  process.send?.(message);
}
