import { describe, expect, test } from "vitest";
import { run } from "./run.ts";
import { testingTerminal } from "./testing-terminal.ts";

async function ran(args: readonly string[]) {
  const { terminal, out, err } = testingTerminal({ columns: 100 }, { HOME: "/nowhere", XDG_STATE_HOME: "/nowhere" });
  const code = await run(args, { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

describe("help of the commands of the living fleet", () => {
  test.each([
    "hub",
    "join",
    "agent",
    "add",
    "demo",
    "get",
    "get clusters",
    "describe cluster",
    "top clusters",
    "top nodes",
    "top namespaces",
    "cost",
    "spool",
    "spool inspect",
    "spool export",
    "spool repair",
  ])("%s is the golden text, by --help and by help", async (name) => {
    const words = name.split(" ");
    const { code, out, err } = await ran([...words, "--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect((await ran(["help", ...words])).out).toBe(out);
    await expect(out).toMatchFileSnapshot(`testdata/help-plimsoll-${words.join("-")}.txt`);
  });
});

describe("a fault of the command line is a coded error with a remedy, and exits with 2", () => {
  test.each([
    [["get"], "argument_missing", "plimsoll get needs one of its commands", "plimsoll get --help"],
    [["get", "cluster"], "command_unknown", "Unknown command cluster, did you mean clusters?", "plimsoll --help"],
    [["get", "clusters", "x"], "argument_unexpected", 'takes no argument "x"', "plimsoll get clusters --help"],
    [["get", "clusters", "-o", "html"], "option_invalid", "one of table, wide, json, yaml, csv", "get clusters --help"],
    [["get", "clusters", "--interval", "0"], "option_invalid", "seconds from 0.1 to 3600", "get clusters --help"],
    [["describe", "cluster"], "argument_missing", "plimsoll describe cluster needs NAME", "describe cluster --help"],
    [["top", "nodes", "--sort", "cost"], "option_invalid", "it takes cpu, memory", "plimsoll top nodes --help"],
    [["top", "pods"], "command_unknown", "Unknown command pods", "plimsoll --help"],
    [["top", "nodes", "--limit", "0"], "option_invalid", "from 1 to 99999", "plimsoll top nodes --help"],
    [["join"], "argument_missing", "plimsoll join needs NAME", "plimsoll join --help"],
    [["join", "a", "--ttl", "59s"], "option_invalid", "a time from 60s to 24h", "plimsoll join --help"],
    [["join", "a", "--ttl", "25h"], "option_invalid", "a time from 60s to 24h", "plimsoll join --help"],
    [["join", "a", "--ttl", "1d"], "option_invalid", "a time from 60s to 24h", "plimsoll join --help"],
    [["join", "a", "--label", "env"], "option_invalid", "it takes KEY=VALUE", "plimsoll join --help"],
    [["agent"], "argument_missing", "plimsoll agent needs --hub URL", "plimsoll agent --help"],
    [["hub", "--listen", "8080"], "option_invalid", "it takes HOST:PORT", "plimsoll hub --help"],
    [["hub", "--grpc", "::1:99999"], "option_invalid", "it takes HOST:PORT", "plimsoll hub --help"],
    [["hub", "--role", "reader"], "option_invalid", "it takes all, control, ingest", "plimsoll hub --help"],
    [["hub", "--tls-cert", "a.pem"], "argument_missing", "--tls-key FILE with --tls-cert", "plimsoll hub --help"],
    [["demo", "--clusters", "0"], "option_invalid", "from 1 to 200", "plimsoll demo --help"],
    [["spool", "inspect"], "argument_missing", "plimsoll spool inspect needs DIR", "plimsoll spool inspect --help"],
    [["spool", "export", "d", "--kind", "x"], "option_invalid", "one of sample, usage, node, gap", "export --help"],
    [["spool", "export", "d", "--as", "x"], "option_invalid", "one of rows, envelopes", "spool export --help"],
    [["spool", "repair", "d", "-o", "csv"], "option_invalid", "one of table, json", "spool repair --help"],
    [["demo", "--port", "x"], "option_invalid", "from 0 to 65535", "plimsoll demo --help"],
  ])("%j", async (args, code, message, remedy) => {
    const answer = await ran(args);
    expect([answer.code, answer.out]).toEqual([2, ""]);
    expect(answer.err).toMatch(/^error \w+: .+\n {2}→ .+\n$/);
    expect(answer.err).toContain(`error ${code}: `);
    expect(answer.err).toContain(message);
    expect(answer.err).toContain(remedy);
  });
});

test.each([["get", "clusters"], ["top", "nodes"], ["cost"], ["describe", "cluster", "a"], ["join", "a"], ["add"]])(
  "%s %s without a hub says how to get one",
  async (...args) => {
    const { code, out, err } = await ran(args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("error hub_not_named: ");
    expect(err).toContain("plimsoll hub, or try npm run demo");
  },
);
