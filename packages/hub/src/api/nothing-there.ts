import { PlimsollError } from "@plimsoll/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "./endpoint.ts";

/** A route as it was added. */
export interface AddedRoute {
  readonly method: string;
  /** The pattern: `/api/v1/clusters/:cluster`. */
  readonly url: string;
  readonly access: Access;
}

/** Why a request met no route: its path is none (`route_unknown`), or takes other methods, which the answer then names. */
export function nothingThere(
  routes: readonly AddedRoute[],
  request: FastifyRequest,
  reply: FastifyReply,
): PlimsollError {
  const { method } = request;
  const path = (request.url.split("?")[0] ?? "").slice(0, 200);
  const allowed = allowedMethods(routes, path);
  // A path that takes the method and met no route all the same names nothing: it is too long, say.
  if (allowed.length === 0 || allowed.includes(method)) return new PlimsollError("route_unknown", { method, path });
  reply.header("allow", allowed.join(", "));
  return new PlimsollError("method_unsupported", { path, method, allowed: allowed.join(", ") });
}

function allowedMethods(routes: readonly AddedRoute[], path: string): readonly string[] {
  const parts = path.split("/");
  const found = routes.filter(({ url, method }) => method !== "HEAD" && matches(url.split("/"), parts));
  return [...new Set(found.map(({ method }) => method))].sort();
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((part, index) => (part.startsWith(":") ? parts[index] !== "" : part === parts[index]));
}
