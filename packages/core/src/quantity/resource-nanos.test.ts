import type { QuantityTexts } from "@plimsoll/contracts";
import { expect, test } from "vitest";
import { maxResources, parseResources, subtractResources, sumResources } from "./resource-nanos.ts";

const A = new Map([
  ["cpu", 2n],
  ["memory", 5n],
]);
const B = new Map([
  ["cpu", 3n],
  ["pods", 1n],
]);

test("a sum keeps every resource that any list names", () => {
  expect(sumResources([A, B, new Map()])).toEqual(
    new Map([
      ["cpu", 5n],
      ["memory", 5n],
      ["pods", 1n],
    ]),
  );
  expect(sumResources([])).toEqual(new Map());
});

test("a maximum takes the largest per resource and leaves its inputs alone", () => {
  expect(maxResources(A, B)).toEqual(
    new Map([
      ["cpu", 3n],
      ["memory", 5n],
      ["pods", 1n],
    ]),
  );
  expect(A.get("cpu")).toBe(2n);
});

test("a difference may be negative: over-commit is shown, not hidden", () => {
  expect(subtractResources(A, B)).toEqual(
    new Map([
      ["cpu", -1n],
      ["memory", 5n],
      ["pods", -1n],
    ]),
  );
});

test("a list reads numbers, blanks and null as the Kubernetes API does", () => {
  const list: QuantityTexts = JSON.parse('{"cpu": 2, "memory": " 1Ki ", "pods": null}');
  expect(parseResources(list, "f")).toEqual(
    new Map([
      ["cpu", 2_000_000_000n],
      ["memory", 1_024_000_000_000n],
      ["pods", 0n],
    ]),
  );
  expect(parseResources(undefined, "f").size).toBe(0);
});

test.each(['{"cpu": true}', '{"cpu": {}}', '{"cpu": "1 Gi"}', '{"cpu": ""}'])(
  "a list with %s is refused by name",
  (json) => {
    const list: QuantityTexts = JSON.parse(json);
    expect(() => parseResources(list, "Node/a status.capacity")).toThrow("Node/a status.capacity.cpu is ");
  },
);
