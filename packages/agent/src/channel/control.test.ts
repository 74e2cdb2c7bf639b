import {
  type Command,
  CommandSchema,
  CommandState,
  create,
  type DynamicReport,
  DynamicReportSchema,
  type HubMessage,
  IngestRequestSchema,
  type Policy,
  PolicySchema,
} from "@plimsoll/contracts/wire";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { type FakeHub, startFakeHub } from "../testing/fake-hub.ts";
import { welcome } from "../testing/messages.ts";
import { createTestAuthority, type TestAuthority } from "../testing/test-authority.ts";
import { testIdentity } from "../testing/test-identity.ts";
import { type ControlClient, type ControlNeeds, type HubSession, startControl } from "./control-client.ts";
import { createDial } from "./hub-client.ts";
import { createHubClock, type HubClock } from "./hub-clock.ts";

let authority: TestAuthority;
let hub: FakeHub;
let clock: ManualClock;
let hubClock: HubClock;
let session: HubSession;
let control: ControlClient;
let controller: AbortController;
let lines: string[];
const HUB_AHEAD_MS = 90_000;

beforeAll(async () => {
  authority = await createTestAuthority();
});
beforeEach(async () => {
  hub = await startFakeHub(authority);
  clock = createManualClock();
  hubClock = createHubClock(clock);
  session = { epoch: 0n, fleetSize: 0 };
  controller = new AbortController();
  lines = [];
});
afterEach(async () => {
  controller.abort();
  await control.ended;
  hub.stop();
});

async function start(needs: Partial<ControlNeeds> = {}): Promise<void> {
  const identity = await testIdentity(authority, hub.address);
  control = startControl({
    identity,
    instance: "agent-0",
    agentVersion: "0.1.0",
    startedMs: clock.now(),
    dial: createDial(identity),
    clock,
    random: () => 0.5,
    log: (_, event) => lines.push(event),
    count: () => {},
    signal: controller.signal,
    hubClock,
    session,
    policyRevision: () => 7,
    spool: () => ({
      ...{ spoolId: "s", batches: 2, bytes: 30, oldestSealedMs: 5, gaps: 1, quarantined: 0, coarsened: 7, dropped: 3 },
      ...{ writeFailures: 0, disk: "full", reserved: true, syncs: 0, syncMs: 0 },
    }),
    health: () => "degraded",
    applyPolicy: async () => null,
    carryOut: async () => ({ state: CommandState.DONE, errorCode: "", message: "" }),
    ...needs,
  });
}

/** Welcomes whoever comes, and answers beats by a clock that is ahead. */
function greet(more: Parameters<typeof welcome>[0] = {}): void {
  hub.onControl = ({ case: kind, value }, stream) => {
    const hubClockMs = BigInt(clock.now() + HUB_AHEAD_MS);
    if (kind === "hello") stream.say(welcome({ hubClockMs, ...more }));
    if (kind === "heartbeat") {
      const answer = {
        $typeName: "plimsoll.v1.HeartbeatAnswer" as const,
        agentClockMs: value.agentClockMs,
        hubClockMs,
      };
      stream.say({ case: "heartbeatAnswer", value: answer });
    }
  };
}

const kinds = (index = 0): string[] => (hub.controls[index]?.received ?? []).map(({ body }) => body.case ?? "unknown");
const report = (nodes: number): DynamicReport => create(DynamicReportSchema, { nodeCount: BigInt(nodes) });

describe("a session begins", () => {
  test("with a hello by the cluster's certificate, and once welcomed with the latest report and a beat", async () => {
    greet({ sessionEpoch: 41n, fleetSize: 12 });
    await start();
    control.report(report(1));
    control.report(report(2));
    await expect.poll(() => kinds()).toEqual(["hello", "dynamicReport", "heartbeat"]);
    const [stream] = hub.controls;
    expect(stream?.commonName).toBe("c-1");
    expect(stream?.received.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n]);
    expect(stream?.received[0]?.body.value).toMatchObject({
      clusterId: "c-1",
      incarnation: 3,
      fingerprint: "fingerprint-1",
      instance: "agent-0",
      policyRevision: 7n,
    });
    expect(stream?.received[1]?.body.value).toMatchObject({ nodeCount: 2n });
    expect(session).toEqual({ epoch: 41n, fleetSize: 12 });
    expect(control.status()).toMatchObject({ state: "connected", error: null });
  });

  test("not before the hub welcomes it: after ten seconds without it the agent comes back", async () => {
    await start();
    await expect.poll(() => kinds()).toEqual(["hello"]);
    clock.advance(10_000);
    await expect.poll(() => control.status().state).toBe("waiting");
    expect(control.status().error).toContain("silent");
    clock.advance(1_000);
    await expect.poll(() => hub.controls.length).toBe(2);
  });
});

