import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FixtureHub, problem, startFixtureHub } from "../rest/testing/fixture-hub.ts";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

const AS_OF = "2026-11-30T12:00:00.000Z";
const GRANTS = [
  { role: "viewer", selector: "env=prod" },
  { role: "auditor", selector: null },
];
const TOKEN = {
  name: "grafana",
  grants: GRANTS,
  createdBy: "admin",
  createdAt: "2026-11-01T00:00:00.000Z",
  expiresAt: "2027-01-30T00:00:00.000Z",
  lastUsedAt: "2026-11-30T11:58:00.000Z",
};
const ANSWERS: Readonly<Record<string, unknown>> = {
  whoami: {
    actor: "token:grafana",
    grants: GRANTS,
    may: [
      { verb: "list", thing: "audit", selectors: null },
      { verb: "read", thing: "audit", selectors: null },
      { verb: "list", thing: "cluster", selectors: null },
      { verb: "update", thing: "cluster", selectors: ["env=prod", "team=a"] },
    ],
  },
  "can-i": { allowed: false, reason: "token:grafana may not update policy" },
  "access-review": {
    items: [
      { actor: "admin", grants: [{ role: "admin", selector: null }], expiresAt: null, lastUsedAt: null },
      { actor: "token:grafana", grants: GRANTS, expiresAt: TOKEN.expiresAt, lastUsedAt: TOKEN.lastUsedAt },
    ],
    asOf: AS_OF,
  },
  "service-tokens": { items: [TOKEN, { ...TOKEN, name: "old", expiresAt: AS_OF, lastUsedAt: null }], asOf: AS_OF },
  "service-tokens/grafana/withdraw": { name: "grafana" },
};

let hub: FixtureHub;
beforeAll(async () => {
  hub = await startFixtureHub();
});
afterAll(() => hub.close());
beforeEach(() => {
  hub.seen.length = 0;
  for (const [path, body] of Object.entries(ANSWERS)) hub.answer(`/api/v1/${path}`, { body });
});

async function ran(...args: string[]) {
  const { terminal, out, err } = testingTerminal({}, { PLIMSOLL_HUB: hub.url, PLIMSOLL_TOKEN: "t" });
  const code = await run(["auth", ...args], { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

test.each([
  ["whoami", ["whoami"], 0],
  ["can-i", ["can-i", "update", "policy"], 3],
  ["access-review", ["access-review"], 0],
  ["access-review-csv", ["access-review", "-o", "csv"], 0],
  ["tokens", ["tokens"], 0],
  ["tokens-csv", ["tokens", "-o", "csv"], 0],
  ["withdraw-token", ["withdraw-token", "grafana"], 0],
])("%s is the golden one", async (name, args, code) => {
  const answer = await ran(...args);
  expect([answer.code, answer.err]).toEqual([code, ""]);
  await expect(answer.out).toMatchFileSnapshot(`testdata/${name}.txt`);
});

test("a new token is the last line, and what it may do is asked for as given", async () => {
  hub.answer("/api/v1/service-tokens", { status: 201, body: { ...TOKEN, token: "pls1.secret" } });
  const args = ["--role", "viewer", "finops", "--selector", "env=prod", "--ttl", "30d"];
  const { code, out } = await ran("create-token", "grafana", ...args);
  expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([0, "pls1.secret"]);
  expect(out).toContain("viewer on env=prod, auditor on the whole fleet, until 2027-01-30");
  expect(hub.seen.map(({ body }) => JSON.parse(body))).toEqual([
    {
      name: "grafana",
      grants: [
        { role: "viewer", selector: "env=prod" },
        { role: "finops", selector: "env=prod" },
      ],
      ttlSeconds: 2_592_000,
    },
  ]);
});

test.each([
  [["create-token", "a"], "--role"],
  [["create-token", "a", "--role", "viewer", "--ttl", "9y"], "--ttl"],
  [["can-i", "update"], "THING"],
])("%j is a fault of usage", async (args, named) => {
  const { code, err } = await ran(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(named)]);
});

test("can-i yes exits with 0", async () => {
  hub.answer("/api/v1/can-i", { body: { allowed: true, reason: "on prod-eu" } });
  expect(await ran("can-i", "read", "cost", "--cluster", "prod-eu")).toEqual({
    code: 0,
    out: "yes, on prod-eu\n",
    err: "",
  });
  expect(hub.seen[0]?.url).toBe("/api/v1/can-i?verb=read&thing=cost&cluster=prod-eu");
});

test("what the hub refuses is said in its words", async () => {
  hub.answer("/api/v1/access-review", problem(403, "forbidden"));
  expect(await ran("access-review")).toMatchObject({ code: 1, err: expect.stringContaining("said by the hub") });
});
