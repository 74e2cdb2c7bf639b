/**
 * The guards are guarded: each promise that BREAK breaks turns its test red, in a short run whose faults always show it, and
 * for the right reason.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Break } from "./broken-parts.ts";

interface Guarded {
  readonly broken: Break;
  readonly file: string;
  /** Faults that always show it: a batch that is sent again while its commit runs; a hub that dies in a commit. */
  readonly faults: string;
  readonly reason: RegExp;
}

const LEDGER = "test/delivery/ledger.test.ts";
const GUARDED: readonly Guarded[] = [
  { broken: "dedupe", file: LEDGER, faults: "repeat", reason: /counted \d+ times: / },
  { broken: "ack-before-commit", file: LEDGER, faults: "kill-in-commit", reason: /lost without a gap: / },
  {
    broken: "nofsync",
    file: "test/delivery/order.test.ts",
    faults: "cut",
    reason: /flushing the (segment|entry) does not/,
  },
];

test.each(GUARDED)(
  "BREAK=$broken turns $file red",
  ({ broken, file, faults, reason }) => {
    const { status, said } = run(file, { BREAK: broken, FAULTS: faults });
    expect(said).toMatch(reason);
    expect(status).toBe(1);
  },
  300_000,
);

function run(file: string, given: Readonly<Record<string, string>>): { status: number | null; said: string } {
  const vitest = resolve(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");
  const { BREAK: _, FAULTS: __, ...inherited } = process.env;
  const env = { ...inherited, SEED: "1", ROUNDS: "2", MINUTES: "4", NO_COLOR: "1", ...given };
  const root = resolve(import.meta.dirname, "../..");
  const args = [vitest, "run", "--project", "real", file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  return { status, said: stdout + stderr };
}
