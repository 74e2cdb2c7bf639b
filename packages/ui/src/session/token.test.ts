import { expect, it } from "vitest";
import { tokenOfHash } from "./token.ts";

it.each([
  ["#token=abc-123", "abc-123"],
  ["#token=a%2Bb", "a+b"],
  ["#token=", null],
  ["#nodes", null],
  ["", null],
])("the address part %s carries the token %s", (hash, token) => {
  expect(tokenOfHash(hash)).toBe(token);
});
