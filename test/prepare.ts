/**
 * Brings what the real tests need and the machine lacks (Kubernetes, etcd, kwok, metrics-server, the Go oracles, Chromium), so
 * that no test waits for a compiler: minutes on a bare machine, nothing afterwards. `npm run test:prepare`.
 */
import { ensureChromium } from "./chromium.ts";
import { buildOracle } from "./oracle/build.ts";
import { ensurePromtool } from "./promtool.ts";
import { ensureBinaries } from "./testbed/index.ts";

ensureChromium();
ensurePromtool();
await ensureBinaries();
buildOracle();
