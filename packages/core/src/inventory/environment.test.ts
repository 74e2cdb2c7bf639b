import { describe, expect, it } from "vitest";
import { environmentOf, isAgreedEnvironment } from "./environment.ts";

describe("the environment of a label env", () => {
  it.each([
    ["prod", "production"],
    ["production", "production"],
    ["Prod", "production"],
    ["stage", "staging"],
    ["staging", "staging"],
    ["pre", "staging"],
    ["test", "testing"],
    ["testing", "testing"],
    ["dev", "development"],
    ["development", "development"],
    ["other", "other"],
    ["qa-7", "other"],
    ["constructor", "other"],
    ["", null],
    [undefined, null],
  ])("%s is %s", (value, environment) => {
    expect(environmentOf(value)).toBe(environment);
  });

  it("that nobody agreed on can be told from the others", () => {
    expect(["prod", "other", "qa-7", "toString"].map(isAgreedEnvironment)).toEqual([true, true, false, false]);
  });
});
