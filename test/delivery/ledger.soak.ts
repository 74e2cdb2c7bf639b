/** The long version of the ledger test: `ROUNDS=5000 MINUTES=600 npm run soak -- test/delivery`. */
import { ledgerSuite } from "./ledger-suite.ts";

ledgerSuite({ rounds: 3_000, minutes: 240 });
