/** The long version: `npm run soak -- --rounds 500 test/fleet`; `--seed` repeats one. */
import { killLoop } from "./kill-loop.ts";

killLoop(Number(process.env.ROUNDS || 60));
