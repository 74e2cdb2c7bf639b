import { FieldReader } from "../projection/field-reader.ts";

/** One line of a watch, as the API server sends it. */
export type RawWatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: unknown; readonly resourceVersion: string }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string }
  | { readonly type: "ERROR"; readonly status: number; readonly message: string; readonly retryAfterMs?: number }
  | { readonly type: "unknown" };

/** Parses one line. Throws object_unusable, or a SyntaxError when it is no JSON. */
export function parseWatchEvent(line: string, what: string): RawWatchEvent {
  const where = `a watch event of ${what}`;
  const raw: unknown = JSON.parse(line);
  const event = new FieldReader(raw, where);
  const type = event.text("type");
  const object = event.object("object");
  if (type === "ERROR") return parseError(object);
  const resourceVersion = object.object("metadata").optionalText("resourceVersion") ?? "";
  if (type === "BOOKMARK") return { type, resourceVersion };
  if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") return { type: "unknown" };
  return { type, resourceVersion, object: objectOf(raw) };
}

function objectOf(raw: unknown): unknown {
  return typeof raw === "object" && raw !== null && "object" in raw ? raw.object : undefined;
}

function parseError(status: FieldReader): RawWatchEvent {
  const seconds = status.optionalObject("details")?.optionalNumber("retryAfterSeconds");
  return {
    type: "ERROR",
    status: status.optionalNumber("code") ?? 0,
    message: status.optionalText("message") ?? "no reason given",
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
  };
}
