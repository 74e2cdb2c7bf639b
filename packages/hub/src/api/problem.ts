import { STATUS_CODES } from "node:http";
import { ERROR_TABLE, PlimsollError } from "@plimsoll/contracts";
import type { Problem } from "@plimsoll/contracts/rest";
import type { z } from "zod";

/** Media type of an answer that says what went wrong (RFC 9457). */
export const PROBLEM_JSON = "application/problem+json; charset=utf-8";

/**
 * Any thrown value as a problem of the error table. What is no `PlimsollError` is a defect: it shows its request id, by
 * which the log has the rest, and nothing of its inside.
 */
export function toProblem(thrown: unknown, requestId: string): z.infer<typeof Problem> {
  const error =
    thrown instanceof PlimsollError ? thrown : new PlimsollError("internal", { reason: `see request ${requestId}` });
  const { status } = ERROR_TABLE[error.code];
  const field = error.fields.field;
  return {
    type: `https://plimsoll.dev/errors#${error.code}`,
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: error.message,
    code: error.code,
    remedy: error.remedy,
    requestId,
    ...(field !== undefined && { field: String(field) }),
  };
}
