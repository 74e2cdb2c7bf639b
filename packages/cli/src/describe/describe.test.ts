import { expect, test } from "vitest";
import { AS_OF, SAMPLE_DETAILS } from "../rest/testing/sample-fleet.ts";
import { clusterText } from "./cluster-text.ts";
import { valueText } from "./layers.ts";

const place = { width: undefined, colours: false, wide: false };

test.each(SAMPLE_DETAILS.map((cluster) => [cluster.name, cluster] as const))(
  "%s is described as in its golden text",
  async (name, cluster) => {
    await expect(clusterText(cluster, place, AS_OF)).toMatchFileSnapshot(`testdata/${name}.txt`);
  },
);

test.each([
  [null, "–"],
  [undefined, "–"],
  ["", "–"],
  [0, "0"],
  [false, "false"],
  [[], "none"],
  [["a", "b"], "a, b"],
  [{}, "none"],
  [{ env: "prod", n: 2 }, "env=prod, n=2"],
])("the value %j reads %s: unknown is a dash, an empty list is none", (value, text) => {
  expect(valueText(value)).toBe(text);
});

test("a value of a cluster cannot send control sequences to the terminal", () => {
  const [cluster] = SAMPLE_DETAILS;
  if (cluster === undefined) throw new Error("the sample has clusters");
  const evil = { ...cluster, record: { ...cluster.record, region: "eu\u001b[2J", labels: { a: "\nforged: line" } } };
  const text = clusterText(evil, place, AS_OF);
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\nforged");
});
