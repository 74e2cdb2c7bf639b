import type { IngestAnswer, IngestRequest } from "@plimsoll/contracts/wire";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { openSpool } from "../spool/disk-spool.ts";
import type { Spool } from "../spool/spool.ts";
import { memoryDisks } from "../spool/testing/memory-disks.ts";
import { type FakeHub, startFakeHub } from "../testing/fake-hub.ts";
import { ack, ingestWelcome } from "../testing/messages.ts";
import { createTestAuthority, type TestAuthority } from "../testing/test-authority.ts";
import { testIdentity } from "../testing/test-identity.ts";
import { createDial } from "./hub-client.ts";
import { createHubClock } from "./hub-clock.ts";
import { type IngestNeeds, startIngest } from "./ingest-client.ts";
import type { KeptStream } from "./keep-stream.ts";

let authority: TestAuthority;
let hub: FakeHub;
let clock: ManualClock;
let spool: Spool;
let ingest: KeptStream;
let controller: AbortController;
let aside: string[];
let counts: Record<string, number>;

beforeAll(async () => {
  authority = await createTestAuthority();
});
beforeEach(async () => {
  hub = await startFakeHub(authority);
  clock = createManualClock();
  controller = new AbortController();
  aside = [];
  counts = {};
  spool = await openSpool({
    files: memoryDisks(),
    maxBytes: () => 1e9,
    now: () => clock.now(),
    readHead: () => ({ sealedAtMs: 0, untilMs: 0, replaces: null }),
    keepDamage: async () => {},
  });
});
afterEach(async () => {
  controller.abort();
  await ingest.ended;
  hub.stop();
});

async function put(...texts: string[]): Promise<void> {
  for (const text of texts) await spool.append("usage", () => ({ bytes: Buffer.from(text), sealedAtMs: 0 }));
}

async function start(needs: Partial<IngestNeeds> = {}): Promise<void> {
  const identity = await testIdentity(authority, hub.address);
  ingest = startIngest({
    identity,
    instance: "agent-0",
    agentVersion: "0.1.0",
    dial: createDial(identity),
    clock,
    random: () => 0.5,
    log: () => {},
    signal: controller.signal,
    session: { epoch: 5n, fleetSize: 1 },
    hubClock: createHubClock(clock),
    address: () => hub.address,
    spool,
    quarantine: async ({ sequence, bytes }, code) => {
      aside.push(`${sequence} ${Buffer.from(bytes)} ${code}`);
    },
    count: (name) => {
      counts[name] = (counts[name] ?? 0) + 1;
    },
    ...needs,
  });
}

const id = (): string => spool.figures().spoolId ?? "";

/** What came of envelopes on a session, as text. */
function came(index = 0): string[] {
  return (hub.ingests[index]?.received ?? []).flatMap(({ body }) =>
    body.case === "envelope" ? [Buffer.from(body.value).toString()] : [],
  );
}

/** Welcomes, then answers each envelope by `answer` with its number from 1. */
function greet(
  answer: (count: number) => IngestAnswer["body"] | undefined = () => undefined,
  more: Parameters<typeof ingestWelcome>[0] = {},
): void {
  let count = 0;
  hub.onIngest = ({ case: kind }: IngestRequest["body"], stream) => {
    if (kind === "hello") stream.say(ingestWelcome(more));
    if (kind !== "envelope") return;
    count += 1;
    const body = answer(count);
    if (body) stream.say(body);
  };
}

