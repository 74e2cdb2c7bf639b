import { expect, test } from "vitest";
import { seedOfRun } from "../oracle/random.ts";
import { breakOfRun } from "./broken-parts.ts";
import { FAULT_KINDS, type FaultKind } from "./faults.ts";
import { runLedger } from "./ledger.ts";

/**
 * The ledger test: facts are counted once and losses are told, whatever happens to agent, hub, their disks and the wire
 * between them. The environment changes the run: ROUNDS, MINUTES, SEED; FAULTS names some kinds, joined by commas; BREAK
 * breaks a promise (`dedupe`, `ack-before-commit`) and must turn it red.
 */
export function ledgerSuite(usual: { readonly rounds: number; readonly minutes: number }): void {
  const seed = seedOfRun();
  const kinds = kindsOfRun();
  const rounds = numberOf("ROUNDS", usual.rounds);
  const minutes = numberOf("MINUTES", usual.minutes);
  test(
    `each fact counts once and each loss is a gap, through ${kinds.length} kinds of faults`,
    async () => {
      console.log(`SEED=${seed} ROUNDS=${rounds}`);
      const run = { seed, rounds, minutes, kinds, broken: breakOfRun(), compareEvery: 25, say: console.log };
      const { faults, fired, ...figures } = await runLedger(run);
      console.log(JSON.stringify({ seed, ...figures, fired }));
      expect(faults).toEqual([]);
      // A run in which a fault never came about proves nothing about it.
      expect(kinds.filter((kind) => !fired[kind])).toEqual([]);
    },
    (minutes + 15) * 60_000,
  );
}

function kindsOfRun(): readonly FaultKind[] {
  const named = process.env.FAULTS?.split(",") ?? [];
  const unknown = named.filter((name) => !FAULT_KINDS.some((kind) => kind === name));
  if (unknown.length > 0) throw new Error(`FAULTS names ${unknown.join(", ")}; it takes ${FAULT_KINDS.join(", ")}`);
  return named.length === 0 ? FAULT_KINDS : FAULT_KINDS.filter((kind) => named.includes(kind));
}

function numberOf(name: string, usual: number): number {
  const value = Number(process.env[name] || usual);
  if (!(value > 0)) throw new Error(`${name} is "${process.env[name]}"; it takes a number above 0`);
  return value;
}
