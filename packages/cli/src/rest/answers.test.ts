import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";
import { FIXTURE_TOKEN, type FixtureHub, problem, startFixtureHub } from "./testing/fixture-hub.ts";
import { AS_OF, SAMPLE_COST, SAMPLE_LIST } from "./testing/sample-fleet.ts";

let hub: FixtureHub;
beforeAll(async () => {
  hub = await startFixtureHub();
});
afterAll(() => hub.close());
beforeEach(() => {
  hub.seen.length = 0;
  hub.answer("/api/v1/clusters", { body: SAMPLE_LIST });
});

async function ran(args: readonly string[], given: { columns?: number; colours?: boolean } = {}) {
  const env = { PLIMSOLL_HUB: hub.url, PLIMSOLL_TOKEN: FIXTURE_TOKEN, HOME: "/nowhere" };
  const { terminal, out, err } = testingTerminal(given, env);
  const code = await run(args, { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

describe("tables are the golden ones", () => {
  test.each([
    ["get-clusters-80", ["get", "clusters"], 80, 4],
    ["get-clusters-120", ["get", "clusters"], 120, 4],
    ["get-clusters-pipe", ["get", "clusters"], undefined, 4],
    ["get-clusters-wide", ["get", "clusters", "-o", "wide"], undefined, 4],
    ["get-clusters-csv", ["get", "clusters", "-o", "csv"], undefined, 4],
    ["get-clusters-yaml", ["get", "clusters", "-o", "yaml"], undefined, 4],
    ["top-clusters", ["top", "clusters"], undefined, 4],
    ["top-clusters-cost", ["top", "clusters", "--sort", "cost", "--limit", "2"], 100, 4],
    ["top-nodes", ["top", "nodes", "--limit", "2"], 100, 0],
    ["top-namespaces", ["top", "namespaces", "--sort", "cost"], undefined, 0],
    ["cost", ["cost", "--by", "cost-center,namespace"], 100, 0],
    ["cost-csv", ["cost", "--by", "cost-center,namespace", "-o", "csv"], undefined, 0],
  ])("%s", async (name, args, columns, code) => {
    const answer = await ran(args, columns === undefined ? {} : { columns });
    expect([answer.code, answer.err]).toEqual([code, ""]);
    await expect(answer.out).toMatchFileSnapshot(`testdata/${name}.txt`);
  });

  test("colour says nothing that the text does not", async () => {
    const colours = (await ran(["get", "clusters"], { columns: 120, colours: true })).out;
    expect(colours).toContain("\u001b[31m");
    expect(stripVTControlCharacters(colours)).toBe((await ran(["get", "clusters"], { columns: 120 })).out);
  });

  test("a name of a cluster cannot send control sequences to the terminal", async () => {
    const items = SAMPLE_LIST.items.map((cluster) => ({ ...cluster, name: "evil\u001b[2J\u0007" }));
    hub.answer("/api/v1/clusters", { body: { ...SAMPLE_LIST, items } });
    for (const args of [
      ["get", "clusters", "-o", "wide"],
      ["top", "clusters"],
    ]) {
      expect((await ran(args)).out).not.toMatch(/\p{Cc}(?<!\n)/u);
    }
  });

  test("without clusters it says what to do", async () => {
    hub.answer("/api/v1/clusters", { body: { ...SAMPLE_LIST, items: [], errors: [], total: 0 } });
    expect(await ran(["get", "clusters"])).toEqual({
      code: 0,
      out: "No clusters. Ask for all of them, or let one in: plimsoll join NAME\n",
      err: "",
    });
  });

  test("simulated clusters are said to be simulated", async () => {
    hub.answer("/api/v1/clusters", {
      body: { ...SAMPLE_LIST, items: SAMPLE_LIST.items.map((c) => ({ ...c, simulated: true })) },
    });
    expect((await ran(["get", "clusters"])).out).toContain("Simulated clusters: none of them is real");
  });

  test("amounts of several currencies carry their code and are not added up", async () => {
    const items = SAMPLE_LIST.items.map((one, at) => ({
      ...one,
      cost: one.cost && { ...one.cost, currency: at === 0 ? "CNY" : "USD" },
    }));
    hub.answer("/api/v1/clusters", { body: { ...SAMPLE_LIST, items } });
    const { out } = await ran(["get", "clusters"]);
    expect(out).toContain("CNY 4.66");
    expect(out).toContain("USD 1,234.25");
    expect(out).not.toContain("1,238.9");
  });
});

describe("-o json", () => {
  test("is the hub's answer to the letter, fields that this release does not know included", async () => {
    const body = `{ "newer": 1.50,${JSON.stringify(SAMPLE_LIST).slice(1)}`;
    hub.answer("/api/v1/clusters", { body });
    expect((await ran(["get", "clusters", "-o", "json"])).out).toBe(`${body}\n`);
  });

  test("of several pages is one answer with all items, as old as the oldest page", async () => {
    const [first, ...rest] = SAMPLE_LIST.items;
    hub.answer(
      "/api/v1/clusters",
      { body: { ...SAMPLE_LIST, items: [first], next: "c1" } },
      { body: { ...SAMPLE_LIST, items: rest, asOf: "2026-11-30T11:59:59.000Z" } },
    );
    const answer: unknown = JSON.parse((await ran(["get", "clusters", "-o", "json", "-l", "env=prod"])).out);
    expect(answer).toEqual({ ...SAMPLE_LIST, asOf: "2026-11-30T11:59:59.000Z" });
    expect(hub.seen.map(({ url }) => url)).toEqual([
      "/api/v1/clusters?selector=env%3Dprod&limit=1000",
      "/api/v1/clusters?selector=env%3Dprod&limit=1000&cursor=c1",
    ]);
  });
});

describe("what is asked", () => {
  test.each([
    [["get", "clusters", "--search", "eu x", "--sort", "-cost"], "/api/v1/clusters?search=eu+x&sort=-cost&limit=1000"],
    [["top", "clusters", "-l", "env=prod"], "/api/v1/clusters?selector=env%3Dprod&limit=1000"],
    [["top", "nodes", "--sort", "memory", "--cluster", "a"], "/api/v1/nodes?cluster=a&sort=-memoryUsed&limit=20"],
    [["top", "namespaces", "--limit", "5"], "/api/v1/namespaces?sort=-cpuUsed&limit=5"],
    [
      ["cost", "--by", "env", "--window", "7d", "--cluster", "a", "--namespace", "b"],
      "/api/v1/cost?window=7d&aggregate=env&cluster=a&namespace=b&limit=10000",
    ],
    [["describe", "cluster", "shop-prod-fra-01"], "/api/v1/clusters/shop-prod-fra-01"],
  ])("%j asks %s as the admin", async (args, url) => {
    await ran(args);
    expect(hub.seen).toMatchObject([{ method: "GET", url, authorization: `Bearer ${FIXTURE_TOKEN}` }]);
  });

  test("a name with signs in it stays one part of the path", async () => {
    await ran(["describe", "cluster", "../nodes?x"]);
    expect(hub.seen[0]?.url).toBe("/api/v1/clusters/..%2Fnodes%3Fx");
  });
});

describe("a sum", () => {
  test("is the hub's, and groups beyond the limit are said to be in it", async () => {
    const { out } = await ran(["cost", "--by", "cost-center,namespace"]);
    expect(out).toContain("2 more groups: USD 20.00, which is in the sum.");
    expect(out).toMatch(/^SUM +.*160\.00 +100\.0% +97\.4%$/m);
  });

  test("of 9,007,199.254740993 comes out digit for digit", async () => {
    const [first] = SAMPLE_COST.items;
    const total = "9007199.254740993";
    hub.answer("/api/v1/cost", { body: { ...SAMPLE_COST, items: [{ ...first, total }], total: 1, sum: total } });
    for (const format of ["json", "yaml", "csv"]) {
      expect((await ran(["cost", "-o", format])).out, format).toContain(total);
    }
    hub.answer("/api/v1/cost", { body: SAMPLE_COST });
  });
});

describe("--watch", () => {
  async function watched(args: readonly string[], until: () => boolean, given: { isTerminal?: boolean } = {}) {
    const stop = new AbortController();
    const { terminal, out, err } = testingTerminal(given, { PLIMSOLL_HUB: hub.url, PLIMSOLL_TOKEN: FIXTURE_TOKEN });
    const stopWhen = (sink: typeof terminal.out) => ({
      ...sink,
      write(text: string) {
        sink.write(text);
        if (until()) stop.abort(130);
      },
    });
    const watching = { ...terminal, out: stopWhen(terminal.out), err: stopWhen(terminal.err) };
    const code = await run([...args, "--watch", "--interval", "0.1"], { terminal: watching, signal: stop.signal });
    return { code, out: out(), err: err() };
  }

  test("asks again and again, and redraws the screen where somebody looks", async () => {
    const piped = await watched(["top", "nodes"], () => hub.seen.length >= 3);
    expect(piped.out.match(/^NODE /gm)).toHaveLength(3);
    expect(piped.out).not.toContain("\u001b");
    hub.seen.length = 0;
    const drawn = await watched(["top", "nodes"], () => hub.seen.length >= 2, { isTerminal: true });
    expect(drawn.out.split("\u001b[H\u001b[2J")).toHaveLength(3);
  });

  test("outlives a hub that is busy for a moment, and says so", async () => {
    hub.answer("/api/v1/clusters", problem(503, "hub_busy"), { body: SAMPLE_LIST });
    const answer = await watched(["get", "clusters"], () => hub.seen.length >= 2);
    expect(answer.err).toContain("error hub_busy: said by the hub");
    expect(answer.out).toContain("shop-prod-fra-01");
  });

  test("ends where asking again cannot help", async () => {
    hub.answer("/api/v1/clusters", problem(401, "unauthenticated"));
    const answer = await watched(["get", "clusters"], () => hub.seen.length >= 5);
    expect([answer.code, hub.seen.length]).toEqual([1, 1]);
    expect(answer.err).toContain("error hub_token_wrong: ");
  });
});

test("the sample's age is told from when the hub answered, not from now", async () => {
  expect(AS_OF).toBe("2026-11-30T12:00:00.000Z");
  expect((await ran(["get", "clusters"])).out).toMatch(/^shop-prod-fra-01 .* 12 s$/m);
});
