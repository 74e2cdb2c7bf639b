import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type FixtureHub, problem, startFixtureHub } from "../rest/testing/fixture-hub.ts";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

const ANSWER = {
  token: "plj1.secret.hash",
  expiresAt: "2026-11-30T13:00:00.000Z",
  command: "plimsoll agent --hub https://hub.example --token plj1.secret.hash",
  manifest: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: plimsoll\n---\napiVersion: v1\nkind: Secret\n",
};

let hub: FixtureHub;
beforeAll(async () => {
  hub = await startFixtureHub();
});
afterAll(() => hub.close());
beforeEach(() => {
  hub.seen.length = 0;
  hub.answer("/api/v1/join-tokens", { status: 201, body: ANSWER });
});

async function ran(...args: string[]) {
  const { terminal, out, err } = testingTerminal({}, { PLIMSOLL_HUB: hub.url, PLIMSOLL_TOKEN: "from-env" });
  const code = await run(["join", ...args], { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

describe("join", () => {
  test("prints a command for people, and all of it is YAML that kubectl applies", async () => {
    const { code, out, err } = await ran("prod-eu");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`#   ${ANSWER.command}\n`);
    expect(out).toContain("once, until 2026-11-30 13:00:00 UTC");
    const documents = parseAllDocuments(out).map((document) => document.toJS());
    expect(documents.map((one) => one?.kind).filter(Boolean)).toEqual(["Namespace", "Secret"]);
  });

  test("asks for the name with its time and labels", async () => {
    await ran("prod-eu", "--ttl", "90m", "--label", "env=prod", "cost-center=a=b");
    expect(hub.seen.map(({ body }) => JSON.parse(body))).toEqual([
      { clusterName: "prod-eu", ttlSeconds: 5400, labels: { env: "prod", "cost-center": "a=b" } },
    ]);
  });

  test("takes the admin's token as --token too", async () => {
    await ran("a", "--token", "given");
    await ran("a", "--admin-token", "given");
    await ran("a");
    expect(hub.seen.map(({ authorization }) => authorization)).toEqual([
      "Bearer given",
      "Bearer given",
      "Bearer from-env",
    ]);
  });

  test("tells a refusal in the hub's words", async () => {
    hub.answer("/api/v1/join-tokens", problem(400, "parameter_invalid"));
    expect(await ran("Prod")).toEqual({
      code: 1,
      out: "",
      err: "error parameter_invalid: said by the hub\n  → do this\n",
    });
  });

  test("gives the answer to the letter with -o json", async () => {
    expect((await ran("a", "-o", "json")).out).toBe(`${JSON.stringify(ANSWER)}\n`);
  });
});
