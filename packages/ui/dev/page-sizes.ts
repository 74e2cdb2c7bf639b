import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** The built page; missing until `npm run build:ui`. */
export const DIST = join(import.meta.dirname, "..", "dist");

const KIB = 1024;
const INITIAL_JS_LIMIT = 200 * KIB;
const CSS_LIMIT = 25 * KIB;
const CHUNK_LIMIT = 60 * KIB;

/** A part of the built page, gzipped, and what it may be at most, in bytes. */
export interface PartSize {
  readonly name: string;
  readonly bytes: number;
  readonly limit: number;
}

/** Scripts that the page loads before it shows anything, its style sheets, and each script that a view adds. */
export function pageSizes(dist = DIST): PartSize[] {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const sizeOf = (file: string) => gzipSync(readFileSync(join(dist, file))).length;
  const files = [...readdirSync(join(dist, "assets")).map((file) => `assets/${file}`)];
  const initial = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file ?? "");
  const total = (list: readonly string[]) => list.reduce((sum, file) => sum + sizeOf(file), 0);
  return [
    { name: "initial JavaScript", bytes: total(initial), limit: INITIAL_JS_LIMIT },
    { name: "CSS", bytes: total(files.filter((file) => file.endsWith(".css"))), limit: CSS_LIMIT },
    ...files
      .filter((file) => file.endsWith(".js") && !initial.includes(file))
      .map((file) => ({ name: file, bytes: sizeOf(file), limit: CHUNK_LIMIT })),
  ];
}

/** The parts that are larger than they may be. */
export function tooLarge(sizes: readonly PartSize[]): PartSize[] {
  return sizes.filter(({ bytes, limit }) => bytes > limit);
}
