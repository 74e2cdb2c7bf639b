import { PlimsollError } from "@plimsoll/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "./endpoint.ts";

/** Why a request met no route: its path is none (`route_unknown`), or takes other methods, which the answer then names. */
export function nothingThere(
  endpoints: readonly Endpoint[],
  request: FastifyRequest,
  reply: FastifyReply,
): PlimsollError {
  const path = (request.url.split("?")[0] ?? "").slice(0, 200);
  const allowed = allowedMethods(endpoints, path);
  if (allowed.length === 0) return new PlimsollError("route_unknown", { method: request.method, path });
  reply.header("allow", allowed.join(", "));
  return new PlimsollError("method_unsupported", { path, method: request.method, allowed: allowed.join(", ") });
}

function allowedMethods(endpoints: readonly Endpoint[], path: string): readonly string[] {
  const parts = path.split("/");
  const methods = endpoints.filter((each) => matches(each.path.split("/"), parts)).map(({ method }) => method);
  return [...new Set(methods)].sort();
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((part, index) => (part.startsWith(":") ? parts[index] !== "" : part === parts[index]));
}
