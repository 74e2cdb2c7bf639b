import { expect, test } from "vitest";
import { folderNames } from "./folder-names.ts";

const namesOf = (contexts: readonly string[], hidden = false) => [...folderNames(contexts, hidden).values()];

test.each([
  ["prod-eu", "prod-eu"],
  ["arn:aws:eks:eu-central-1:1234:cluster/shop", "arn-aws-eks-eu-central-1-1234-cluster-shop"],
  ["../../etc", "etc"],
  ["..", "cluster"],
  ["user@host:6443", "user-host-6443"],
  ["生产-上海", "生产-上海"],
  ["x\u0000y", "x-y"],
])("context %j is folder %s", (context, folder) => expect(namesOf([context])).toEqual([folder]));

test("every context has a folder of its own, also where only case or signs differ", () => {
  expect(namesOf(["a/b", "a:b", "A-B"])).toEqual(["a-b", "a-b-2", "A-B-3"]);
});

test("a redacted dump shows no context name", () => {
  expect(namesOf(["secret-project", "other"], true)).toEqual(["cluster-1", "cluster-2"]);
});

test("a very long name keeps its end, which tells clusters apart", () => {
  const [name = ""] = namesOf([`${"x".repeat(300)}-shop`]);
  expect(name.length).toBeLessThanOrEqual(80);
  expect(name.endsWith("-shop")).toBe(true);
});
