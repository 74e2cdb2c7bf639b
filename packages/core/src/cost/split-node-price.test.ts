import { readFileSync } from "node:fs";
import { parseRate } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { DEFAULT_RATES } from "./default-prices.ts";
import { type Fraction, rateFraction, roundedTimes, sum, times } from "./fraction.ts";
import { ratesPerKind } from "./node-cost.ts";
import { type PerKind, splitNodePrice } from "./split-node-price.ts";

interface Vectors {
  readonly cases: readonly {
    readonly node_price: string;
    readonly cpu: number;
    readonly ram_gib: number;
    readonly gpus: number;
    readonly cpu_per_core: string;
    readonly ram_per_gib: string;
    readonly gpu_each: string | null;
  }[];
  readonly spec_example: {
    readonly node_price: string;
    readonly cpu: number;
    readonly ram_gib: number;
    readonly gpus: number;
    readonly unit_prices: { readonly gpu: number; readonly cpu: number; readonly ram: number };
    readonly expect: { readonly gpu: number; readonly cpu: number; readonly ram: number };
  };
}

const VECTORS: Vectors = JSON.parse(
  readFileSync(new URL("../../../../test/vectors/node-split.json", import.meta.url), "utf8"),
);

const exact = (value: string | number): Fraction => rateFraction(parseRate(String(value)) ?? { digits: -1n, scale: 0 });
const perKind = (cpu: string | number, ram: string | number, gpu: string | number): PerKind => {
  return { cpu: exact(cpu), ram: exact(ram), gpu: exact(gpu) };
};
/** Twelve decimals, as the vectors are written. */
const decimals12 = (fraction: Fraction | undefined): bigint | undefined =>
  fraction && roundedTimes(fraction, 10n ** 12n);

describe("the price of a whole node", () => {
  it.each(VECTORS.cases)("of $node_price for $cpu cores, $ram_gib GiB, $gpus GPUs", (vector) => {
    const capacity = perKind(vector.cpu, vector.ram_gib, vector.gpus);
    const split = splitNodePrice(exact(vector.node_price), capacity, ratesPerKind(DEFAULT_RATES));
    expect(decimals12(split?.cpu)).toBe(decimals12(exact(vector.cpu_per_core)));
    expect(decimals12(split?.ram)).toBe(decimals12(exact(vector.ram_per_gib)));
    if (vector.gpu_each !== null) expect(decimals12(split?.gpu)).toBe(decimals12(exact(vector.gpu_each)));
  });

  it("splits by the weights of the example in the rules", () => {
    const { node_price, cpu, ram_gib, gpus, unit_prices: unit, expect: wanted } = VECTORS.spec_example;
    const split = splitNodePrice(exact(node_price), perKind(cpu, ram_gib, gpus), perKind(unit.cpu, unit.ram, unit.gpu));
    expect(split).toEqual(perKind(wanted.cpu, wanted.ram, wanted.gpu));
  });

  it("gives a known GPU price to the cards first", () => {
    const capacity = perKind(8, 32, 2);
    const split = splitNodePrice(exact("3"), capacity, perKind(9, 1, 100), exact("0.5"));
    // 3 − 2 × 0.5 = 2 over 8 × 9 + 32 × 1 = 104 parts
    expect(split).toEqual({ cpu: { num: 9n, den: 52n }, ram: { num: 1n, den: 52n }, gpu: { num: 1n, den: 2n } });
  });

  it("gives the cards no more than the node costs", () => {
    const capacity = perKind(8, 32, 2);
    const split = splitNodePrice(exact("3"), capacity, perKind(9, 1, 100), exact("5"));
    expect(split && sum([times(split.gpu, capacity.gpu), times(split.cpu, capacity.cpu)])).toEqual(exact("3"));
  });

  it("cannot be split when nothing has a weight", () => {
    expect(splitNodePrice(exact("1"), perKind(1, 1, 0), perKind(0, 0, 1))).toBeUndefined();
  });
});
