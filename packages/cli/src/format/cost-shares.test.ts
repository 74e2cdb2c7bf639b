import { describe, expect, test } from "vitest";
import { renderHtml } from "../render/html/page.ts";
import { sampleReport } from "../render/sample-report.ts";
import { costLines } from "../render/table/table-notes.ts";
import { costShares, hourlyShares } from "./cost-shares.ts";

describe("shares of a cost", () => {
  test.each<{ name: string; parts: string[]; whole: string; shares: string[] }>([
    { name: "add up to 100", parts: ["52.6", "45.8", "1.6"], whole: "100", shares: ["53%", "46%", "1%"] },
    { name: "of thirds are one apart", parts: ["1", "1", "1"], whole: "3", shares: ["34%", "33%", "33%"] },
    { name: "below one stay <1%", parts: ["0.6", "99.4"], whole: "100", shares: ["<1%", "99%"] },
    { name: "of nothing are 0%", parts: ["0", "2"], whole: "2", shares: ["0%", "100%"] },
    { name: "of a part alone are not 100", parts: ["1"], whole: "3", shares: ["33%"] },
    { name: "of no whole are nothing", parts: ["0"], whole: "0", shares: [""] },
  ])("$name", ({ parts, whole, shares }) => expect(costShares(parts, whole)).toEqual(shares));

  test("stand in the table's cost line and the page, and are the same there", () => {
    const hourly = { total: "100", workloads: "52.6", idle: "45.8", system: "1.6" };
    const report = sampleReport();
    const [cost] = report.fleet.cost;
    if (cost === undefined) throw new Error("the sample has a cost");
    const changed = { ...report, fleet: { ...report.fleet, cost: [{ ...cost, hourly }] } };
    expect(hourlyShares(hourly)).toEqual({ workloads: "53%", idle: "46%", system: "1%" });
    expect(costLines(changed)[0]).toContain("idle 45.80 (46%)");
    expect(renderHtml(changed)).toMatch(/53%<\/span>[\s\S]*?46%<\/span>[\s\S]*?1%<\/span>/);
  });
});