describe("a session", () => {
  test("says what the spool holds, sends it oldest first, and lets go of it when it is durable", async () => {
    await put("a", "b", "c");
    greet((count) => ack(id(), count));
    await start();
    await expect.poll(() => spool.figures().batches).toBe(0);
    expect(hub.ingests[0]?.received[0]?.body).toMatchObject({
      case: "hello",
      value: {
        clusterId: "c-1",
        incarnation: 3,
        sessionEpoch: 5n,
        spools: [{ spoolId: id(), firstSequence: 1n, lastSequence: 3n }],
      },
    });
    expect(came()).toEqual(["a", "b", "c"]);
    expect(counts).toEqual({ ingest_connects: 1, batches_sent: 3, batches_acknowledged: 3 });
  });

  test("sends what is spooled later at once", async () => {
    greet((count) => ack(id(), count));
    await start();
    await expect.poll(() => ingest.status().state).toBe("connected");
    await put("late");
    await expect.poll(() => came()).toEqual(["late"]);
    await expect.poll(() => spool.figures().batches).toBe(0);
  });

  test("does not send again what the hub says is durable in its welcome", async () => {
    await put("a", "b", "c");
    const { value } = ack(id(), 2);
    greet(() => undefined, { marks: value ? [value as never] : [] });
    await start();
    await expect.poll(() => came()).toEqual(["c"]);
    expect(spool.figures().batches).toBe(1);
  });

  test("keeps to the hub's window of batches", async () => {
    await put("a", "b", "c", "d");
    greet(() => undefined, { windowBatches: 2 });
    await start();
    await expect.poll(() => came()).toEqual(["a", "b"]);
    hub.ingests[0]?.say(ack(id(), 1));
    await expect.poll(() => came()).toEqual(["a", "b", "c"]);
    hub.ingests[0]?.say(ack(id(), 3));
    await expect.poll(() => came()).toEqual(["a", "b", "c", "d"]);
  });

  test("keeps to its window of bytes, and sends what is larger than that alone", async () => {
    await put("x".repeat(50), "y", "z");
    greet(() => undefined, { windowBytes: 10n });
    await start();
    await expect.poll(() => came()).toEqual(["x".repeat(50)]);
    hub.ingests[0]?.say(ack(id(), 1));
    await expect.poll(() => came()).toHaveLength(3);
  });

  test("never has more bytes on the way than the window holds", async () => {
    await put("aaaa", "bbbb", "cccc");
    greet(() => undefined, { windowBytes: 10n });
    await start();
    await expect.poll(() => came()).toEqual(["aaaa", "bbbb"]);
    hub.ingests[0]?.say(ack(id(), 1));
    await expect.poll(() => came()).toEqual(["aaaa", "bbbb", "cccc"]);
  });

  test("sends what is spooled now ahead of its backlog, for which a part of the window is never used", async () => {
    await put(...Array.from({ length: 20 }, (_, index) => `old ${index}`));
    greet(() => undefined, { windowBatches: 8 });
    await start();
    await expect.poll(() => came().length).toBe(6);
    await put("new 0", "new 1", "new 2");
    await expect.poll(() => came().slice(6)).toEqual(["new 0", "new 1"]);
    hub.ingests[0]?.say(ack(id(), 6));
    await expect.poll(() => came().length).toBe(14);
    expect(came()[8]).toBe("new 2");
    expect(came().slice(9)).toEqual(["old 6", "old 7", "old 8", "old 9", "old 10"]);
  });

  test("moves a backlog of thousands through a small window", async () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => String(index));
    await put(...texts);
    greet((count) => ack(id(), count), { windowBatches: 16 });
    await start();
    await expect.poll(() => spool.figures().batches, { timeout: 15_000 }).toBe(0);
    expect(came()).toEqual(texts);
  });
});

describe("a bad batch", () => {
  test("is put aside and never blocks those behind it", async () => {
    await put("a", "bad", "c");
    greet((count) => (count === 2 ? { case: "reject", value: reject(2n, "batch_invalid") } : ack(id(), 1)));
    await start();
    await expect.poll(() => aside).toEqual(["2 bad batch_invalid"]);
    await expect.poll(() => came()).toEqual(["a", "bad", "c"]);
    await expect.poll(() => spool.figures().batches).toBe(1);
    await expect.poll(() => counts).toMatchObject({ batches_rejected: 1 });
  });

  test("that was not sent on this session is not put aside", async () => {
    await put("a");
    greet(() => ({ case: "reject", value: reject(9n, "batch_invalid") }));
    await start();
    await expect.poll(() => came()).toEqual(["a"]);
    hub.ingests[0]?.say(ack(id(), 1));
    await expect.poll(() => spool.figures().batches).toBe(0);
    expect(aside).toEqual([]);
  });
});

const reject = (sequence: bigint, code: string) => ({
  $typeName: "plimsoll.v1.Reject" as const,
  spoolId: id(),
  sequence,
  code,
  message: "no",
  clusterId: "",
});

