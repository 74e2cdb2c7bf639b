import { expect, test } from "vitest";
import { heldSpools, toldSpools } from "./held-spools.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";

const spools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ spoolId: `spool-${index}`, firstSequence: 7n }));

test("a list that is read whole says what an agent holds", () => {
  expect(heldSpools([])).toEqual([]);
  expect(heldSpools(spools(1))).toEqual([{ spoolId: "spool-0", firstSequence: 7 }]);
  expect(heldSpools(spools(STREAM_BOUNDS.spools))).toHaveLength(STREAM_BOUNDS.spools);
});

test.each([
  ["too many spools", spools(STREAM_BOUNDS.spools + 1), STREAM_BOUNDS.spools],
  ["what is no spool's id", [...spools(2), { spoolId: "a b", firstSequence: 1n }], 2],
])("a list of %s says nothing of what is not in it; the others are told their marks", (_, list, told) => {
  expect(heldSpools(list)).toBeNull();
  expect(toldSpools(list)).toHaveLength(told);
});
