import { killLoop } from "./kill-loop.ts";

killLoop(6);
