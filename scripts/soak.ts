/**
 * The long versions: `npm run soak -- [--rounds N] [--minutes N] [--seed N] [FILES]`. Each suite has usual numbers of its own;
 * what is not said is that.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, minutes: { type: "string" }, seed: { type: "string" } },
});
for (const [name, value] of Object.entries(values)) {
  if (/^\d+$/.test(value)) continue;
  console.error(`--${name} is "${value}"; it takes a whole number`);
  process.exit(2);
}
const { rounds, minutes, seed } = values;
const env = {
  ...process.env,
  ...(rounds !== undefined && { ROUNDS: rounds }),
  ...(minutes !== undefined && { MINUTES: minutes }),
  ...(seed !== undefined && { SEED: seed, PLIMSOLL_SEED: seed }),
};
const { status } = spawnSync("vitest", ["run", "--project", "soak", ...positionals], { stdio: "inherit", env });
process.exitCode = status ?? 1;
