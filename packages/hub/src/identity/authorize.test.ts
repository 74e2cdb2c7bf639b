import { expect, test } from "vitest";
import { NOUNS, type Noun, VERBS, type Verb } from "./access.ts";
import type { Actor } from "./actor.ts";
import { authorize } from "./authorize.ts";

const ADMIN: Actor = { kind: "admin" };
const NOBODY: Actor = { kind: "anonymous" };
const AGENT: Actor = { kind: "agent", clusterId: "0198c1f2-0000-7000-8000-000000000001" };

const OPEN: readonly Noun[] = ["health", "metrics", "page", "schema"];

test.each(NOUNS.flatMap((noun) => VERBS.map((verb): [Verb, Noun] => [verb, noun])))(
  "nobody without a token may %s a %s, unless it names no cluster",
  (verb, noun) => {
    const open = (OPEN.includes(noun) && verb === "read") || (noun === "join-token" && verb === "join");
    if (open) expect(authorize(NOBODY, verb, { noun, id: null })).toEqual(new Set());
    else
      expect(() => authorize(NOBODY, verb, { noun, id: null })).toThrow(
        expect.objectContaining({ code: "unauthenticated" }),
      );
  },
);

test.each<[Actor, Verb, Noun, string]>([
  [ADMIN, "list", "cluster", "all"],
  [ADMIN, "create", "cluster", "all"],
  [ADMIN, "create", "join-token", "all"],
  [ADMIN, "read", "cost", "all"],
  [ADMIN, "update", "policy", "all"],
  [ADMIN, "update", "cost", "forbidden"],
  [AGENT, "list", "cluster", "forbidden"],
  [AGENT, "create", "join-token", "forbidden"],
  [AGENT, "read", "cost", "forbidden"],
  [AGENT, "update", "policy", "forbidden"],
  [{ kind: "hub" }, "update", "cluster", "all"],
  [{ kind: "hub" }, "create", "join-token", "forbidden"],
])("%j may %s a %s: %s", (actor, verb, noun, expected) => {
  const ask = () => authorize(actor, verb, { noun, id: null });
  if (expected === "forbidden") expect(ask).toThrow(expect.objectContaining({ code: "forbidden" }));
  else expect(ask()).toBe(expected);
});

test("a refusal names who, what and which thing", () => {
  expect(() => authorize(AGENT, "delete", { noun: "cluster", id: "prod-eu" })).toThrow(
    "agent:0198c1f2-0000-7000-8000-000000000001 may not delete cluster prod-eu",
  );
});
