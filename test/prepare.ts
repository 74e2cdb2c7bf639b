/**
 * Brings what the real tests need and the machine lacks (Kubernetes, etcd, kwok, metrics-server, Toxiproxy, the Go oracles,
 * Chromium, strace), so that no test waits for a compiler: minutes on a bare machine, nothing afterwards. `npm run test:prepare`.
 */
import { ensureChromium } from "./chromium.ts";
import { buildOracle } from "./oracle/build.ts";
import { ensurePromtool } from "./promtool.ts";
import { ensureStrace } from "./strace.ts";
import { ensureBinaries } from "./testbed/index.ts";

ensureChromium();
ensurePromtool();
ensureStrace();
await ensureBinaries();
await ensureBinaries(["toxiproxy"]);
buildOracle();