describe("what was on the way when a session ended", () => {
  test.each<[string, () => void]>([
    ["the hub ends it", () => hub.ingests[0]?.end()],
    ["the hub acknowledges nothing for a minute", () => clock.advance(60_000)],
    [
      "the hub sends nonsense",
      () => hub.ingests[0]?.say({ case: "ack", value: { ...ackOf(3), ranges: [range(2n, 1n)] } }),
    ],
  ])("is sent again: %s", async (_, breakOff) => {
    await put("a", "b");
    greet();
    await start();
    await expect.poll(() => came()).toEqual(["a", "b"]);
    breakOff();
    await expect.poll(() => ingest.status().state).toBe("waiting");
    expect(spool.figures().batches).toBe(2);
    clock.advance(60_000);
    await expect.poll(() => came(1)).toEqual(["a", "b"]);
  });

  test("a hub that works on acknowledging is not taken to be gone", async () => {
    await put("a", "b");
    greet();
    await start();
    await expect.poll(() => came()).toEqual(["a", "b"]);
    clock.advance(59_000);
    hub.ingests[0]?.say(ack(id(), 1));
    await expect.poll(() => spool.figures().batches).toBe(1);
    clock.advance(59_000);
    expect(ingest.status().state).toBe("connected");
  });
});

const ackOf = (contiguous: number) => {
  const { value } = ack(id(), contiguous);
  return value as Extract<IngestAnswer["body"], { case: "ack" }>["value"];
};
const range = (first: bigint, last: bigint) => ({ $typeName: "plimsoll.v1.SequenceRange" as const, first, last });

describe("the hub may", () => {
  test("ask for a pause: nothing is lost, it comes back", async () => {
    await put("a");
    let first = true;
    hub.onIngest = ({ case: kind }, stream) => {
      if (kind !== "hello") return;
      if (first)
        stream.say({
          case: "retryAfter",
          value: { $typeName: "plimsoll.v1.RetryAfter", delayMs: 10_000, code: "busy" },
        });
      else stream.say(ingestWelcome());
      first = false;
    };
    await start();
    await expect.poll(() => ingest.status().state).toBe("waiting");
    expect(clock.timers.at(-1)).toBe(15_000);
    clock.advance(15_000);
    await expect.poll(() => came(1)).toEqual(["a"]);
  });

  test("fence the agent: it stops sending for good", async () => {
    await put("a");
    hub.onIngest = (_, stream) =>
      stream.say({ case: "fenced", value: { $typeName: "plimsoll.v1.Fenced", sessionEpoch: 9n, instance: "agent-1" } });
    await start();
    expect(await ingest.ended).toMatchObject({ reason: "fenced" });
    expect(spool.figures().batches).toBe(1);
  });
});

test("a hub that welcomes and fails at once is come back to more and more seldom, until a session holds", async () => {
  greet();
  await start();
  const waits: number[] = [];
  for (let session = 0; session < 5; session += 1) {
    await expect.poll(() => hub.ingests.length).toBe(session + 1);
    await expect.poll(() => ingest.status().state).toBe("connected");
    if (session === 3) clock.advance(60_000);
    hub.ingests[session]?.end();
    await expect.poll(() => ingest.status().state).toBe("waiting");
    const wait = clock.timers.at(-1) ?? 0;
    waits.push(wait);
    clock.advance(wait);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 500, 1_000]);
});

test("the hub's time is known from the welcome", async () => {
  const hubClock = createHubClock(clock);
  greet(undefined, { hubClockMs: BigInt(clock.now() + 90_000) });
  await start({ hubClock });
  await expect.poll(() => hubClock.offsetMs).toBe(90_000);
});

test("another address counts at once, also while it waits; what was not acknowledged goes there", async () => {
  const other = await startFakeHub(authority);
  const addresses = ["127.0.0.1:1", hub.address, other.address];
  let index = 0;
  await put("a");
  greet();
  await start({ address: () => addresses[index] ?? "" });
  await expect.poll(() => ingest.status().state).toBe("waiting");
  ingest.redial();
  expect(ingest.status().state).toBe("waiting");
  index = 1;
  ingest.redial();
  await expect.poll(() => came()).toEqual(["a"]);
  index = 2;
  ingest.redial();
  await expect.poll(() => other.ingests.length).toBe(1);
  expect(spool.figures().batches).toBe(1);
  other.stop();
});

test("a hub that was stopped and started again gets everything that it had not acknowledged", async () => {
  await put("a", "b");
  greet((count) => (count === 1 ? ack(id(), 1) : undefined));
  await start();
  await expect.poll(() => spool.figures().batches).toBe(1);
  const port = Number(hub.address.split(":")[1]);
  hub.stop();
  await expect.poll(() => ingest.status().state).toBe("waiting");
  hub = await startFakeHub(authority, port);
  greet((count) => ack(id(), count + 1));
  await put("c");
  clock.advance(60_000);
  await expect.poll(() => spool.figures().batches).toBe(0);
  expect(came()).toEqual(["b", "c"]);
});
