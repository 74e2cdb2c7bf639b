/** After a build: fails when the page outgrew its budget. Sizes are after gzip, as they go over the wire. */
import { pageSizes, tooLarge } from "./page-sizes.ts";

const sizes = pageSizes();
for (const { name, bytes, limit } of sizes) console.log(`${name}: ${(bytes / 1024).toFixed(1)} of ${limit / 1024} KiB`);
const over = tooLarge(sizes);
if (over.length > 0) {
  console.error(`Over the budget: ${over.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}
