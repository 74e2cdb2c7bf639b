import { ClusterList, CostAnswer, Overview } from "@plimsoll/contracts/rest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestHub, type TestHub } from "./testing/test-hub.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.remove());

test("a hub without clusters answers every question", async () => {
  expect(await hub.get("/api/v1/clusters", ClusterList)).toMatchObject({ items: [], errors: [], next: null, total: 0 });
  expect(await hub.get("/api/v1/overview", Overview)).toMatchObject({ clusters: { total: 0 }, simulated: false });
  expect(await hub.get("/api/v1/cost", CostAnswer)).toMatchObject({ items: [], sum: "0" });
  expect((await hub.ask("/readyz")).body).toMatchObject({ status: "ok" });
  expect((await hub.ask("/livez")).body).toMatchObject({ status: "ok" });
  expect((await hub.ask("/metrics")).text).toContain("plimsoll_http_request_duration_seconds");
});
