import { expect, test } from "vitest";
import { createManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { HelloBudget } from "./hello-budget.ts";

test("a cluster may connect ten times at once, then once in three seconds; others are not touched", () => {
  const clock = createManualClock();
  const budget = new HelloBudget(clock);
  for (let hello = 0; hello < 10; hello += 1) expect(budget.take("a")).toBe(0);
  expect(budget.take("a")).toBe(3_000);
  expect(budget.take("b")).toBe(0);
  clock.advance(1_000);
  expect(budget.take("a")).toBe(2_000);
  clock.advance(2_000);
  expect(budget.take("a")).toBe(0);
  expect(budget.take("a")).toBe(3_000);
  clock.advance(60_000);
  for (let hello = 0; hello < 10; hello += 1) expect(budget.take("a")).toBe(0);
  expect(budget.take("a")).toBe(3_000);
});
