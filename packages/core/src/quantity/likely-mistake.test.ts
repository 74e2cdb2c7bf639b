import { expect, test } from "vitest";
import { isLikelyMistake } from "./likely-mistake.ts";
import { parseQuantity } from "./parse-quantity.ts";

test.each([
  ["memory", "100m", true],
  ["memory", "100Mi", false],
  ["memory", "0", false],
  ["ephemeral-storage", "1500m", true],
  ["hugepages-2Mi", "1m", true],
  ["requests.memory", "100m", true],
  ["limits.ephemeral-storage", "1m", true],
  ["cpu", "100m", false],
  ["requests.cpu", "100m", false],
  ["nvidia.com/gpu", "1", false],
])("%s of %s is a likely mistake: %s", (resource, text, mistake) => {
  expect(isLikelyMistake(resource, parseQuantity(text, "f"))).toBe(mistake);
});
