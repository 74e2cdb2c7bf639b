import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

/** An API without metrics.k8s.io, and with nothing in its lists. */
const server = createServer((request, response) => {
  asked += 1;
  const items = lists[request.url?.split("?")[0] ?? ""] ?? [];
  const isMetrics = request.url?.includes("metrics.k8s.io") ?? false;
  const body = request.url === "/version" ? { gitVersion: "v1.34.1" } : { metadata: {}, items };
  response.writeHead(isMetrics ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
});
let asked = 0;
let room = "";
let lists: Readonly<Record<string, readonly object[]>> = {};

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), "plimsoll-dump-"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const config = {
    contexts: [{ name: "small", context: { cluster: "small", user: "" } }],
    clusters: [{ name: "small", cluster: { server: `http://127.0.0.1:${address.port}` } }],
  };
  await writeFile(join(room, "config"), JSON.stringify(config));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(room, { recursive: true, force: true });
});
beforeEach(() => {
  asked = 0;
  lists = {};
});

async function dumped(output: string) {
  const { terminal, out, err } = testingTerminal();
  const args = ["dump", "--kubeconfig", join(room, "config"), "--output", output];
  const code = await run(args, { terminal, signal: new AbortController().signal, stopsCleanly: () => {} });
  return { code, out: out(), err: err() };
}

describe("a dump", () => {
  test("of a cluster without metrics-server is whole: what is not there was not missed", async () => {
    const output = join(room, "dumps");
    expect(await dumped(output)).toEqual({ code: 0, out: `${join(output, "small")}\n`, err: "" });
    expect(await readdir(join(output, "small"))).toContain("manifest.json");
  });

  test("of a cluster with an object that cannot be used says so, and so does a scan of it", async () => {
    const node = { metadata: { name: "n", uid: "n" }, spec: {}, status: { allocatable: { cpu: "4" } } };
    const pod = { metadata: { name: "b", namespace: "shop", uid: "b" }, spec: {} };
    lists = { "/api/v1/nodes": [node], "/api/v1/pods": [pod] };
    const output = join(room, "partial");
    const { code, err } = await dumped(output);
    expect([code, err]).toEqual([4, expect.stringContaining("pods shop/b: spec.containers is missing")]);
    const { terminal, out } = testingTerminal();
    const context = { terminal, signal: new AbortController().signal, stopsCleanly: () => {} };
    expect(await run(["scan", "--from-dump", output, "-o", "json"], context)).toBe(4);
    expect(out()).toContain("pods shop/b: spec.containers is missing");
  });

  test("to a place that cannot hold it is refused before anything is read", async () => {
    const file = join(room, "file");
    await writeFile(file, "");
    const { code, err } = await dumped(file);
    expect([code, asked]).toEqual([1, 0]);
    expect(err).toContain("cannot be written: a part of the path is no folder");
  });
});
