import { describe, expect, test } from "vitest";
import { NOUNS, type Noun, VERBS, type Verb } from "./access.ts";
import type { Actor } from "./actor.ts";
import { authorize } from "./authorize.ts";
import { type Grant, ROLES, type Role } from "./roles.ts";

const ADMIN: Actor = { kind: "admin" };
const NOBODY: Actor = { kind: "anonymous" };
const AGENT: Actor = { kind: "agent", clusterId: "0198c1f2-0000-7000-8000-000000000001" };
const HUB: Actor = { kind: "hub" };

const SHOP = new Set(["shop-1", "shop-2"]);
const BANK = new Set(["bank-1"]);
const select = (selector: string) =>
  selector === "tenant=shop" ? SHOP : selector === "tenant=bank" ? BANK : new Set<string>();
const user = (...grants: Grant[]): Actor => ({ kind: "user", name: "ada", grants });
const token = (...grants: Grant[]): Actor => ({ kind: "token", name: "grafana", grants });

const ask = (actor: Actor, verb: Verb, noun: Noun) => authorize(actor, verb, { noun, id: null }, select);
const OPEN: readonly Noun[] = ["health", "metrics", "page", "schema"];
const isOpen = (verb: Verb, noun: Noun) =>
  (OPEN.includes(noun) && verb === "read") || (noun === "join-token" && verb === "join");
const PAIRS = NOUNS.flatMap((noun) => VERBS.map((verb): [Verb, Noun] => [verb, noun]));

test.each(PAIRS)("nobody without a token may %s a %s, unless it names no cluster", (verb, noun) => {
  if (isOpen(verb, noun)) expect(ask(NOBODY, verb, noun)).toEqual(new Set());
  else expect(() => ask(NOBODY, verb, noun)).toThrow(expect.objectContaining({ code: "unauthenticated" }));
});

/** Written down by hand, apart from the policies: what each role may do to what, `*` where it needs the whole fleet. */
const READER = ["list cluster", "read cluster", "read cost", "read policy", "read whoami"];
const MAY: Readonly<Record<Exclude<Role, "admin">, readonly string[]>> = {
  viewer: READER,
  finops: READER,
  auditor: [
    ...READER,
    "list audit",
    "read audit*",
    "create audit*",
    "list quarantine",
    "read quarantine",
    "list service-token*",
    "list whoami*",
  ],
  operator: [
    ...READER,
    "create cluster*",
    "update cluster",
    "create join-token*",
    "update policy*",
    "list quarantine",
    "read quarantine",
    "update quarantine",
    "delete quarantine",
    "update stream*",
  ],
};

describe.each(ROLES)("%s", (role) => {
  const others = Object.values(MAY).flat();
  const alone = ["delete cluster", "create service-token*", "delete service-token*"];
  const may = role === "admin" ? [...others, ...alone] : MAY[role];

  test.each(PAIRS)("%s %s", (verb, noun) => {
    if (isOpen(verb, noun)) return;
    const outcome = (actor: Actor) => {
      try {
        return ask(actor, verb, noun);
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    const [anywhere, wholeOnly] = [may.includes(`${verb} ${noun}`), may.includes(`${verb} ${noun}*`)];
    for (const as of [user, token]) {
      expect(outcome(as({ role, selector: null }))).toEqual(anywhere || wholeOnly ? "all" : "forbidden");
      expect(outcome(as({ role, selector: "tenant=shop" }))).toEqual(anywhere ? SHOP : "forbidden");
    }
  });
});

test("grants add up: the clusters of each role that allows it, and no other role's", () => {
  const both = user({ role: "viewer", selector: "tenant=shop" }, { role: "operator", selector: "tenant=bank" });
  expect(ask(both, "list", "cluster")).toEqual(new Set([...SHOP, ...BANK]));
  expect(ask(both, "update", "cluster")).toEqual(BANK);
  expect(
    ask(user({ role: "viewer", selector: null }, { role: "operator", selector: "tenant=bank" }), "list", "cluster"),
  ).toBe("all");
});

test("a selector that matches nothing sees nothing, which is no refusal and not everything", () => {
  expect(ask(user({ role: "viewer", selector: "tenant=gone" }), "list", "cluster")).toEqual(new Set());
});

test.each<[Actor, Verb, Noun, string]>([
  [ADMIN, "list", "cluster", "all"],
  [ADMIN, "create", "join-token", "all"],
  [ADMIN, "delete", "cluster", "all"],
  [ADMIN, "update", "cost", "forbidden"],
  [ADMIN, "delete", "audit", "forbidden"],
  [AGENT, "list", "cluster", "forbidden"],
  [AGENT, "read", "cost", "forbidden"],
  [AGENT, "update", "policy", "forbidden"],
  [HUB, "update", "cluster", "all"],
  [HUB, "create", "join-token", "forbidden"],
  [HUB, "read", "audit", "forbidden"],
  [user(), "list", "cluster", "forbidden"],
])("%j may %s a %s: %s", (actor, verb, noun, expected) => {
  if (expected === "forbidden") {
    expect(() => ask(actor, verb, noun)).toThrow(expect.objectContaining({ code: "forbidden" }));
  } else expect(ask(actor, verb, noun)).toBe(expected);
});

test("a refusal names who, what and which thing", () => {
  expect(() => authorize(AGENT, "delete", { noun: "cluster", id: "prod-eu" }, select)).toThrow(
    "agent:0198c1f2-0000-7000-8000-000000000001 may not delete cluster prod-eu",
  );
  expect(() => ask(user({ role: "viewer", selector: null }), "update", "policy")).toThrow(
    "user:ada may not update policy",
  );
});
