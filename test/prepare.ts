/**
 * Builds what the real tests need and the cache lacks (Kubernetes, etcd, kwok, metrics-server, the Go oracles), so that no
 * test waits for a compiler: minutes on a bare machine, nothing afterwards. `npm run test:prepare`.
 */
import { buildOracle } from "./oracle/build.ts";
import { ensureBinaries } from "./testbed/index.ts";

await ensureBinaries();
await buildOracle();
