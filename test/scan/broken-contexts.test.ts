/** One kubeconfig with good and bad contexts: every one is a row, with code and remedy, and none delays the others. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pick } from "../oracle/fleet-figures.ts";
import { contextOf, deadContext, sharedFleet, silentContext, writeKubeconfig } from "../testbed/index.ts";
import { type CliAnswer, runCli } from "./run-cli.ts";

const DEADLINE_SECONDS = 8;
const room = mkdtempSync(join(tmpdir(), "plimsoll-contexts-"));
const kubeconfig = join(room, "config");
let answer: CliAnswer;
let report: unknown;
let silent: Awaited<ReturnType<typeof silentContext>>;

beforeAll(async () => {
  const fleet = await sharedFleet();
  const good = fleet.cluster("self-built");
  silent = await silentContext("silent");
  writeKubeconfig(kubeconfig, [
    contextOf(good, { name: "good" }),
    deadContext("dead"),
    silent,
    contextOf(fleet.cluster("eks-prod"), { name: "expired", token: "expired" }),
    contextOf(fleet.cluster("gke-staging"), { name: "no-nodes", token: "withoutNodes" }),
    contextOf(good, { name: "unknown-token", token: "invalid" }),
  ]);
  answer = await runCli(["scan", "--kubeconfig", kubeconfig, "--timeout", String(DEADLINE_SECONDS), "-o", "json"]);
  report = JSON.parse(answer.stdout);
});
afterAll(async () => {
  await silent?.close();
  rmSync(room, { recursive: true, force: true });
});

const rows = (field: string) => {
  const value = pick(report, field);
  return Array.isArray(value) ? value : [];
};
const row = (name: string) => rows("clusters").find((one) => pick(one, "inventory", "cluster_name") === name);
const errorsOf = (name: string) => rows("errors").filter((one) => pick(one, "cluster") === name);

test("the answer is partial: exit code 4, and no stack trace anywhere", () => {
  expect(answer.code).toBe(4);
  expect(answer.stderr + answer.stdout).not.toMatch(/\n\s+at .+:\d+/);
});

test("the whole takes no longer than the slowest deadline", () => {
  // Start of the process and the report come on top; two deadlines one after the other would not fit.
  expect(answer.milliseconds).toBeLessThan(DEADLINE_SECONDS * 1000 + 6000);
});

test("every context is a row", () => {
  const names = rows("clusters").map((one) => pick(one, "inventory", "cluster_name"));
  expect(names.sort()).toEqual(["dead", "expired", "good", "no-nodes", "silent", "unknown-token"]);
});

describe.each([
  ["dead", "cluster_unreachable"],
  ["silent", "cluster_timeout"],
  ["expired", "cluster_unauthorized"],
  ["unknown-token", "cluster_unauthorized"],
])("context %s", (name, code) => {
  test(`says ${code} with a remedy, and its figures are unknown`, () => {
    expect(errorsOf(name).map((one) => pick(one, "code"))).toContain(code);
    for (const error of errorsOf(name)) expect(String(pick(error, "remedy")).length).toBeGreaterThan(10);
    expect(pick(row(name), "capacity")).toBeNull();
    expect(pick(row(name), "cost")).toBeNull();
    expect(pick(row(name), "inventory", "health_status")).toBe("unknown");
    expect(pick(row(name), "inventory", "node_count")).toBeNull();
  });
});

test("without rights on nodes capacity and cost are unknown, and what can be read is there", () => {
  expect(errorsOf("no-nodes").map((one) => pick(one, "code"))).toContain("cluster_forbidden");
  expect(pick(row("no-nodes"), "capacity")).toBeNull();
  expect(pick(row("no-nodes"), "cost")).toBeNull();
  expect(pick(row("no-nodes"), "inventory", "k8s_version")).toBe("v1.33.5-gke.1700");
  expect(pick(row("no-nodes"), "inventory", "fingerprint")).toMatch(/^[0-9a-f-]{36}$/);
  expect(pick(row("no-nodes"), "inventory", "node_count")).toBeNull();
});

test("the good cluster has all its figures", () => {
  expect(errorsOf("good")).toEqual([]);
  expect(Number(pick(row("good"), "cost", "hourly", "total"))).toBeGreaterThan(0);
});

test("the table names each failure with its remedy", async () => {
  const table = await runCli(["scan", "--kubeconfig", kubeconfig, "--timeout", "4"]);
  expect(table.code).toBe(4);
  for (const code of ["cluster_unreachable", "cluster_timeout", "cluster_unauthorized", "cluster_forbidden"])
    expect(table.stdout).toContain(code);
  expect(table.stdout).toContain("auth whoami");
  expect(table.stderr).toBe("");
});
