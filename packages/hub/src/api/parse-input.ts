import { PlimsollError } from "@plimsoll/contracts";
import type { z } from "zod";

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Part = "path" | "query" | "body";

/**
 * A part of a request, parsed by its schema; null = it takes none. Throws `parameter_invalid` naming the first field at fault
 * with its value, `parameter_unknown` for a field that the schema does not name, `body_invalid` for a body that is no object.
 */
export function parseInput<S extends z.ZodObject | null>(part: Part, schema: S, value: unknown): Output<S>;
export function parseInput(part: Part, schema: z.ZodObject | null, value: unknown): unknown {
  const given = value ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    throw new PlimsollError("body_invalid", { reason: `it is no object but ${describe(given)}` });
  }
  refuseUnknown(schema, given);
  if (schema === null) return undefined;
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String) ?? [];
  throw new PlimsollError("parameter_invalid", {
    field: path.join(".") || part,
    value: describe(valueAt(given, path)),
    expected: expectation(issue),
  });
}

function refuseUnknown(schema: z.ZodObject | null, given: object): void {
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = known.find((key) => isNear(key, unknown));
  const suggestion = near === undefined ? "" : `; did you mean ${near}?`;
  throw new PlimsollError("parameter_unknown", { field: unknown.slice(0, 80), suggestion });
}

/** One letter too many, too few or changed, two swapped, or another case. */
function isNear(known: string, given: string): boolean {
  const [a, b] = [known.toLowerCase(), given.toLowerCase()];
  if (a === b || a.startsWith(b) || b.startsWith(a)) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 2;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (held, key) => (typeof held === "object" && held !== null ? Reflect.get(held, key) : undefined),
    value,
  );
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 80);
}

function expectation(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : article(issue.expected);
    case "too_small":
      return `${issue.origin === "string" ? "a length of " : ""}at least ${issue.minimum}`;
    case "too_big":
      return `${issue.origin === "string" ? "a length of " : ""}at most ${issue.maximum}`;
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    default:
      return issue?.message ?? "something else";
  }
}

function article(word: string): string {
  return /^[aeio]/.test(word) ? `an ${word}` : `a ${word}`;
}
