import type { Endpoint } from "./endpoint.ts";

/** Methods that the routes at this very path take; none = there is no such path. */
export function allowedMethods(endpoints: readonly Endpoint[], path: string): readonly string[] {
  const parts = path.replace(/(?<=.)\/$/, "").split("/");
  const methods = endpoints.filter((each) => matches(each.path.split("/"), parts)).map(({ method }) => method);
  return [...new Set(methods)].sort();
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((part, index) => (part.startsWith(":") ? parts[index] !== "" : part === parts[index]));
}
