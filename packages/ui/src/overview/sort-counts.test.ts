import { expect, it } from "vitest";
import { largestFirst, sortCounts } from "./sort-counts.ts";

it("states keep their order whatever their counts; a new state comes behind, none is dropped", () => {
  const counts = { zombie: 1, offline: 9, online: 2, late: 0 };
  expect(sortCounts(counts, ["online", "late", "offline"]).map(({ name }) => name)).toEqual([
    "online",
    "offline",
    "zombie",
  ]);
});

it("types come from the largest, equal ones by name", () => {
  expect(largestFirst({ GKE: 1, ACK: 3, AKS: 1 }).map(({ name }) => name)).toEqual(["ACK", "AKS", "GKE"]);
});
