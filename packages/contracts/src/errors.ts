import { ERROR_TABLE, type ErrorCode, type ErrorEntry } from "./error-table.ts";

/** Values for the `{name}` places of an error's message and remedy: always the field and the offending value. */
export type ErrorFields = Readonly<Record<string, string | number>>;

/** An error as people and tools see it: no stack, nothing secret. */
export interface ReportedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
}

/** The one error class: a code of the table with its fields. Anything else that is thrown is a defect (`internal`). */
export class PlimsollError extends Error {
  readonly code: ErrorCode;
  readonly fields: ErrorFields;
  readonly remedy: string;

  constructor(code: ErrorCode, fields: ErrorFields = {}, options?: { cause?: unknown }) {
    const entry: ErrorEntry = ERROR_TABLE[code];
    super(fillTemplate(entry.message, fields), options);
    this.name = "PlimsollError";
    this.code = code;
    this.fields = fields;
    this.remedy = fillTemplate(entry.remedy, fields);
  }

  get retryable(): boolean {
    return ERROR_TABLE[this.code].retryable;
  }
}

/** Any thrown value as a reported error; what is not ours becomes `internal` with its message only. */
export function reportError(thrown: unknown): ReportedError {
  const error =
    thrown instanceof PlimsollError
      ? thrown
      : new PlimsollError("internal", { reason: thrown instanceof Error ? thrown.message : String(thrown) });
  return { code: error.code, message: error.message, remedy: error.remedy };
}

/** A message of a table with its `{name}` places filled; a place without a field shows its name. */
export function fillTemplate(template: string, fields: ErrorFields): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(fields[name] ?? name));
}
