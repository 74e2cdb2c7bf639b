/** The long version: `ROUNDS=500 npm run soak -- test/fleet`; PLIMSOLL_SEED repeats one. */
import { killLoop } from "./kill-loop.ts";

killLoop(Number(process.env.ROUNDS || 60));