describe("the hub's clock", () => {
  test("is measured at the welcome and with each beat, and told with the next one", async () => {
    greet();
    await start();
    await expect.poll(() => kinds()).toEqual(["hello", "heartbeat"]);
    expect(hubClock.offsetMs).toBe(HUB_AHEAD_MS);
    expect(hubClock.now()).toBe(clock.now() + HUB_AHEAD_MS);
    clock.advance(30_000);
    await expect.poll(() => kinds()).toHaveLength(3);
    expect(hub.controls[0]?.received[2]?.body.value).toMatchObject({
      clockOffsetMs: BigInt(HUB_AHEAD_MS),
      health: 2,
      spool: {
        spoolId: "s",
        batches: 2n,
        bytes: 30n,
        oldestSealedMs: 5n,
        gaps: 1n,
        coarsened: 7n,
        dropped: 3n,
        disk: 2,
      },
    });
  });

  test("counts by the measurement of the shortest round trip", () => {
    hubClock.measure(clock.now() - 1_000, clock.now());
    expect(hubClock.offsetMs).toBe(500);
    hubClock.measure(clock.now() - 10, clock.now() + 995);
    expect(hubClock.offsetMs).toBe(1_000);
    hubClock.measure(clock.now() - 900, clock.now() + 500);
    expect(hubClock.offsetMs).toBe(1_000);
    hubClock.measure(clock.now() + 5, clock.now());
    expect(hubClock.roundTripMs).toBe(900);
    control = { ended: Promise.resolve(null) } as never;
  });
});

describe("beats", () => {
  test.each([
    [0, 24_000],
    [0.5, 30_000],
    [0.999, 35_988],
  ])("come with jitter: at %d after %d ms", async (random, ms) => {
    greet();
    await start({ random: () => random });
    await expect.poll(() => kinds()).toHaveLength(2);
    clock.advance(ms - 20);
    expect(kinds()).toHaveLength(2);
    clock.advance(20);
    await expect.poll(() => kinds()).toHaveLength(3);
  });

  test("come as often as the hub asks for", async () => {
    greet({ heartbeatMs: 5_000 });
    await start();
    await expect.poll(() => kinds()).toHaveLength(2);
    clock.advance(5_000);
    await expect.poll(() => kinds()).toHaveLength(3);
  });

  test("that nobody answers end the session", async () => {
    hub.onControl = ({ case: kind }, stream) => kind === "hello" && stream.say(welcome());
    await start();
    await expect.poll(() => kinds()).toHaveLength(2);
    clock.advance(75_000);
    await expect.poll(() => control.status().state).toBe("waiting");
  });
});

describe("a report", () => {
  test("goes at once while connected, each with a greater sequence", async () => {
    greet();
    await start();
    await expect.poll(() => kinds()).toHaveLength(2);
    control.report(report(5));
    await expect.poll(() => kinds()).toEqual(["hello", "heartbeat", "dynamicReport"]);
  });

  test("is said again after a reconnect", async () => {
    greet();
    await start();
    control.report(report(5));
    await expect.poll(() => kinds()).toHaveLength(3);
    hub.controls[0]?.end();
    await expect.poll(() => control.status().state).toBe("waiting");
    clock.advance(1_000);
    await expect.poll(() => kinds(1)).toContain("dynamicReport");
  });
});

