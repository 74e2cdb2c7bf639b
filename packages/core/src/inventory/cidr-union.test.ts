import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cidrUnion } from "./cidr-union.ts";

describe("the union of CIDR blocks", () => {
  it.each([
    ["joins neighbours", ["10.244.1.0/24", "10.244.0.0/24"], ["10.244.0.0/23"]],
    ["joins again what was joined", ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24", "10.0.3.0/24"], ["10.0.0.0/22"]],
    ["keeps neighbours apart that are no two halves", ["10.0.1.0/24", "10.0.2.0/24"], ["10.0.1.0/24", "10.0.2.0/24"]],
    ["drops what a larger block holds", ["10.0.0.0/16", "10.0.7.0/24", "10.0.0.0/16"], ["10.0.0.0/16"]],
    ["reads a block by its network", ["10.0.0.7/24"], ["10.0.0.0/24"]],
    ["keeps both families", ["fd00:1::/64", "10.0.0.0/24"], ["10.0.0.0/24", "fd00:1::/64"]],
    ["joins IPv6 blocks", ["fd00:10:244:1::/64", "fd00:10:244::/64"], ["fd00:10:244::/63"]],
    ["covers the whole space", ["0.0.0.0/1", "128.0.0.0/1"], ["0.0.0.0/0"]],
    ["leaves out what is no block", ["", "10.0.0/24", "10.0.0.0/33", "10.0.0.256/24", "::1::/64", "fd00::1"], []],
    ["shortens the first of two runs", ["2001:db8:0:0:1:0:0:1/128"], ["2001:db8::1:0:0:1/128"]],
    ["writes IPv6 short", ["2001:db8:0:0:1:0:0:0/80"], ["2001:db8:0:0:1::/80"]],
  ])("%s", (_, given, union) => {
    expect(cidrUnion(given)).toEqual(union);
  });

  it("holds exactly the addresses of its blocks, whatever their order", () => {
    const block = fc.record({ address: fc.nat({ max: 255 }), prefix: fc.integer({ min: 26, max: 32 }) });
    const addresses = (cidrs: readonly string[]): readonly number[] => {
      const all = cidrs.flatMap((cidr) => {
        const [, last = "0", prefix = "32"] = /^10\.0\.0\.(\d+)\/(\d+)$/.exec(cidr) ?? [];
        const size = 2 ** (32 - Number(prefix));
        const first = Math.floor(Number(last) / size) * size;
        return Array.from({ length: size }, (_, index) => first + index);
      });
      return [...new Set(all)].sort((a, b) => a - b);
    };
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), (blocks) => {
        const given = blocks.map(({ address, prefix }) => `10.0.0.${address}/${prefix}`);
        const union = cidrUnion(given);
        expect(addresses(union)).toEqual(addresses(given));
        expect(cidrUnion(given.toReversed())).toEqual(union);
        expect(cidrUnion(union)).toEqual(union);
      }),
    );
  });
});
