/** The hub of the bench `reconnect`, in a process of its own: `node hub.ts FOLDER CLUSTERS`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JoinedCluster, startTestHub } from "../../packages/hub/src/testing/test-hub.ts";

const [folder = "", clusters = "0"] = process.argv.slice(2);
const hub = await startTestHub({ dataDir: join(folder, "hub") });
const joined: JoinedCluster[] = [];
for (let index = 0; index < Number(clusters); index += 1) joined.push(await hub.join(`cluster-${index}`));
writeFileSync(join(folder, "clusters.json"), JSON.stringify(joined));

let cpu = process.cpuUsage();
let maxRssBytes = 0;
const watch = setInterval(() => {
  maxRssBytes = Math.max(maxRssBytes, process.memoryUsage.rss());
}, 100);

process.on("message", async (message) => {
  if (message === "measure") {
    cpu = process.cpuUsage();
    maxRssBytes = 0;
  }
  if (message === "report") {
    const { user, system } = process.cpuUsage(cpu);
    const rows = await countRows();
    process.send?.({ what: "report", cpuSeconds: (user + system) / 1e6, maxRssBytes, rows });
  }
  if (message === "stop") {
    clearInterval(watch);
    await hub.stop();
    process.disconnect?.();
  }
});
process.send?.({ what: "ready" });

/** Rows that the hub applied, by its own figures. */
async function countRows(): Promise<number> {
  const { text } = await hub.ask("/metrics");
  const found = [...text.matchAll(/^plimsoll_ingest_rows\w*\{[^}]*\} (\d+)$/gm)];
  return found.reduce((sum, [, count]) => sum + Number(count), 0);
}
