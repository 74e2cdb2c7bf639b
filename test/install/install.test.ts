/**
 * A newcomer's machine: an older Node, npm 11 or npm 12 (which warns on old Node and blocks install scripts). After
 * `npm ci` the commands must run on the pinned runtime all the same.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const room = mkdtempSync(join(tmpdir(), "plimsoll-install-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));

// npm puts node_modules/.bin (the pinned node) first in PATH; a newcomer's shell has not.
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);
const env = { ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("npm_"))), PATH };

test.each(["11", "12"])("npm %s ci installs what runs the pinned Node 26, whatever Node the machine has", (npm) => {
  const checkout = join(room, `npm-${npm}`);
  copyCheckout(checkout);
  run(checkout, "npx", ["--yes", `npm@${npm}`, "ci", "--no-audit", "--no-fund"]);
  expect(run(checkout, "npm", ["exec", "--", "node", "--version"])).toMatch(/^v26\./);
  expect(run(checkout, "npx", ["plimsoll", "--version"])).toMatch(/^plimsoll \d+\.\d+\.\d+ \(node 26\./);
});

/** The files that Git knows, as they are now. */
function copyCheckout(target: string): void {
  const files = run(repository, "git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0");
  const wanted = files.filter((file) => file !== "" && !file.startsWith("test/"));
  for (const file of wanted) cpSync(join(repository, file), join(target, file), { recursive: true, mode: 0 });
  expect(dirname(target)).toBe(room);
}

function run(cwd: string, program: string, args: readonly string[]): string {
  const answer = spawnSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  expect(answer.status, `${program} ${args.join(" ")}\n${answer.stdout}${answer.stderr}`).toBe(0);
  return answer.stdout.trim();
}
