import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "@plimsoll/sim";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type StartAgentOptions, startAgent } from "./start-agent.ts";
import { startCollectingHub } from "./testing/collecting-hub.ts";
import { startFakeJoin } from "./testing/fake-join.ts";
import { createTestAuthority } from "./testing/test-authority.ts";

let path: string;
let simulator: Simulator;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "plimsoll-start-"));
  simulator = await startSimulator({ clusters: 1, podsPerCluster: 20, sickness: false });
  await writeFile(join(path, "kubeconfig"), simulator.kubeconfig());
});
afterEach(async () => {
  await simulator.stop();
  await rm(path, { recursive: true });
});

const TOKEN = `plj1.${"s".repeat(43)}.${"0".repeat(64)}`;
const options = (more: Partial<StartAgentOptions> = {}): StartAgentOptions => ({
  hubUrl: "http://127.0.0.1:1",
  joinToken: TOKEN,
  stateDir: join(path, "state"),
  kubeconfig: join(path, "kubeconfig"),
  env: {},
  writeLog: () => {},
  ...more,
});

test("an agent is started on a context of a kubeconfig, under the pod's name, and logs lines of JSON", async () => {
  const authority = await createTestAuthority();
  const hub = await startCollectingHub(authority, Date.now);
  const rest = await startFakeJoin(authority, () => hub.address);
  const lines: string[] = [];
  const agent = await startAgent(
    options({ hubUrl: rest.url, env: { POD_NAME: "plimsoll-agent-0" }, writeLog: (line) => lines.push(line) }),
  );
  await expect.poll(() => hub.reports.length, { timeout: 15_000 }).toBeGreaterThan(0);
  expect(hub.controls[0]?.received[0]?.body.value).toMatchObject({ instance: "plimsoll-agent-0" });
  await agent.stop();
  await agent.stop();
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(expect.arrayContaining(["joined", "started", "ending"]));
  expect(lines.join("")).not.toContain(TOKEN);
  expect(lines.every((line) => line.endsWith("\n") && !line.slice(0, -1).includes("\n"))).toBe(true);
  hub.stop();
  rest.stop();
});

test.each<[string, Partial<StartAgentOptions>, string]>([
  ["an address in the clear", { hubUrl: "http://hub.example" }, "hub_url_invalid"],
  ["half a token", { joinToken: "plj1.x" }, "join_token_malformed"],
  ["a kubeconfig that is not there", { kubeconfig: "/nonexistent" }, "kubeconfig_missing"],
  ["a context that is not in it", { context: "elsewhere" }, "context_unknown"],
])("with %s it does not start, and says so at once", async (_, more, code) => {
  await expect(startAgent(options(more))).rejects.toMatchObject({ code });
});
