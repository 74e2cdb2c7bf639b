/** `npm run bench [-- NAME…]`: runs the named benches, or all, one after the other. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const NOT_BENCHES = ["run.ts", "measure-process.ts"];
const names = process.argv.slice(2);
const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !NOT_BENCHES.includes(file))
  .map((file) => file.replace(/\.ts$/, ""));
for (const name of names.length > 0 ? names : all) {
  const file = join(import.meta.dirname, `${name}.ts`);
  if (!existsSync(file)) {
    console.error(`No bench ${name}; there are: ${all.join(", ")}`);
    process.exit(2);
  }
  console.log(`\n== ${name}`);
  if (spawnSync(process.execPath, [file], { stdio: "inherit" }).status !== 0) process.exitCode = 1;
}
