/** `plimsoll dump` as a process against real clusters, and a scan of what it wrote. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pick } from "../oracle/fleet-figures.ts";
import { type CliAnswer, runCli } from "../scan/run-cli.ts";
import { contextOf, deadContext, type Fleet, sharedFleet, writeKubeconfig } from "../testbed/index.ts";

const room = mkdtempSync(join(tmpdir(), "plimsoll-dump-"));
const kubeconfig = join(room, "config");
const plain = join(room, "plain");
const redacted = join(room, "redacted");
let fleet: Fleet;
let answer: CliAnswer;

beforeAll(async () => {
  fleet = await sharedFleet();
  writeKubeconfig(kubeconfig, [
    contextOf(fleet.cluster("eks-prod"), { name: "arn:aws:eks:eu-central-1:1:cluster/prod" }),
    contextOf(fleet.cluster("gke-staging"), { name: "staging" }),
    deadContext("dead"),
  ]);
  answer = await runCli(["dump", "--kubeconfig", kubeconfig, "--output", plain]);
  const readable = ["--context", "arn:aws:eks:eu-central-1:1:cluster/prod", "staging"];
  const args = ["dump", "--kubeconfig", kubeconfig, ...readable, "--output", redacted, "--redact"];
  expect(await runCli(args)).toMatchObject({ code: 0, stderr: "" });
});
afterAll(() => rmSync(room, { recursive: true, force: true }));

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
const scanned = async (args: readonly string[]) => JSON.parse((await runCli(["scan", ...args, "-o", "json"])).stdout);
const hourly = (report: unknown) => pick(report, "fleet", "cost", 0, "hourly", "total");
const requested = (report: unknown) => pick(report, "fleet", "resources", "cpu", "requested");

describe("a folder per cluster", () => {
  test("is printed, the one that could not be read is an error, and the exit code says partial", () => {
    expect(answer.code).toBe(4);
    expect(answer.stdout.trimEnd().split("\n").sort()).toEqual(
      ["arn-aws-eks-eu-central-1-1-cluster-prod", "staging"].map((name) => join(plain, name)),
    );
    expect(answer.stderr).toMatch(/^error cluster_unreachable: dead: .+\n {2}→ .+\n$/);
    expect(readdirSync(plain)).toHaveLength(2);
  });

  test("holds no Secret", () => {
    for (const text of filesIn(plain)) expect(text).not.toContain('"kind":"Secret"');
  });

  test("is not written over", async () => {
    const again = await runCli(["dump", "--kubeconfig", kubeconfig, "--context", "staging", "--output", plain]);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("the folder is not empty");
  });

  test("gives the report that its cluster gives; the folder of them gives the fleet's", async () => {
    const live = await scanned(["--kubeconfig", kubeconfig, "--context", "staging"]);
    const [fromOne, fromAll] = [
      await scanned(["--from-dump", join(plain, "staging")]),
      await scanned(["--from-dump", plain]),
    ];
    expect([hourly(fromOne), requested(fromOne)]).toEqual([hourly(live), requested(live)]);
    expect(pick(fromAll, "fleet", "clusters")).toBe(2);
  });
});

describe("a redacted dump", () => {
  test("has the same figures under other names", async () => {
    const [open, closed] = [await scanned(["--from-dump", plain]), await scanned(["--from-dump", redacted])];
    expect(requested(closed)).toEqual(requested(open));
    expect(pick(closed, "fleet", "nodes", "total")).toBe(pick(open, "fleet", "nodes", "total"));
    expect(Number(hourly(closed))).toBeCloseTo(Number(hourly(open)), 4);
  });

  test("shows no context, node or namespace of the clusters", async () => {
    expect(readdirSync(redacted).sort()).toEqual(["cluster-1", "cluster-2"]);
    const text = filesIn(redacted).join("\n");
    const nodes = (await fleet.cluster("eks-prod").kubectl(["get", "nodes", "-o", "name"])).trim().split("\n");
    // The virtual node is named as what its label "type" says, which is kept: rules read it.
    const names = ["arn:aws", ...nodes.map((line) => line.replace("node/", ""))].filter(
      (name) => name !== "virtual-kubelet",
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => text.includes(name))).toEqual([]);
  });
});
