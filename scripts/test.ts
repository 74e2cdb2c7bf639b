/**
 * `npm test`: every suite, real parts included, then one line with the sums. Exits 1 when anything failed, and in CI
 * also when a test was skipped or a suite ran none: a green run that tested nothing is worse than a red one.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SuiteResult, summarize } from "./test-summary.ts";

const CHECKS = ["check:types", "check:lint", "check:unused", "check:docs", "check:proto"];
/** Builds that the real tests would else wait for. */
const PREPARATIONS = ["test:prepare"];

const outputs = mkdtempSync(join(tmpdir(), "plimsoll-test-"));
const results = [...CHECKS.map(runCheck), runSuite("unit"), ...PREPARATIONS.map(runCheck), runSuite("real")];
rmSync(outputs, { recursive: true, force: true });

const summary = summarize(results, process.env.CI === "true");
for (const line of summary.notes) console.error(line);
console.log(`${summary.passed} passed, ${summary.failed} failed`);
process.exitCode = summary.failed > 0 ? 1 : 0;

function runCheck(script: string): SuiteResult {
  console.log(`\n— ${script}`);
  const ok = run(["npm", "run", "--silent", script]);
  return { name: script, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

function runSuite(project: string): SuiteResult {
  console.log(`\n— ${project} tests`);
  const file = join(outputs, `${project}.json`);
  const ok = run([
    "vitest",
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
  return readVitest(project, file, ok);
}

function readVitest(name: string, file: string, ok: boolean): SuiteResult {
  try {
    const report: unknown = JSON.parse(readFileSync(file, "utf8"));
    const passed = count(report, "numPassedTests");
    const failed = count(report, "numFailedTests");
    const skipped = count(report, "numPendingTests") + count(report, "numTodoTests");
    // A file that failed to load or an error outside a test has no failed test of its own: count it as one.
    return { name, passed, failed: !ok && failed === 0 ? 1 : failed, skipped };
  } catch {
    return { name, passed: 0, failed: 1, skipped: 0 };
  }
}

function count(report: unknown, field: string): number {
  const value = typeof report === "object" && report !== null ? Reflect.get(report, field) : undefined;
  return typeof value === "number" ? value : 0;
}

function run(command: string[]): boolean {
  const [program = "", ...args] = command;
  const answer = spawnSync(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (answer.error) console.error(`${program}: ${answer.error.message}`);
  return answer.status === 0;
}
