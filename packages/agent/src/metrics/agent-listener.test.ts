import { afterEach, describe, expect, it } from "vitest";
import type { AgentStatus } from "../agent.ts";
import { type AgentListener, listenForProbes } from "./agent-listener.ts";

const STREAM = { state: "connected", sinceMs: 0, error: null } as const;
const RUNNING: AgentStatus = {
  state: "running",
  cluster: null,
  control: STREAM,
  ingest: STREAM,
  ready: true,
  live: true,
  lastTickEndedMs: Date.UTC(2026, 0, 2),
  clockOffsetMs: null,
  spool: {
    spoolId: null,
    batches: 0,
    bytes: 0,
    oldestSealedMs: null,
    gaps: 0,
    quarantined: 0,
    coarsened: 0,
    dropped: 0,
    writeFailures: 0,
    disk: "ok",
    reserved: true,
    syncs: 0,
    syncMs: 0,
  },
  counters: {},
};

let listener: AgentListener | undefined;
afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

async function ask(path: string, status: Partial<AgentStatus> = {}, method = "GET") {
  const agent = { status: () => ({ ...RUNNING, ...status }), metrics: () => "plimsoll_agent_ready 1\n" };
  listener ??= await listenForProbes(agent, "127.0.0.1:0");
  const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, { method });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

describe("an agent's port", () => {
  it.each<[string, Partial<AgentStatus>, number, string]>([
    ["/livez", {}, 200, "ok\n"],
    ["/livez", { live: false }, 503, "the last tick ended 2026-01-02T00:00:00.000Z\n"],
    ["/livez", { live: false, lastTickEndedMs: null }, 503, "the last tick ended never\n"],
    ["/livez", { live: false, state: "fenced" }, 503, "the agent is over: fenced\n"],
    ["/readyz", {}, 200, "ok\n"],
    ["/readyz", { ready: false }, 503, "nodes and pods have not been read yet\n"],
    ["/readyz", { ready: false, state: "joining" }, 503, "it has not joined yet\n"],
    ["/secrets", {}, 404, "there are /metrics, /livez and /readyz\n"],
  ])("answers %s of an agent that is %j by %i", async (path, status, code, text) => {
    expect(await ask(path, status)).toMatchObject({ status: code, text });
  });

  it("serves its metrics to a scraper, whatever is behind a question mark, and to nobody by another method", async () => {
    expect(await ask("/metrics?x=1")).toEqual({
      status: 200,
      type: "text/plain; version=0.0.4; charset=utf-8",
      text: "plimsoll_agent_ready 1\n",
    });
    expect(await ask("/metrics", {}, "POST")).toMatchObject({ status: 405 });
  });

  it.each(["9464", "host", "127.0.0.1:99999", "192.0.2.7:1", "[::1:80"])(
    "refuses the address %s by name",
    async (address) => {
      const agent = { status: () => RUNNING, metrics: () => "" };
      await expect(listenForProbes(agent, address)).rejects.toMatchObject({
        code: "agent_address_unusable",
        fields: { address },
      });
    },
  );
});
