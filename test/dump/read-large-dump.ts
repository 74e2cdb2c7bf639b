/** Child process of the test: reads the dump of its argument and says what it took. */
import { readDump } from "@plimsoll/collect";

const path = process.argv[2] ?? "";
const startRss = process.memoryUsage.rss();
const started = performance.now();
const facts = await readDump(path);
const seconds = (performance.now() - started) / 1000;
const cpu = process.cpuUsage();
const { nodes, pods } = facts.objects;
const figures = {
  seconds,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  grownMib: process.resourceUsage().maxRSS / 1024 - startRss / 1024 / 1024,
  nodes: nodes.known ? nodes.value.length : -1,
  pods: pods.known ? pods.value.length : -1,
  unused: facts.unused,
};
process.stdout.write(JSON.stringify(figures));
