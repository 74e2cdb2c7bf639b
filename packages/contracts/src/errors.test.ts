import { expect, test } from "vitest";
import { ERROR_TABLE } from "./error-table.ts";
import { PlimsollError, reportError } from "./errors.ts";

test("message and remedy name the field and the value", () => {
  const error = new PlimsollError("quantity_invalid", { field: "spec.cpu", value: "1 Gi" });
  expect(error.message).toBe('spec.cpu is "1 Gi", which is no Kubernetes quantity');
  expect(reportError(error)).toEqual({ code: "quantity_invalid", message: error.message, remedy: error.remedy });
});

test("a defect is reported without its stack", () => {
  const reported = reportError(new TypeError("x is not a function"));
  expect(reported.code).toBe("internal");
  expect(JSON.stringify(reported)).not.toContain("errors.test");
});

test.each(Object.entries(ERROR_TABLE))("%s says what to do and never asks a closed door again", (_, entry) => {
  expect(entry.remedy.length).toBeGreaterThan(10);
  // 408 and above may change by themselves; what is below is refused again.
  if (entry.retryable) expect(Number(entry.status)).toBeGreaterThanOrEqual(408);
});
