import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
/** As strict as a hub may be: nothing from elsewhere, no code from text. */
const CONTENT_POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/** Answers with a file of the page built in `folder`, or with the page itself for an address of one of its views. */
export async function servePage(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = extname(path) === "" ? "index.html" : normalize(path).replace(/^(\.\.[/\\])+/, "");
  const bytes = await readFile(join(folder, file)).catch(() => null);
  if (bytes === null) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "content-security-policy": CONTENT_POLICY,
    "cache-control": "no-store",
  });
  response.end(bytes);
}
