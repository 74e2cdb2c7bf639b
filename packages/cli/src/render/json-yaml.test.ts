import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderJson } from "./json.ts";
import { sampleReport } from "./sample-report.ts";
import { renderYaml } from "./yaml.ts";

const BEYOND_DOUBLE = 9_007_199_254_740_993n;

function withCapacity(capacity: bigint) {
  const report = sampleReport();
  const [first] = report.clusters;
  const memory = first?.capacity?.resources.memory;
  if (!first?.capacity || !memory) throw new Error("the sample has memory");
  const resources = { ...first.capacity.resources, memory: { ...memory, capacity } };
  return sampleReport({ clusters: [{ ...first, capacity: { ...first.capacity, resources } }] });
}

describe("JSON", () => {
  test("quantities beyond 2^53 come out digit for digit, as numbers", () => {
    expect(renderJson(withCapacity(BEYOND_DOUBLE))).toContain('"capacity": 9007199254740993,');
    expect(renderJson(withCapacity(10n ** 30n))).toContain(`"capacity": ${10n ** 30n},`);
  });

  test("the structure is the report's own: nulls stay, money is text", () => {
    const report = sampleReport();
    const plain = JSON.parse(JSON.stringify(report, (_, value) => (typeof value === "bigint" ? Number(value) : value)));
    expect(JSON.parse(renderJson(report))).toEqual(plain);
    expect(renderJson(report)).toContain('"total": "16.958016"');
    expect(renderJson(report).endsWith("}\n")).toBe(true);
  });
});

describe("YAML", () => {
  test("reads back as what JSON says", () => {
    const report = sampleReport();
    expect(parse(renderYaml(report))).toEqual(JSON.parse(renderJson(report)));
  });

  test("quantities beyond 2^53 keep their digits", () => {
    const text = renderYaml(withCapacity(BEYOND_DOUBLE));
    expect(text).toContain("capacity: 9007199254740993\n");
    expect(parse(text, { intAsBigInt: true }).clusters[0].capacity.resources.memory.capacity).toBe(BEYOND_DOUBLE);
  });

  test("texts that older readers take for something else are quoted, and nothing is an alias", () => {
    const report = sampleReport();
    const error = { cluster: "no", code: "internal", message: "yes", remedy: "0755" } as const;
    const text = renderYaml({ ...report, errors: [error, error] });
    expect(text).toContain('cluster: "no"');
    expect(text).toContain('message: "yes"');
    expect(text).toContain('remedy: "0755"');
    expect(text).not.toMatch(/[&*]a\d/);
  });
});
