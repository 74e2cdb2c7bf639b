import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { run } from "./run.ts";
import { testingTerminal } from "./testing-terminal.ts";
import { checkOutput, writeOutput } from "./write-output.ts";

async function ran(args: readonly string[], env: Record<string, string> = {}) {
  const { terminal, out, err } = testingTerminal({ columns: 100 }, env);
  const code = await run(args, { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

describe("help", () => {
  test.each([
    ["plimsoll", []],
    ["plimsoll", ["--help"]],
    ["plimsoll", ["help"]],
    ["plimsoll-scan", ["scan", "--help"]],
    ["plimsoll-scan", ["help", "scan"]],
    ["plimsoll-dump", ["dump", "-h"]],
  ])("%s by %j is the golden text on standard output", async (name, args) => {
    const { code, out, err } = await ran(args);
    expect([code, err]).toEqual([0, ""]);
    await expect(out).toMatchFileSnapshot(`testdata/help-${name}.txt`);
  });

  test("the version is the package's", async () => {
    expect(await ran(["--version"])).toEqual({
      code: 0,
      out: `plimsoll ${manifest.version} (node ${process.versions.node})\n`,
      err: "",
    });
  });
});

describe("a fault of the command line is a coded error with a remedy, and exits with 2", () => {
  test.each([
    [
      ["scan", "--ouput", "x"],
      "option_unknown",
      "Unknown option --ouput, did you mean --output?",
      "plimsoll scan --help",
    ],
    [
      ["scan", "--from-dump", ".", "--output", "fleet.XLSX"],
      "option_invalid",
      'Option --output is "fleet.XLSX"; it takes a name that ends with .json, .yaml, .yml, .csv, .html, .htm, .txt, or a format with -o',
      "plimsoll scan --help",
    ],
    [["scan", "--zzz"], "option_unknown", "Unknown option --zzz\n", "plimsoll scan --help"],
    [["--kubeconfg", "x"], "option_unknown", "Unknown option --kubeconfg", "plimsoll --help"],
    [["scam"], "command_unknown", "Unknown command scam, did you mean scan?", "plimsoll --help"],
    [["help", "nothing"], "command_unknown", "Unknown command nothing\n", "plimsoll --help"],
    [["scan", "prod"], "argument_unexpected", 'plimsoll scan takes no argument "prod"', "plimsoll scan --help"],
    [
      ["scan", "-o", "xml"],
      "option_invalid",
      'Option --format is "xml"; it takes one of table, wide, json',
      "scan --help",
    ],
    [["scan", "-o"], "option_invalid", 'Option --format is ""; it takes FORMAT', "scan --help"],
    [["scan", "--output", "json"], "option_invalid", "the format is -o json", "scan --help"],
    [["scan", "--fail-on", "bad"], "option_invalid", "it takes one of info, warning, critical", "scan --help"],
    [["scan", "--timeout", "-1"], "option_invalid", 'Option --timeout is "-1"; it takes seconds', "scan --help"],
    [["scan", "--timeout", "1e9"], "option_invalid", 'Option --timeout is "1e9"', "scan --help"],
    [["scan", "--concurrency", "0"], "option_invalid", 'Option --concurrency is "0"', "scan --help"],
    [["dump", "--timeout", "x"], "option_invalid", 'Option --timeout is "x"', "plimsoll dump --help"],
  ])("%j", async (args, code, message, remedy) => {
    const answer = await ran(args);
    expect(answer.code).toBe(2);
    expect(answer.out).toBe("");
    expect(answer.err).toMatch(/^error \w+: .+\n {2}→ .+\n$/);
    expect(answer.err).toContain(`error ${code}: `);
    expect(answer.err).toContain(message);
    expect(answer.err).toContain(remedy);
  });
});

describe("other errors", () => {
  const empty = { KUBECONFIG: "/nowhere/config", HOME: "/nowhere" };

  test("without a kubeconfig it names --from-dump and the example, and exits with 1", async () => {
    const { code, out, err } = await ran(["scan"], empty);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("error kubeconfig_missing: ");
    expect(err).toMatch(/--from-dump examples\/dump/);
  });

  test("no stack is shown unless PLIMSOLL_DEBUG=1 asks for it", async () => {
    expect((await ran(["scan"], empty)).err).not.toMatch(/\n\s+at /);
    expect((await ran(["scan"], { ...empty, PLIMSOLL_DEBUG: "1" })).err).toMatch(/\n\s+at /);
  });
});

describe("writing a file", () => {
  let room = "";
  beforeAll(async () => {
    room = await mkdtemp(join(tmpdir(), "plimsoll-output-"));
  });
  afterAll(() => rm(room, { recursive: true, force: true }));

  test("a place that cannot be written is refused before anything is read", async () => {
    await expect(checkOutput(join(room, "no/such/report.html"))).rejects.toMatchObject({ code: "output_unwritable" });
    const { code, err } = await ran(["scan", "--output", join(room, "no/such/report.html")]);
    expect(code).toBe(1);
    expect(err).toContain("the folder does not exist");
    await expect(checkOutput(room)).rejects.toThrow("it is a folder");
    await expect(writeOutput(room, "x")).rejects.toThrow("it is a folder");
    await expect(checkOutput("/dev/null")).resolves.toBeUndefined();
  });

  test("a link is followed, and a device is written to, never replaced", async () => {
    const real = join(room, "real.txt");
    await writeFile(real, "old");
    await symlink(real, join(room, "link.txt"));
    await writeOutput(join(room, "link.txt"), "new");
    expect(await readFile(real, "utf8")).toBe("new");
    await writeOutput("/dev/null", "gone");
    expect(await readFile("/dev/null", "utf8")).toBe("");
  });
});
