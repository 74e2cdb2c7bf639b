/** The long version of the ledger test: `npm run soak -- --rounds 5000 --minutes 600 test/delivery`. */
import { ledgerSuite } from "./ledger-suite.ts";

ledgerSuite({ rounds: 3_000, minutes: 240 });
