/**
 * A hub's way for facts as a process that can be killed: `node ingest-process.ts FOLDER MODE`. Envelopes come as messages,
 * each is answered by its sequence when its fate is durable. Mode `ingest` only ingests; mode `upkeep` merges segments and
 * prices hours without end.
 */
import { join } from "node:path";
import { createCosts } from "../../packages/hub/src/cost/costs.ts";
import { createIngest } from "../../packages/hub/src/ingest/create-ingest.ts";
import { openLedger } from "../../packages/hub/src/ledger/ledger.ts";
import { openQuarantine } from "../../packages/hub/src/ledger/quarantine.ts";
import type { SegmentFault } from "../../packages/hub/src/ledger/segments.ts";
import { openStore } from "../../packages/hub/src/store/store.ts";
import { openWarehouse } from "../../packages/hub/src/warehouse/warehouse.ts";
import { HOUR, HOUR_MS } from "./facts.ts";

/** What this process says. */
export type IngestMessage =
  | { readonly kind: "ready"; readonly faults: readonly SegmentFault[] }
  | { readonly kind: "answer"; readonly sequence: number; readonly answer: string; readonly verdict: string }
  | { readonly kind: "round" };

const [dataDir = "", mode = "ingest"] = process.argv.slice(2);
const store = await openStore({ sqlite: join(dataDir, "control.sqlite") });
await store.migrate();
const warehouse = await openWarehouse({ dataDir, store, threads: 1 });
say({ kind: "ready", faults: await warehouse.recover() });

if (mode === "ingest") {
  const ingest = createIngest({
    ledger: openLedger(store),
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

function say(message: IngestMessage): void {
  process.send?.(message);
}
