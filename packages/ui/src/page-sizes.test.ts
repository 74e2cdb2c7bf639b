import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { pageSizes, tooLarge } from "../dev/page-sizes.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-page-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Text that gzip cannot shrink below about `kib`. */
const bulk = (kib: number) =>
  Buffer.from(Array.from({ length: kib * 1024 }, (_, i) => (i * i * 31 + (i >> 3)) % 251)).toString("base64");

describe("the page's budget", () => {
  it("counts the scripts that the first view waits for, not those that a view adds", () => {
    mkdirSync(join(folder, "assets"), { recursive: true });
    writeFileSync(join(folder, "index.html"), '<script src="/assets/a.js"></script><link href="/assets/b.js">');
    for (const name of ["a.js", "b.js", "view.js", "x.css"])
      writeFileSync(join(folder, "assets", name), name.repeat(9));
    expect(pageSizes(folder).map(({ name }) => name)).toEqual(["initial JavaScript", "CSS", "assets/view.js"]);
    expect(tooLarge(pageSizes(folder))).toEqual([]);
  });

  it("is broken by one part that is too large", () => {
    mkdirSync(join(folder, "assets"), { recursive: true });
    writeFileSync(join(folder, "index.html"), "");
    writeFileSync(
      join(folder, "assets", "x.css"),
      Array.from({ length: 40_000 }, (_, i) => `.c${Math.imul(i, 2654435761) >>> 0}{}`).join(""),
    );
    writeFileSync(join(folder, "assets", "small.js"), bulk(1));
    expect(tooLarge(pageSizes(folder)).map(({ name }) => name)).toEqual(["CSS"]);
  });
});
