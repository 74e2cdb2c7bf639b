import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { textWidth } from "../../format/text-width.ts";
import { reportOf, sampleReport } from "../sample-report.ts";
import { renderTable } from "./table.ts";

const plain = { width: undefined, colours: false, wide: false };
const table = (width: number | undefined) => renderTable(sampleReport(), { ...plain, width });
const firstBlock = (text: string) => (text.split("\n\n")[0] ?? "").split("\n");

describe("the table", () => {
  test.each([
    ["80 columns", 80],
    ["110 columns", 110],
    ["160 columns", 160],
    ["a pipe", undefined],
  ])("in %s is the golden one", async (_, width) => {
    await expect(table(width)).toMatchFileSnapshot(`../testdata/table-${width ?? "pipe"}.txt`);
  });

  test("-o wide is the golden one", async () => {
    await expect(renderTable(sampleReport(), { ...plain, wide: true })).toMatchFileSnapshot("../testdata/wide.txt");
  });

  test.each([80, 100, 120, 140, 200])("no line is longer than %s columns, but for words that are", (width) => {
    for (const line of table(width).split("\n")) {
      const longestWord = Math.max(...line.split(" ").map(textWidth));
      expect(textWidth(line)).toBeLessThanOrEqual(Math.max(width, longestWord + 8));
    }
  });

  test("a long name is cut where the terminal is narrow, and whole in a pipe", () => {
    const name = `arn-aws-eks-eu-central-1-${"x".repeat(60)}`;
    const [first] = sampleReport().clusters;
    if (!first) throw new Error("the sample has clusters");
    const report = reportOf([{ ...first, inventory: { ...first.inventory, cluster_name: name } }]);
    const narrow = firstBlock(renderTable(report, { ...plain, width: 80 }));
    for (const line of narrow) expect(textWidth(line)).toBeLessThanOrEqual(80);
    expect(narrow[1]).toContain("…");
    expect(renderTable(report, plain)).toContain(name);
  });

  test("wide characters keep the columns in line", () => {
    const at = (line: string | undefined) => textWidth((line ?? "").split(/ACK|EKS/)[0] ?? "");
    const [, first, , third] = firstBlock(table(80));
    expect(at(third)).toBe(at(first));
  });

  test("unknown is a dash, never zero, and an unread cluster says so in its row", () => {
    const row = firstBlock(table(undefined)).find((line) => line.startsWith("edge-7"));
    expect(row).toMatch(/^edge-7 +(– +)+✗ cluster_unreachable$/u);
  });

  test("nodes by state are told below where they do not fit into the row", () => {
    expect(table(80)).toContain("prod-eu-1: 1 not ready, 1 cordoned");
    expect(table(160)).toContain("12 (10 ready, 1 not ready, 1 cordoned)");
    expect(table(160)).not.toContain("Nodes out of service");
  });

  test("what could not be read has its code and remedy, in a pipe on one line each", () => {
    expect(table(undefined)).toContain(
      "  ✗ edge-7: https://203.0.113.7:6443 does not answer: connection refused [cluster_unreachable]\n    → Check the address",
    );
  });

  test("amounts of different currencies are not added and carry their code", () => {
    const report = sampleReport();
    const cost = report.fleet.cost.flatMap((one) => [one, { ...one, currency: "CNY" }]);
    const text = renderTable({ ...report, fleet: { ...report.fleet, cost } }, plain);
    expect(text).toContain("USD 16.96");
    expect(text).toContain("see below");
    expect(text).toContain("Cost of nodes: CNY 17.54 per hour");
  });

  test("colour says nothing that the text does not", () => {
    const colours = renderTable(sampleReport(), { width: 120, colours: true, wide: false });
    expect(colours).toContain("\u001b[31m");
    expect(stripVTControlCharacters(colours)).toBe(table(120));
  });

  test("a name from a cluster cannot send control sequences to the terminal", () => {
    const report = sampleReport();
    const text = renderTable(
      {
        ...report,
        clusters: report.clusters.map((cluster) => ({
          ...cluster,
          inventory: { ...cluster.inventory, cluster_name: "evil\u001b]0;owned\u0007\u001b[2J" },
        })),
        errors: report.errors.map((error) => ({ ...error, message: "\u001b[2Jgone\nforged line" })),
      },
      plain,
    );
    expect(text).not.toContain("\u001b");
    expect(text).not.toContain("\u0007");
    expect(text).not.toContain("\nforged line");
  });
});

test("only ten kinds of findings are listed, the rest counted", () => {
  const [first] = sampleReport().clusters;
  if (!first) throw new Error("the sample has clusters");
  const findings = Array.from({ length: 25 }, (_, index) => ({
    code: `code_${index % 13}`,
    severity: "warning" as const,
    object: `Node/n${index}`,
    message: "is odd",
    remedy: "look",
  }));
  const text = renderTable(reportOf([{ ...first, findings }]), plain);
  expect(text.match(/→ look/g)).toHaveLength(10);
  expect(text).toContain("Node/n0: is odd (and 1 more) [code_0]");
  expect(text).toContain("… 3 more kinds: see -o html or -o json");
});

test("only ten old clusters are named, the rest counted", () => {
  const [first] = sampleReport().clusters;
  if (!first) throw new Error("the sample has clusters");
  const old = { ...first, inventory: { ...first.inventory, observed_at: "2026-01-01T00:00:00Z" } };
  const text = renderTable(reportOf(Array.from({ length: 210 }, () => old)), plain);
  expect(/; older: (.*)\. – is unknown/.exec(text)?.[1]).toMatch(/^([^,]+, ){9}[^,]+ and 200 more$/);
});
