import { describe, expect, it } from "vitest";
import { readNode } from "../nodes/node-facts.ts";
import { sampleNode } from "../report/sample-facts.ts";
import { DEFAULT_PRICE_BOOK, DEFAULT_PRICE_LIST, DEFAULT_RATES } from "./default-prices.ts";
import { nodeCost } from "./node-cost.ts";
import { type NodePrice, type PriceBook, resolvePrice } from "./price-book.ts";

function defaultCost(capacity: Readonly<Record<string, string>>) {
  const node = readNode(sampleNode("a", { capacity }));
  const price = resolvePrice(node, DEFAULT_PRICE_LIST);
  return price && nodeCost(node, price);
}

describe("the cost of a node", () => {
  it("is capacity × unit price, to the nano-unit, and its resources sum to it", () => {
    const cost = defaultCost({ cpu: "3", memory: "1000003", pods: "110", "nvidia.com/gpu": "1" });
    // 1,000,003 bytes × 0.004237 ÷ 2^30 = 0.000003946 $
    expect(cost?.cost).toBe(3n * 31_611_000n + 3_946n + 950_000_000n);
    expect(cost?.resources.map(({ resource, cost: part }) => [resource, part])).toEqual([
      ["cpu", 94_833_000n],
      ["memory", 3_946n],
      ["nvidia.com/gpu", 950_000_000n],
    ]);
  });

  it("of seven slices of a card is that of the card", () => {
    const cost = defaultCost({ cpu: "1", memory: "1Gi", "nvidia.com/mig-1g.10gb": "4", "nvidia.com/mig-3g.40gb": "1" });
    expect(cost?.cost).toBe(31_611_000n + 4_237_000n + 950_000_000n);
  });

  it.each([[{ memory: "16Gi" }], [{ cpu: "4" }], [{ cpu: "0", memory: "16Gi" }], [{}]])(
    "is unknown, not averaged, when the node reports only %j",
    (capacity) => {
      expect(defaultCost(capacity)).toBeUndefined();
    },
  );

  it("may be nothing at all", () => {
    const node = readNode(sampleNode("a"));
    const free = { digits: 0n, scale: 0 };
    const price: NodePrice = {
      kind: "unit",
      pricing: "custom",
      rates: { cpu: free, ram: free, gpu: free },
      source: "custom",
    };
    expect(nodeCost(node, price)?.cost).toBe(0n);
  });

  it("of a whole-node price is that price", () => {
    const node = readNode(sampleNode("a", { capacity: { cpu: "3", memory: "7Gi", "nvidia.com/gpu": "1" } }));
    const hourly = { digits: 1_234_567_891n, scale: 9 };
    const price: NodePrice = { kind: "node", pricing: "custom", hourly, weights: DEFAULT_RATES, source: "list" };
    expect(nodeCost(node, price)?.cost).toBe(1_234_567_891n);
  });
});

describe("the price resolver", () => {
  const bill: PriceBook = {
    source: "bill",
    ratesOf: (node) =>
      node.name === "billed" ? { kind: "unit", pricing: "reserved", rates: DEFAULT_RATES } : undefined,
  };
  const list = { currency: "USD", books: [bill, DEFAULT_PRICE_BOOK] };

  it("takes the first book that has a price, and stores which", () => {
    expect(resolvePrice(readNode(sampleNode("billed")), list)).toMatchObject({ source: "bill", pricing: "reserved" });
    expect(resolvePrice(readNode(sampleNode("other")), list)).toMatchObject({
      source: "default",
      pricing: "on-demand",
    });
  });

  it("says nothing when no book has one", () => {
    expect(resolvePrice(readNode(sampleNode("other")), { currency: "USD", books: [bill] })).toBeUndefined();
  });
});
