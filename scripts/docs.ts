/**
 * Writes the reference pages that are generated from code, or with `--verify` fails when one is out of date.
 * `npm run update:docs` / `npm run check:docs`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { errorReference } from "./error-reference.ts";
import { findingReference } from "./finding-reference.ts";
import { metricReference } from "./metric-reference.ts";
import { rolesReference } from "./roles-reference.ts";

const PAGES: Readonly<Record<string, () => string>> = {
  "docs/reference/errors.md": errorReference,
  "docs/reference/findings.md": findingReference,
  "docs/reference/roles.md": rolesReference,
  "docs/reference/metrics.md": metricReference,
};

const verify = process.argv.includes("--verify");
for (const [path, render] of Object.entries(PAGES)) {
  const wanted = render();
  if (!verify) writeFileSync(path, wanted);
  else if (read(path) !== wanted) {
    console.error(`${path} is out of date; run: npm run update:docs`);
    process.exitCode = 1;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
