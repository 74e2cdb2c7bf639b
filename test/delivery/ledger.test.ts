import { ledgerSuite } from "./ledger-suite.ts";

ledgerSuite({ rounds: 100, minutes: 4 });