describe("the hub may", () => {
  test.each<[string, Policy, string | null]>([
    ["set a policy that is applied", create(PolicySchema, { revision: 8n }), null],
    ["set one that is refused: the one before stays", create(PolicySchema, { revision: 9n }), "policy_invalid"],
  ])("%s", async (_, policy, code) => {
    const applied: Policy[] = [];
    greet();
    await start({
      applyPolicy: async (given) => {
        applied.push(given);
        return code === null ? null : { code, message: "no" };
      },
    });
    await expect.poll(() => kinds()).toHaveLength(2);
    hub.controls[0]?.say({ case: "policy", value: policy });
    await expect.poll(() => kinds()).toHaveLength(3);
    expect(applied).toMatchObject([{ revision: policy.revision }]);
    expect(hub.controls[0]?.received[2]?.body).toMatchObject({
      case: "policyApplied",
      value: { revision: policy.revision, errorCode: code ?? "" },
    });
  });

  test.each<[string, bigint, CommandState, number]>([
    ["is carried out", 0n, CommandState.DONE, 1],
    ["comes after its deadline by the hub's clock", 1n, CommandState.EXPIRED, 0],
  ])("give a command, which %s", async (_, deadlineMs, state, times) => {
    const carried: Command[] = [];
    greet();
    await start({
      carryOut: async (command) => {
        carried.push(command);
        return { state: CommandState.DONE, errorCode: "", message: "" };
      },
    });
    await expect.poll(() => kinds()).toHaveLength(2);
    const action = { case: "reportNow" as const, value: { $typeName: "plimsoll.v1.ReportNow" as const } };
    hub.controls[0]?.say({ case: "command", value: create(CommandSchema, { id: "1", deadlineMs, action }) });
    await expect.poll(() => kinds()).toHaveLength(3);
    expect(hub.controls[0]?.received[2]?.body).toMatchObject({ case: "commandResult", value: { id: "1", state } });
    expect(carried).toHaveLength(times);
  });

  test.each<[string, HubMessage["body"], object]>([
    [
      "fence the agent",
      { case: "fenced", value: { $typeName: "plimsoll.v1.Fenced", sessionEpoch: 9n, instance: "agent-1" } },
      { reason: "fenced", code: "agent_fenced" },
    ],
    [
      "say that the cluster is gone",
      { case: "deregistered", value: { $typeName: "plimsoll.v1.Deregistered", incarnation: 1, message: "by anna" } },
      { reason: "deregistered", code: "agent_deregistered", message: expect.stringContaining("by anna") },
    ],
  ])("%s: it does not come back", async (_, body, end) => {
    hub.onControl = ({ case: kind }, stream) => kind === "hello" && stream.say(body);
    await start();
    expect(await control.ended).toMatchObject(end);
    clock.advance(10_000_000);
    expect(hub.controls).toHaveLength(1);
    expect(control.status().state).toBe("stopped");
  });

  test.each<[string, HubMessage["body"], number]>([
    [
      "asks for a pause",
      { case: "retryAfter", value: { $typeName: "plimsoll.v1.RetryAfter", delayMs: 20_000, code: "busy" } },
      30_000,
    ],
    [
      "refuses the hello",
      {
        case: "refused",
        value: { $typeName: "plimsoll.v1.Refused", code: "agent_too_old", message: "old", remedy: "up" },
      },
      225_000,
    ],
  ])("%s: the agent comes back after that, with jitter of its own", async (_, body, ms) => {
    hub.onControl = ({ case: kind }, stream) => kind === "hello" && stream.say(body);
    await start();
    await expect.poll(() => control.status().state).toBe("waiting");
    expect(clock.timers.at(-1)).toBe(ms);
    clock.advance(ms);
    await expect.poll(() => hub.controls.length).toBe(2);
  });

  test("ask it to move to another address, and it goes back when that does not answer", async () => {
    const other = await startFakeHub(authority);
    greet();
    await start();
    await expect.poll(() => kinds()).toHaveLength(2);
    const move = { $typeName: "plimsoll.v1.Move" as const, address: other.address, withinMs: 100 };
    hub.controls[0]?.say({ case: "move", value: move });
    await expect.poll(() => control.status().state).toBe("waiting");
    clock.advance(100);
    await expect.poll(() => other.controls.length).toBe(1);
    other.stop();
    await expect.poll(() => control.status().state).toBe("waiting");
    clock.advance(60_000);
    await expect.poll(() => hub.controls.length).toBe(2);
  });
});

describe("after a loss", () => {
  test("the first return is spread by the size of the fleet, the next ones back off with full jitter", async () => {
    greet({ fleetSize: 500 });
    await start();
    await expect.poll(() => kinds()).toHaveLength(2);
    hub.stop();
    await expect.poll(() => control.status().state).toBe("waiting");
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const since = control.status().sinceMs;
      const wait = clock.timers.at(-1) ?? 0;
      waits.push(wait);
      clock.advance(wait);
      await expect.poll(() => control.status().state === "waiting" && control.status().sinceMs > since).toBe(true);
    }
    expect(waits).toEqual([15_000, 500, 1_000, 2_000]);
    expect(lines.filter((line) => line === "control_lost").length).toBeLessThanOrEqual(2);
  });

  test("a hub of another authority is not talked to", async () => {
    const impostor = await startFakeHub(await createTestAuthority());
    const identity = await testIdentity(authority, impostor.address);
    await start({ identity, dial: createDial(identity) });
    await expect.poll(() => control.status().state).toBe("waiting");
    expect(impostor.controls).toHaveLength(0);
    impostor.stop();
  });
});

test("streams to one address share a connection, until the last of them is over", async () => {
  const identity = await testIdentity(authority, hub.address);
  const dial = createDial(identity);
  await start({ identity, dial });
  const other = dial(hub.address);
  const delivery = other.deliver().on("error", () => {});
  delivery.write(create(IngestRequestSchema));
  await expect.poll(() => hub.controls.length + hub.ingests.length).toBe(2);
  expect(hub.controls[0]?.peer).toBe(hub.ingests[0]?.peer);
  controller.abort();
  await control.ended;
  expect(hub.ingests[0]?.open).toBe(true);
  delivery.cancel();
  other.close();
  const later = dial(hub.address);
  later
    .deliver()
    .on("error", () => {})
    .write(create(IngestRequestSchema));
  await expect.poll(() => hub.ingests.length).toBe(2);
  expect(hub.ingests[1]?.peer).not.toBe(hub.ingests[0]?.peer);
  later.close();
});

test("goodbye is said once, and the stream ends when the agent stops", async () => {
  greet();
  await start();
  await expect.poll(() => kinds()).toHaveLength(2);
  control.goodbye("stopped");
  control.report(report(1));
  await expect.poll(() => kinds()).toEqual(["hello", "heartbeat", "goodbye"]);
  controller.abort();
  expect(await control.ended).toBeNull();
});
