import { once } from "node:events";
import { createServer } from "node:net";
import { ClusterList } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHub } from "./hub-client.ts";
import { type FixtureAnswer, type FixtureHub, problem, startFixtureHub } from "./testing/fixture-hub.ts";

let hub: FixtureHub;
beforeAll(async () => {
  hub = await startFixtureHub();
});
afterAll(() => hub.close());

const target = (url = hub.url) => ({ url, token: "t", ca: undefined });
const ask = (url?: string, signal = new AbortController().signal) =>
  openHub(target(url), signal).get("/api/v1/clusters", {}, ClusterList);

describe("an answer that is none is a coded error", () => {
  test.each<[string, FixtureAnswer, object]>([
    [
      "a refusal keeps its code, in the hub's words",
      problem(400, "selector_invalid"),
      { code: "selector_invalid", message: "said by the hub", remedy: "do this" },
    ],
    [
      "a fault of the hub names the request to look for in its log",
      problem(500, "internal"),
      { code: "internal", message: "said by the hub (request req-1)" },
    ],
    [
      "a code of a newer hub is passed on",
      problem(409, "of_the_future"),
      { code: "hub_refused", message: "said by the hub [of_the_future]", remedy: "do this" },
    ],
    [
      "a token that is not known says where to find it",
      problem(401, "unauthenticated"),
      { code: "hub_token_wrong", remedy: expect.stringContaining("--admin-token") },
    ],
    [
      "a proxy's page",
      { status: 502, body: "<html>" },
      { code: "hub_answer_invalid", message: expect.stringContaining("status 502") },
    ],
    [
      "a sign-in page",
      { body: "<html>" },
      { code: "hub_answer_invalid", message: expect.stringContaining("it is no JSON") },
    ],
    [
      "another form than the contract's",
      { body: { items: [{}] } },
      { code: "hub_answer_invalid", message: expect.stringContaining("items.0.id: ") },
    ],
  ])("%s", async (_, answer, error) => {
    hub.answer("/api/v1/clusters", answer);
    await expect(ask()).rejects.toMatchObject(error);
  });

  test("nobody there", async () => {
    const gone = await startFixtureHub();
    await gone.close();
    await expect(ask(gone.url)).rejects.toMatchObject({
      code: "hub_unreachable",
      message: expect.stringContaining("connection refused"),
    });
  });

  test("something there that speaks no TLS", async () => {
    await expect(ask(hub.url.replace("http:", "https:"))).rejects.toMatchObject({ code: "hub_unreachable" });
  });

  test("a connection that breaks in the middle", async () => {
    const server = createServer((socket) => socket.on("data", () => socket.destroy()));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await expect(ask(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "hub_unreachable" });
    server.close();
  });

  test("Ctrl-C while it waits", async () => {
    hub.answer("/api/v1/clusters", "never");
    const stop = new AbortController();
    const asked = ask(undefined, stop.signal);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: "interrupted" });
  });
});
