import { expect, test } from "vitest";
import { matchesSelector, parseSelector } from "./label-selector.ts";

const LABELS = { env: "prod", team: "pay", "plimsoll.dev/tier": "gold", nodes: "12", empty: "" };

test.each<[string, boolean]>([
  ["", true],
  ["  ", true],
  ["env=prod", true],
  ["env==prod", true],
  [" env = prod ", true],
  ["env=test", false],
  ["env!=test", true],
  ["env!=prod", false],
  ["missing!=prod", true],
  ["team in (pay, shop)", true],
  ["team in (shop)", false],
  ["team notin (shop)", true],
  ["missing notin (shop)", true],
  ["missing in (shop)", false],
  ["env", true],
  ["missing", false],
  ["!missing", true],
  ["! env", false],
  ["plimsoll.dev/tier=gold", true],
  ["nodes>11", true],
  ["nodes>12", false],
  ["nodes<13", true],
  ["env>1", false],
  ["missing<1", false],
  ["empty=", true],
  ["env=", false],
  ["env in (,prod)", true],
  ["env=prod,team in (pay),!legacy,nodes>1", true],
  ["env=prod,team=shop", false],
  ["in in (in)", false],
  ["constructor", false],
])("%j matches: %s", (selector, expected) => {
  expect(matchesSelector(parseSelector(selector), LABELS)).toBe(expected);
});

test.each<[string, string]>([
  ["=prod", 'character 1 ("=")'],
  ["env=prod,", "its end"],
  ["env=prod,,team=pay", 'character 10 (",")'],
  ["env=prod team=pay", 'character 10 ("team")'],
  ["env in prod", 'character 8 ("prod")'],
  ["env in (prod", "its end"],
  ["env in (prod))", 'character 14 (")")'],
  ["env=-prod", 'character 5 ("-prod")'],
  ["-env", 'character 1 ("-env")'],
  ["a/b/c=d", 'character 1 ("a/b/c")'],
  ["Prefix/b=d", 'character 1 ("Prefix/b")'],
  ["/b", 'character 1 ("/b")'],
  ["nodes>many", 'character 7 ("many")'],
  ["nodes>", "its end"],
  ["!", "its end"],
  ["!!env", 'character 2 ("!")'],
  [`env=${"a".repeat(64)}`, `character 5 ("${"a".repeat(40)}")`],
  ["env=ünïcode", 'character 5 ("ünïcode")'],
  ["env=prod;drop", 'character 5 ("prod;drop")'],
])("%j is refused at %s", (selector, at) => {
  expect(() => parseSelector(selector)).toThrow(
    expect.objectContaining({ code: "selector_invalid", fields: expect.objectContaining({ at }) }),
  );
});
