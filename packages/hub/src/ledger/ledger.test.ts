import { describe } from "vitest";
import { ledgerConformance } from "../../../../test/store/ledger-conformance.ts";
import { openStore } from "../store/store.ts";

describe("the ledger in SQLite", () => {
  ledgerConformance(async () => {
    const store = await openStore({ sqlite: ":memory:" });
    await store.migrate();
    return store;
  }, 200);
});
