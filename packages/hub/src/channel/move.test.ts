import { afterEach, beforeEach, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { openStore } from "../store/store.ts";
import { type JoinedCluster, startTestHub, type TestHub } from "../testing/test-hub.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";
import { type AgentClient, agentClient } from "./testing/agent-client.ts";

let clock: ManualClock;
let hub: TestHub;
const clients: AgentClient[] = [];

beforeEach(async () => {
  clock = createManualClock(Date.now());
  hub = await startTestHub({}, { clock, random: () => 0.5 });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await hub.remove();
});

async function connected(of: JoinedCluster) {
  const client = agentClient(of);
  clients.push(client);
  const { clusterId, incarnation, fingerprint } = of;
  const who = { clusterId, incarnation, agentVersion: "0.1.0", instance: "agent-1" };
  const control = client.control();
  const clocks = { instanceStartedMs: 1n, agentClockMs: 1n, policyRevision: 0n, capabilities: [] };
  control.send({ case: "hello", value: { $typeName: "plimsoll.v1.Hello", ...who, fingerprint, ...clocks } });
  await control.until("policy");
  const ingest = client.deliver();
  const hello = { ...who, sessionEpoch: 1n, relay: "", spools: [] };
  ingest.send({ case: "hello", value: { $typeName: "plimsoll.v1.IngestHello", ...hello } });
  await ingest.until("welcome");
  return { control, ingest };
}

test("streams are asked to connect anew when they are old, and not before", async () => {
  const { control, ingest } = await connected(await hub.join("prod-eu"));
  clock.advance(STREAM_BOUNDS.moveAtAgeMs - 1);
  control.send({
    case: "heartbeat",
    value: { $typeName: "plimsoll.v1.Heartbeat", agentClockMs: 1n, roundTripMs: 0, clockOffsetMs: 0n, health: 1 },
  });
  expect(await control.next()).toMatchObject({ case: "heartbeatAnswer" });
  clock.advance(1);
  expect(await control.next()).toMatchObject({ case: "move", value: { address: "", withinMs: 5_000 } });
  expect(await ingest.next()).toMatchObject({ case: "move" });
  expect([await control.over, await ingest.over]).toEqual([0, 0]);
});

test("a command moves the streams of one cluster or of all, and is in the audit log", async () => {
  const [eu, us] = [await connected(await hub.join("prod-eu")), await connected(await hub.join("prod-us"))];
  const move = (body: unknown) => hub.ask("/api/v1/streams/moves", { method: "POST", body });
  expect((await move({ cluster: "prod-eu", withinSeconds: 7 })).body).toEqual({ control: 1, ingest: 1 });
  expect(await eu.control.next()).toMatchObject({ case: "move", value: { withinMs: 7_000 } });
  expect(await eu.ingest.next()).toMatchObject({ case: "move", value: { withinMs: 7_000 } });
  expect(await eu.control.over).toBe(0);
  expect((await move({})).body).toMatchObject({ control: 1 });
  expect(await us.control.next()).toMatchObject({ case: "move", value: { withinMs: 60_000 } });
  expect((await move({ cluster: "nowhere" })).body).toMatchObject({ code: "cluster_unknown" });
  expect((await move({ withinSeconds: 0 })).body).toMatchObject({ status: 400, field: "withinSeconds" });
  const store = await openStore({ sqlite: `${hub.dataDir}/hub.sqlite` });
  const rows = await store.db.selectFrom("audit").select(["verb", "outcome"]).where("thing", "=", "stream").execute();
  await store.close();
  expect(rows.filter(({ outcome }) => outcome === "allowed")).toHaveLength(2);
});
