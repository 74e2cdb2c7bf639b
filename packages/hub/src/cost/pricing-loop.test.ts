import { describe, expect, it } from "vitest";
import { PricingLoop } from "./pricing-loop.ts";

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A pass that ends when the test says so. */
function handPass() {
  const ends: ((fail?: boolean) => void)[] = [];
  let begun = 0;
  const pass = () => {
    begun += 1;
    const number = begun;
    return new Promise<number>((resolve, reject) => {
      ends.push((fail = false) => (fail ? reject(new Error("no")) : resolve(number)));
    });
  };
  return { pass, ends, begun: () => begun };
}

describe("the pricing loop", () => {
  it("runs one pass at a time; calls meanwhile share the one that begins after them", async () => {
    const { pass, ends, begun } = handPass();
    const loop = new PricingLoop({ pass, everyMs: 0, onError: () => undefined });
    const results = [loop.once(), loop.once(), loop.once()];
    expect(begun()).toBe(1);
    ends[0]?.();
    await tick();
    expect(begun()).toBe(2);
    ends[1]?.();
    expect(await Promise.all(results)).toEqual([1, 2, 2]);
  });

  it("goes on after a pass that failed, and says so", async () => {
    const { pass, ends, begun } = handPass();
    const errors: unknown[] = [];
    const loop = new PricingLoop({ pass, everyMs: 0, onError: (error) => errors.push(error) });
    loop.start();
    ends[0]?.(true);
    while (begun() < 2) await tick();
    expect(errors).toHaveLength(1);
    ends[1]?.();
    await loop.stop();
    expect(begun()).toBe(2);
  });

  it("is over when its stop resolves", async () => {
    const { pass, ends, begun } = handPass();
    const loop = new PricingLoop({ pass, everyMs: 0, onError: () => undefined });
    loop.start();
    const stopping = loop.stop();
    ends[0]?.();
    await stopping;
    await tick();
    expect(begun()).toBe(1);
  });
});
