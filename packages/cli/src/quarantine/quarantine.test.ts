import type { QuarantineItem, QuarantineList, QuarantineView } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FIXTURE_TOKEN, type FixtureHub, problem, startFixtureHub } from "../rest/testing/fixture-hub.ts";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

const FIRST: QuarantineItem = {
  id: "17",
  cluster: { id: "0198c1f2-0000-7000-8000-000000000001", name: "shop-prod-fra-01" },
  incarnation: 1,
  spoolId: "0198-spool",
  sequence: 42,
  code: "batch_conflict",
  message: "Batch shop-prod-fra-01/1 spool 0198-spool #42 was delivered before with another content",
  remedy: "Two agents write one spool, or its folder was restored from a copy: plimsoll quarantine show",
  source: "grpc 10.0.0.7:51312",
  bytes: 21_504,
  kept: true,
  sha256: "ab".repeat(32),
  times: 3,
  firstAt: "2026-11-30T11:00:00.000Z",
  lastAt: "2026-11-30T11:59:48.000Z",
  replayedAt: null,
};
const STRANGER: QuarantineItem = {
  ...FIRST,
  id: "9",
  cluster: null,
  incarnation: null,
  spoolId: null,
  sequence: null,
  code: "batch_invalid",
  message: "Batch refused: envelope \u001b[2J is no protobuf",
  kept: false,
  times: 1,
  replayedAt: "2026-11-30T11:59:59.000Z",
};
const LIST: QuarantineList = {
  items: [FIRST, STRANGER],
  errors: [],
  asOf: "2026-11-30T12:00:00.000Z",
  next: null,
  total: 2,
};
const VIEW: QuarantineView = {
  ...FIRST,
  head: {
    clusterId: "0198c1f2-0000-7000-8000-000000000001",
    kind: "usage",
    kindNumber: 2,
    codec: "snappy",
    rows: 7,
    rawBytes: 40_960,
    sealedAt: "2026-11-30T10:59:59.000Z",
    policyRevision: 4,
    replaces: { first: 3, last: 9 },
  },
  preview: { rows: 7, first: [{ podName: "cart-1", charged: "9007199254740993" }, { podName: "cart-2\u001b[2J" }] },
  previewFault: null,
};
const UNREAD: QuarantineView = {
  ...STRANGER,
  head: null,
  preview: null,
  previewFault: { code: "batch_invalid", message: "Batch refused: it ends in the middle of a field" },
};

let hub: FixtureHub;
beforeAll(async () => {
  hub = await startFixtureHub();
  hub.answer("/api/v1/quarantine", { body: LIST });
  hub.answer("/api/v1/quarantine/17", { body: VIEW });
  hub.answer("/api/v1/quarantine/9", { body: UNREAD });
});
afterAll(() => hub.close());
beforeEach(() => {
  hub.seen.length = 0;
});

