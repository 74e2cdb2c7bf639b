import { appendFileSync } from "node:fs";
import type { Random } from "../oracle/random.ts";
import { type Fact, gapFact, HOUR_MS, hourOf, nameOf, nodeFact, sampleFact, usageFact } from "./facts.ts";

/** A pod that is told of again and again, each time further. */
interface Growing {
  readonly number: number;
  readonly fromMs: number;
  cpu: bigint;
  memory: bigint;
}

const MINUTE_MS = 60_000;

/**
 * What really happened. Facts are numbered and written to a file of their own before anybody else sees them; nothing that
 * agent or hub do can change it.
 */
export class Truth {
  /** Every version of every fact, by name. */
  readonly facts = new Map<string, Fact>();
  readonly #file: string;
  readonly #random: Random;
  #count = 0;
  #growing: Growing | undefined;
  #hourMs: number | undefined;
  #lastMs = 0;

  constructor(file: string, random: Random) {
    this.#file = file;
    this.#random = random;
  }

  /** Facts made so far. */
  get count(): number {
    return this.facts.size;
  }

  /** What happened up to this moment, since the last call: of each hour that has ended first its end. */
  happen(atMs: number): readonly Fact[] {
    const made: Fact[] = [];
    // No two versions of a fact run to the same moment.
    const nowMs = Math.max(atMs, this.#lastMs + 1);
    this.#lastMs = nowMs;
    const hourMs = hourOf(nowMs);
    if (this.#hourMs !== undefined && this.#hourMs !== hourMs) made.push(...this.#close(this.#hourMs));
    if (this.#hourMs !== hourMs) this.#growing = undefined;
    this.#hourMs = hourMs;
    made.push(nodeFact(hourMs, nowMs), ...this.#pods(nowMs), ...this.#samples(nowMs));
    return this.#write(made);
  }

  /** The last hour ends. */
  end(): readonly Fact[] {
    return this.#write(this.#hourMs === undefined ? [] : this.#close(this.#hourMs));
  }

  #close(hourMs: number): readonly Fact[] {
    const endMs = hourMs + HOUR_MS;
    const last = this.#pod(endMs - this.#random.int(1, 5) * MINUTE_MS, endMs, 0);
    // Every fourth hour has a gap: it is known to everybody, and its coverage is that.
    const startMs = hourMs + this.#random.int(10 * MINUTE_MS, 20 * MINUTE_MS);
    const gaps = this.#random.chance(0.25) ? [gapFact(startMs, startMs + this.#random.int(1, 20) * MINUTE_MS)] : [];
    return [nodeFact(hourMs, endMs), last, ...gaps];
  }

  #pods(nowMs: number): readonly Fact[] {
    const hourMs = hourOf(nowMs);
    const lengthMs = Math.max(1_000, Math.min(nowMs - hourMs, this.#random.int(1, 10) * MINUTE_MS));
    if (nowMs - lengthMs < hourMs) return [];
    const count = this.#random.int(2, 9);
    const single = Array.from({ length: count }, () =>
      this.#pod(nowMs - lengthMs, nowMs, this.#random.chance(0.03) ? Math.floor(lengthMs / 3) : 0),
    );
    this.#growing ??= { number: this.#number(), fromMs: nowMs - lengthMs, cpu: 0n, memory: 0n };
    const growing = this.#growing;
    growing.cpu += this.#amount(3);
    growing.memory += this.#amount(3);
    const grown = usageFact(growing.number, { fromMs: growing.fromMs, asOfMs: nowMs, unseenMs: 0 }, growing);
    return [...single, grown];
  }

  #pod(fromMs: number, asOfMs: number, unseenMs: number): Fact {
    return usageFact(this.#number(), { fromMs, asOfMs, unseenMs }, { cpu: this.#amount(9), memory: this.#amount(9) });
  }

  #samples(nowMs: number): readonly Fact[] {
    const windowStartMs = nowMs - (nowMs % 300_000);
    return Array.from({ length: this.#random.int(0, 3) }, () =>
      sampleFact(this.#number(), windowStartMs, this.#random.int(0, 2 ** 50)),
    );
  }

  /** From one unit-second to `most` of them (cores: 10^9 nanocores), odd to the last digit. */
  #amount(most: number): bigint {
    return 1_000_000_000n + BigInt(this.#random.int(0, most * 1_000_000_000));
  }

  #number(): number {
    this.#count += 1;
    return this.#count;
  }

  #write(facts: readonly Fact[]): readonly Fact[] {
    const lines = facts.map((fact) => `${JSON.stringify({ name: nameOf(fact), ...fact }, plain)}\n`);
    appendFileSync(this.#file, lines.join(""));
    for (const fact of facts) this.facts.set(nameOf(fact), fact);
    return facts;
  }
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  return value instanceof Map ? Object.fromEntries(value) : value;
}
