import { expect, test } from "vitest";
import { coveredText, isPartial, lossCell, lossText } from "./coverage.ts";

const coverage = (fraction: number | null, lost: Readonly<Record<string, number>> = {}) => ({
  fraction,
  coveredMs: 0,
  expectedMs: 0,
  reasons: Object.entries(lost).map(([reason, share]) => ({ reason, lostMs: 1, fraction: share })),
});

test.each([
  [1, "100%", false],
  [0.999999, "99.9%", true],
  [0.289, "28.9%", true],
  [0, "0.0%", true],
  [null, "–", true],
])("a coverage of %s is %s: only what is whole is 100%%, and what is unknown is neither", (fraction, text, partial) => {
  expect([coveredText(coverage(fraction)), isPartial(coverage(fraction))]).toEqual([text, partial]);
});

test("reasons are words, each with its share, never rounded to nothing; as a cell they are exact", () => {
  const lost = coverage(0.9, { agent_down: 0.06, pending: 0.04, of_a_later_release: 0.000001 });
  expect(lossText(lost)).toBe("agent down 6.0%, on its way 4.0%, of a later release <0.1%");
  expect(lossCell(lost)).toBe("agent_down=0.06;pending=0.04;of_a_later_release=0.000001");
  expect([lossText(coverage(1)), lossCell(coverage(1))]).toEqual(["", ""]);
});