async function ran(args: readonly string[], columns?: number) {
  const env = { PLIMSOLL_HUB: hub.url, PLIMSOLL_TOKEN: FIXTURE_TOKEN, HOME: "/nowhere" };
  const { terminal, out, err } = testingTerminal(columns === undefined ? {} : { columns }, env);
  const code = await run(["quarantine", ...args], { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

describe("what is shown is the golden text", () => {
  test.each<[string, readonly string[], number | undefined]>([
    ["list", ["list"], undefined],
    ["list-80", ["list"], 80],
    ["list-csv", ["list", "-o", "csv"], undefined],
    ["show", ["show", "17"], undefined],
    ["show-unread", ["show", "9"], undefined],
    ["show-yaml", ["show", "17", "-o", "yaml"], undefined],
  ])("%s", async (name, args, columns) => {
    const { code, out, err } = await ran(args, columns);
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toMatch(/\p{Cc}(?<![\n\r])/u);
    await expect(out).toMatchFileSnapshot(`testdata/${name}.txt`);
  });

  test.each(["", " list", " show", " replay", " drop"])("help of quarantine%s", async (name) => {
    const { code, out } = await ran([...name.trim().split(" ").filter(Boolean), "--help"], 100);
    expect(code).toBe(0);
    await expect(out).toMatchFileSnapshot(`testdata/help${name.replace(" ", "-")}.txt`);
  });
});

test.each([
  [
    ["list", "--cluster", "a", "--code", "batch_conflict"],
    "/api/v1/quarantine?cluster=a&code=batch_conflict&limit=100",
  ],
  [["list", "--limit", "5"], "/api/v1/quarantine?limit=5"],
  [["show", "17", "-o", "json"], "/api/v1/quarantine/17"],
])("%j asks %s", async (args, url) => {
  await ran(args);
  expect(hub.seen).toMatchObject([{ method: "GET", url, authorization: `Bearer ${FIXTURE_TOKEN}` }]);
});

test.each(["list", "show 17"])("%s -o json is the hub's answer to the letter", async (args) => {
  const { out } = await ran([...args.split(" "), "-o", "json"]);
  expect(out).toBe(`${JSON.stringify(args === "list" ? LIST : VIEW)}\n`);
});

describe("a replay", () => {
  test.each([
    ["applied", 0, "Entry 17 is applied: its facts count now."],
    ["duplicate", 0, "Entry 17 was counted before: nothing changed."],
    ["superseded", 0, "nothing changed."],
    ["rejected", 1, "Entry 17 stays in the quarantine: no good [batch_invalid]"],
    ["deregistered", 1, "its cluster is not registered any more"],
    ["retry", 1, "Try again [hub_busy]."],
  ])("that ends %s exits with %i and says so", async (outcome, exitCode, words) => {
    const codes: Readonly<Record<string, string>> = { rejected: "batch_invalid", retry: "hub_busy" };
    const message = outcome === "rejected" ? "no good" : null;
    const body = { id: "17", outcome, code: codes[outcome] ?? null, message };
    hub.answer("/api/v1/quarantine/17/replay", { body });
    const { code, out } = await ran(["replay", "17"]);
    expect(code).toBe(exitCode);
    expect(out).toContain(words);
    expect(hub.seen).toMatchObject([{ method: "POST", url: "/api/v1/quarantine/17/replay", body: "{}" }]);
    expect(JSON.parse((await ran(["replay", "17", "-o", "json"])).out)).toEqual(body);
  });
});

describe("a drop", () => {
  const gap = {
    cluster: "shop-prod-fra-01",
    startAt: "2026-11-30T10:54:59.000Z",
    endAt: "2026-11-30T10:59:59.000Z",
    missing: "usage",
    reason: "quarantined",
  };
  test.each([
    [
      gap,
      "Entry 17 is dropped. A gap is recorded: usage facts of shop-prod-fra-01, 2026-11-30 10:54:59 UTC to 2026-11-30 10:59:59 UTC.\n",
    ],
    [null, "Entry 17 is dropped; no facts are missing by that.\n"],
  ])("sends the reason and says what is missing", async (given, words) => {
    hub.answer("/api/v1/quarantine/17/drop", { body: { id: "17", gap: given } });
    expect(await ran(["drop", "17", "--reason", "a test"])).toEqual({ code: 0, out: words, err: "" });
    expect(hub.seen).toMatchObject([{ url: "/api/v1/quarantine/17/drop", body: '{"reason":"a test"}' }]);
  });
});

describe("a fault is a coded error", () => {
  test.each([
    [["drop", "17"], 2, "argument_missing", "--reason TEXT"],
    [["show"], 2, "argument_missing", "ENTRY"],
    [["show", "../x"], 2, "option_invalid", "the number of an entry"],
    [["list", "--limit", "0"], 2, "option_invalid", "from 1 to 99999"],
    [["list", "-o", "html"], 2, "option_invalid", "one of table, json, yaml, csv"],
  ])("%j", async (args, exitCode, code, words) => {
    const answer = await ran(args);
    expect([answer.code, answer.out, hub.seen]).toEqual([exitCode, "", []]);
    expect(answer.err).toContain(`error ${code}: `);
    expect(answer.err).toContain(words);
  });

  test("of the hub is said as the hub says it", async () => {
    hub.answer("/api/v1/quarantine/5", problem(404, "quarantine_unknown"));
    const { code, err } = await ran(["show", "5"]);
    expect(code).toBe(1);
    expect(err).toContain("error quarantine_unknown: said by the hub");
  });

  test("nothing in it is said", async () => {
    hub.answer("/api/v1/quarantine", { body: { ...LIST, items: [], total: 0 } });
    expect((await ran(["list"])).out).toBe("Nothing is in the quarantine.\n");
  });
});
