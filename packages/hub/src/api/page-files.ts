import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import { PlimsollError } from "@plimsoll/contracts";
import type { FastifyInstance } from "fastify";
import { nothingThere } from "./nothing-there.ts";

/** Files whose name changes with their content: they may be kept for ever. */
const IMMUTABLE = /^assets\//;
/** Addresses that are never a view of the page. Below a view a dot is part of a name: `clusters/edge.v2`. */
const NO_VIEW = /^(api|assets)(\/|$)|^[^/]*\.[A-Za-z0-9]+$|(^|\/)\.\.(\/|$)/;

/**
 * Serves the page: its files, and `index.html` for every address that is a view of it. Without a folder, or one without an
 * `index.html`, they say how to get a page.
 */
export async function addPage(app: FastifyInstance, folder: string | null): Promise<void> {
  const files = folder === null ? new Set<string>() : filesBelow(folder);
  const config = { access: { verb: "read", noun: "page" } } as const;
  if (folder !== null) await app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false });
  app.get<{ Params: { "*": string } }>("/*", { config }, async (request, reply) => {
    const path = request.params["*"];
    if (files.has(path)) {
      const kept = IMMUTABLE.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
      return reply.header("cache-control", kept).sendFile(path);
    }
    if (NO_VIEW.test(path)) throw nothingThere(app.routeList, request, reply);
    if (!files.has("index.html")) throw new PlimsollError("page_missing");
    return reply.header("cache-control", "no-cache").sendFile("index.html");
  });
}

function filesBelow(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return new Set(paths.map((path) => path.split(sep).join("/")));
}
