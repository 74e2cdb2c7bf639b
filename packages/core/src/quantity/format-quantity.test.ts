import { expect, test } from "vitest";
import { formatQuantity } from "./format-quantity.ts";

test.each([
  [0n, "decimal", "0"],
  [1n, "decimal", "1n"],
  [1_500_000_000n, "decimal", "1500m"],
  [2_000_000_000n, "decimal", "2"],
  [-250_000_000n, "decimal", "-250m"],
  [3_000_000_000_000n, "decimal", "3k"],
  [5n * 10n ** 30n, "decimal", "5000E"],
  [1536n * 2n ** 20n * 10n ** 9n, "binary", "1536Mi"],
  [1000n * 10n ** 9n, "binary", "1k"],
  [1024n * 10n ** 9n, "binary", "1Ki"],
  [1025n * 10n ** 9n, "binary", "1025"],
  [1024n * 10n ** 9n + 1n, "binary", "1024000000001n"],
] as const)("%d nano-units in %s form are %s", (nanos, style, text) => {
  expect(formatQuantity(nanos, style)).toBe(text);
});
