/**
 * `npm run bench -- scan`: `plimsoll scan` of one real cluster with 5,000 pods on 100 nodes against
 * `kubectl get pods -A -o json` of the same API server, alternating in one run; and the start of the command itself.
 * Ratios count; the absolute figures are of this machine.
 */
import { resolve } from "node:path";
import { ensureBinaries, loadPods, startCluster } from "../test/testbed/index.ts";
import { measureProcess, median } from "./measure-process.ts";

const ROUNDS = 5;
const PODS = 5_000;
const BIN = resolve(import.meta.dirname, "../packages/cli/bin/plimsoll.js");

await ensureBinaries();
const cluster = await startCluster({ name: "bench", gitVersion: "v1.36.3", usage: true });
try {
  console.log(`loading ${PODS} pods …`);
  await loadPods(cluster, PODS, { podsPerNode: 50 });
  const [kubectl, ...leading] = cluster.kubectlCommand;
  const peer = [...leading, "--kubeconfig", cluster.kubeconfig, "get", "pods", "-A", "-o", "json"];
  const ours = [BIN, "scan", "--kubeconfig", cluster.kubeconfig, "-o", "json"];
  const rows = { kubectl: [] as Figures[], scan: [] as Figures[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const a = await measureProcess(kubectl, peer);
    const b = await measureProcess(process.execPath, ours);
    if (round === 0) continue; // warms the API server's caches and ours
    rows.kubectl.push(a);
    rows.scan.push(b);
    console.log(`round ${round}: kubectl ${show(a)} | scan ${show(b)}`);
  }
  report("time", "ms", "milliseconds");
  report("peak memory", "MiB", "peakMiB");
  const help = [];
  for (let round = 0; round < ROUNDS; round++)
    help.push((await measureProcess(process.execPath, [BIN, "--help"])).milliseconds);
  console.log(`plimsoll --help: median ${median(help).toFixed(0)} ms (limit 300)`);

  function report(what: string, unit: string, field: keyof Figures): void {
    const peerMedian = median(rows.kubectl.map((row) => row[field]));
    const ourMedian = median(rows.scan.map((row) => row[field]));
    const ratio = (ourMedian / peerMedian).toFixed(2);
    console.log(
      `${what}: scan ${ourMedian.toFixed(0)} ${unit}, kubectl ${peerMedian.toFixed(0)} ${unit}, ratio ${ratio} (limit 0.50)`,
    );
  }
} finally {
  await cluster.stop();
}

type Figures = Awaited<ReturnType<typeof measureProcess>>;

function show({ milliseconds, peakMiB }: Figures): string {
  return `${milliseconds.toFixed(0)} ms ${peakMiB.toFixed(0)} MiB`;
}
