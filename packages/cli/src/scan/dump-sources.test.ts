import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dumpSources } from "./dump-sources.ts";

let room = "";
beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), "plimsoll-dumps-"));
  for (const name of ["a/shop", "b/shop", "a/other"]) {
    await mkdir(join(room, name), { recursive: true });
    const namespace = { kind: "Namespace", apiVersion: "v1", metadata: { name: "x", uid: "u" } };
    await writeFile(join(room, name, "namespaces.json"), JSON.stringify(namespace));
  }
});
afterAll(() => rm(room, { recursive: true, force: true }));

test("a dump has the name of its folder, but its path where another has that name, a context too", async () => {
  const [one, two, other] = [join(room, "a/shop"), join(room, "b/shop"), join(room, "a/other")];
  const namesOf = async (paths: readonly string[], taken?: readonly string[]) => {
    const sources = await dumpSources(paths, taken);
    const facts = await Promise.all(sources.map((source) => source.read(new AbortController().signal, () => {})));
    return facts.map(({ name }) => name);
  };
  expect(await namesOf([one, other])).toEqual(["shop", "other"]);
  expect(await namesOf([one, two, other])).toEqual([one, two, "other"]);
  expect(await namesOf([one, other], ["shop"])).toEqual([one, "other"]);
  expect((await dumpSources(["shop"], ["shop"])).map(({ name }) => name)).toEqual(["./shop"]);
});
