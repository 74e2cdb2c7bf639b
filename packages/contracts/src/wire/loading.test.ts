import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

test("what only needs types and units loads neither protobuf nor Snappy", () => {
  const imports = new Set<string>();
  const visit = (file: string): void => {
    if (imports.has(file)) return;
    imports.add(file);
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export)[^;]*? from "([^"]+)"/gm)) {
      if (target.startsWith(".")) visit(join(dirname(file), target));
      else imports.add(target);
    }
  };
  visit(join(import.meta.dirname, "../index.ts"));
  expect([...imports].filter((name) => !name.startsWith("/"))).toEqual([]);
  expect([...imports].filter((name) => name.includes("/gen/"))).toEqual([]);
});
