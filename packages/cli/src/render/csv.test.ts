import { describe, expect, test } from "vitest";
import { renderCsv } from "./csv.ts";
import { csvCell } from "./csv-cell.ts";
import { reportOf, sampleInventory, sampleReport } from "./sample-report.ts";

describe("a cell", () => {
  test.each([
    [null, ""],
    ["plain", "plain"],
    [0, "0"],
    [9_007_199_254_740_993n, "9007199254740993"],
    [false, "false"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["a\u001b[2J\u202e", "a\ufffd[2J\ufffd"],
    ["-1.5", "-1.5"],
    ["=1+1", "'=1+1"],
    ["+cmd", "'+cmd"],
    ["-prod", "'-prod"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["＝1", "'＝1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])("%s is written as %s", (value, text) => expect(csvCell(value)).toBe(text));
});

const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

describe("the file", () => {
  test("is the golden one", async () => {
    await expect(renderCsv(sampleReport())).toMatchFileSnapshot("testdata/sample.csv");
  });

  test("has the inventory record's fields first, under their names, then figures with their units", () => {
    const [header = []] = rowsOf(renderCsv(sampleReport()));
    const fields = Object.keys(sampleInventory({ cluster_name: "any" }));
    expect(header.slice(0, fields.length).sort()).toEqual([...fields].sort());
    expect(header).toEqual(
      expect.arrayContaining(["cpu_requested_millicores", "memory_used_bytes", "cost_hourly_idle"]),
    );
    expect(new Set(header).size).toBe(header.length);
    for (const name of header) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });

  test("has one row of the same length per cluster, CRLF and no byte order mark", () => {
    const clusters = sampleReport().clusters.filter((cluster) => cluster.cost === null);
    const text = renderCsv(reportOf(clusters));
    const rows = rowsOf(text);
    expect(rows).toHaveLength(1 + clusters.length);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    expect(text.charCodeAt(0)).toBe("c".charCodeAt(0));
    expect(text.endsWith("\r\n")).toBe(true);
  });

  test("names each code of a cluster's errors once", () => {
    const report = sampleReport();
    const text = renderCsv({ ...report, errors: [...report.errors, ...report.errors] });
    expect(text).toBe(renderCsv(report));
  });

  test("leaves unknown figures empty, never zero", () => {
    const unread = sampleReport().clusters.filter(
      (cluster) => cluster.capacity === null && cluster.inventory.fingerprint === null,
    );
    const [header = [], row = []] = rowsOf(renderCsv(reportOf(unread)));
    const cell = (name: string) => row[header.indexOf(name)];
    for (const name of [
      "node_count",
      "cpu_requested_millicores",
      "cpu_used_percent",
      "nodes_schedulable",
      "cost_hourly_total",
    ]) {
      expect(cell(name), name).toBe("");
    }
    expect(cell("findings_critical")).toBe("0");
  });
});
