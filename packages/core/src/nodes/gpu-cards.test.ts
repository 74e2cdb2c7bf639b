import { NANOS } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { physicalCards } from "./gpu-cards.ts";

describe("the physical cards of a node", () => {
  it.each([
    ["whole cards", { "nvidia.com/gpu": 8n }, {}, 8n],
    ["cards of another maker", { "amd.com/gpu": 4n }, {}, 4n],
    ["one card that time slicing shows four times", { "nvidia.com/gpu": 4n }, { "nvidia.com/gpu.replicas": "4" }, 1n],
    ["the same under its renamed resource", { "nvidia.com/gpu.shared": 8n }, { "nvidia.com/gpu.replicas": "4" }, 2n],
    ["seven slices of one card", { "nvidia.com/mig-1g.10gb": 7n }, {}, 1n],
    ["slices of two sizes of one card", { "nvidia.com/mig-3g.20gb": 1n, "nvidia.com/mig-4g.20gb": 1n }, {}, 1n],
    ["no cards", { cpu: 4n, "gpu.intel.com/i915_monitoring": 1n }, {}, 0n],
  ])(
    "%s",
    (_, counts: Readonly<Record<string, bigint | undefined>>, labels: Record<string, string | undefined>, cards) => {
      const capacity = new Map(
        Object.entries(counts).flatMap(([name, n]) => (n === undefined ? [] : [[name, n * NANOS]])),
      );
      const given = Object.fromEntries(Object.entries(labels).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
      expect(physicalCards(capacity, given)).toBe(cards * NANOS);
    },
  );
});
