import { Overview } from "@plimsoll/contracts/rest";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ApiProblem, isRetryable } from "./api-problem.ts";
import { getJson } from "./get-json.ts";

const answering = (status: number, body: string, headers: Record<string, string> = {}) => {
  const seen: { headers?: Record<string, string> } = {};
  const send: typeof fetch = async (_url, init) => {
    seen.headers = Object.fromEntries(new Headers(init?.headers));
    return new Response(body, { status, headers });
  };
  return { send, seen };
};

async function problemFrom(send: typeof fetch): Promise<ApiProblem> {
  const thrown = await getJson(Overview, "/api/v1/overview", { token: "t", fetch: send }).catch((error) => error);
  expect(thrown).toBeInstanceOf(ApiProblem);
  return thrown;
}

describe("asking the hub", () => {
  it("sends the token as bearer", async () => {
    const { send, seen } = answering(500, "");
    await problemFrom(send);
    expect(seen.headers?.authorization).toBe("Bearer t");
  });

  it("passes on the hub's own problem with code, remedy and request id", async () => {
    const problem = {
      type: "about:blank",
      title: "Selector is not understood",
      status: 400,
      detail: "selector: a, expected = or in",
      code: "selector_invalid",
      remedy: "Write it as kubectl does",
      requestId: "r-1",
      field: "selector",
    };
    const found = await problemFrom(answering(400, JSON.stringify(problem)).send);
    expect(found).toMatchObject({ code: "selector_invalid", remedy: "Write it as kubectl does", requestId: "r-1" });
    expect(isRetryable(found)).toBe(false);
  });

  it("takes the hub's clock from the answer, else from its Date", async () => {
    const asking = (body: string) => ({
      token: null,
      fetch: answering(200, body, { date: "Mon, 30 Nov 2026 12:00:00 GMT" }).send,
    });
    const told = await getJson(z.object({ asOf: z.string() }), "/x", asking('{"asOf":"2026-11-30T11:00:00Z"}'));
    const untold = await getJson(z.object({}), "/x", asking("{}"));
    expect(new Date(told.asOfMs).toISOString()).toBe("2026-11-30T11:00:00.000Z");
    expect(new Date(untold.asOfMs).toISOString()).toBe("2026-11-30T12:00:00.000Z");
  });

  it.each([
    ["a proxy's page instead of a problem", 502, "<html>Bad gateway</html>", "hub_status"],
    ["an answer that breaks the contract", 200, '{"asOf":"yesterday"}', "hub_answer_invalid"],
    ["an answer that is no JSON", 200, "<html>", "hub_answer_invalid"],
  ])("turns %s into a coded problem with the request id of the header", async (_what, status, body, code) => {
    const found = await problemFrom(answering(status, body, { "x-request-id": "r-2" }).send);
    expect(found).toMatchObject({ code, status, requestId: "r-2" });
  });

  it("turns silence into hub_unreachable, which is worth another try", async () => {
    const found = await problemFrom(async () => {
      throw new TypeError("fetch failed");
    });
    expect(found).toMatchObject({ code: "hub_unreachable", status: null });
    expect(isRetryable(found)).toBe(true);
  });
});
