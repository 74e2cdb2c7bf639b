import { gzipSync } from "node:zlib";
import { create, INGEST_SERVICE, type IngestRequest, IngestRequestSchema, sealBatch } from "@plimsoll/contracts/wire";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createManualClock, type ManualClock } from "../../packages/collect/src/kube/testing/manual-clock.ts";
import { STREAM_BOUNDS } from "../../packages/hub/src/channel/stream-bounds.ts";
import { agentClient, type IngestTestStream } from "../../packages/hub/src/channel/testing/agent-client.ts";
import { type JoinedCluster, startTestHub, type TestHub } from "../../packages/hub/src/testing/test-hub.ts";
import { sampleRow } from "../hub/facts.ts";
import { GoodAgent, ingestHello } from "./good-agent.ts";
import {
  constant,
  deltas,
  dictionaryOf,
  endlessSamples,
  type Forged,
  forge,
  snappyBomb,
  usageMessage,
} from "./hostile-batches.ts";
import { frame, openRaw, type RawOptions, type RawStream } from "./raw-stream.ts";

/**
 * A hostile or broken sender with a valid certificate, over a real connection: each thing is refused by a code, counted, and
 * another agent goes on delivering meanwhile.
 */

const DELIVER = INGEST_SERVICE.deliver.path;
const CONNECT = "/plimsoll.v1.Control/Connect";
const MIB = 1024 * 1024;
/** Of gRPC's status codes. */
const GrpcStatus = { OK: 0, RESOURCE_EXHAUSTED: 8 } as const;
/** For a busy machine. */
const LONG = { timeout: 60_000 };

let clock: ManualClock;
let hub: TestHub;
let good: GoodAgent;
let evil: JoinedCluster;
const closers: (() => void)[] = [];

beforeAll(async () => {
  clock = createManualClock(Date.now());
  hub = await startTestHub({}, { clock });
  good = await GoodAgent.start(await hub.join("good"));
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await good.delivers(3);
});
afterAll(async () => {
  const delivered = await good.stop();
  console.log(`the good agent delivered ${delivered} batches meanwhile`);
  await hub.remove();
});

/** A cluster of its own for each test: what one has spent is no other's. */
async function joinEvil(): Promise<void> {
  evil = await hub.join(`evil-${crypto.randomUUID().slice(0, 8)}`);
}

async function evilStream(): Promise<IngestTestStream> {
  await joinEvil();
  const client = agentClient(evil);
  closers.push(() => client.close());
  const stream = client.deliver();
  stream.send(ingestHello(evil));
  await stream.until("welcome");
  return stream;
}

function evilRaw(path = DELIVER, options: RawOptions = {}): RawStream {
  const raw = openRaw(evil, path, options);
  closers.push(() => raw.close());
  return raw;
}

async function counted(stream: "ingest" | "control", code: string): Promise<number> {
  const { text } = await hub.ask("/metrics");
  const line = `plimsoll_stream_refusals_total{stream="${stream}",code="${code}"} `;
  return Number(
    text
      .split("\n")
      .find((each) => each.startsWith(line))
      ?.slice(line.length) ?? 0,
  );
}

/** Bytes that the hub holds of all streams; the good agent's batch may be among them. */
async function heldBytes(): Promise<number> {
  const { text } = await hub.ask("/readyz");
  return Number(/(\d+) bytes held/.exec(text)?.[1]);
}

function request(body: IngestRequest["body"]): Buffer {
  return frame(INGEST_SERVICE.deliver.requestSerialize(create(IngestRequestSchema, { body })));
}

describe("a batch", () => {
  const year = (time: number): bigint => BigInt(time);
  const cases: readonly (readonly [string, string, () => Forged])[] = [
    ["of bytes that are none", "batch_invalid", () => ({ payload: Buffer.from("GET / HTTP/1.1"), rawBytes: 100 })],
    [
      "that unpacks to 64 MiB and says so",
      "batch_too_large",
      () => ({ payload: snappyBomb(64 * MIB), rawBytes: 64 * MIB }),
    ],
    [
      "that unpacks to 64 MiB and says 100 bytes",
      "batch_too_large",
      () => ({ payload: snappyBomb(64 * MIB), rawBytes: 100 }),
    ],
    ["with a dictionary of a million", "batch_too_large", () => ({ raw: dictionaryOf(1_000_000) })],
    ["of 4 billion rows", "batch_too_large", () => ({ raw: endlessSamples(), rows: 0xffff_ffff })],
    ["with a negative count", "batch_invalid", () => ({ raw: usageMessage({ billedMs: deltas(-1n) }) })],
    ["with a count of 64 bits", "batch_invalid", () => ({ raw: usageMessage({ billedMs: constant(2n ** 63n) }) })],
    ["with two hours in an hour", "batch_invalid", () => ({ raw: usageMessage({ billedMs: constant(7_200_000n) }) })],
    [
      "of the year 1",
      "batch_invalid",
      () => ({ raw: usageMessage({ intervalStartMs: deltas(year(-62_135_596_800_000)) }) }),
    ],
    [
      "of the year 3000",
      "batch_time_invalid",
      () => ({ raw: usageMessage({ intervalStartMs: constant(year(Date.UTC(3000, 0))) }) }),
    ],
    [
      "sealed in the year 3000",
      "batch_time_invalid",
      () => ({ raw: usageMessage({}), sealedAtMs: year(Date.UTC(3000, 0)) }),
    ],
    [
      "whose end is 6 s before its start",
      "batch_time_invalid",
      () => {
        const start = year(Math.floor(Date.now() / 3_600_000) * 3_600_000);
        return { raw: usageMessage({ intervalStartMs: constant(start), intervalEndMs: constant(start - 6_000n) }) };
      },
    ],
    ["of another cluster", "batch_of_other_cluster", () => ({ raw: usageMessage({}), clusterId: "somebody-else" })],
  ];

  test.each(cases)("%s is refused as %s, and those behind it are not", async (_, code, forged) => {
    const stream = await evilStream();
    const before = await counted("ingest", code);
    stream.send({ case: "envelope", value: forge(evil.clusterId, evil.incarnation, 1, forged()) });
    expect(await stream.next()).toMatchObject({ case: "reject", value: { code } });
    expect(await counted("ingest", code)).toBe(before + 1);
    const raw = usageMessage({});
    stream.send({ case: "envelope", value: forge(evil.clusterId, evil.incarnation, 2, { raw }) });
    expect(await stream.next()).toMatchObject({ case: "ack" });
  });
});

describe("a stream", () => {
  test("of garbage instead of a hello is refused", async () => {
    await joinEvil();
    for (const [path, stream] of [
      [DELIVER, "ingest"],
      [CONNECT, "control"],
    ] as const) {
      const before = await counted(stream, "message_invalid");
      const raw = evilRaw(path);
      await raw.write(frame(Buffer.from("GET / HTTP/1.1\r\n\r\n")));
      expect(await raw.status).toBe(GrpcStatus.OK);
      expect(await counted(stream, "message_invalid")).toBe(before + 1);
    }
  });

  test("with a hello of nonsense is refused", async () => {
    await joinEvil();
    const client = agentClient(evil);
    closers.push(() => client.close());
    const stream = client.deliver();
    const nonsense = { ...evil, clusterId: "\u0000'; drop table clusters --".repeat(100), incarnation: 0xffff_ffff };
    stream.send(ingestHello(nonsense, { instance: "x".repeat(100_000), sessionEpoch: 2n ** 64n - 1n }));
    expect(await stream.until("refused")).toMatchObject({ value: { code: "certificate_wrong" } });
    expect(await counted("ingest", "certificate_wrong")).toBeGreaterThan(0);
  });

  test("that says its message has a gigabyte is refused before it came", async () => {
    await joinEvil();
    const before = await counted("ingest", "message_invalid");
    const raw = evilRaw();
    await raw.write(request(ingestHello(evil)));
    await raw.write(frame(new Uint8Array(), { length: 2 ** 30 }));
    expect(await raw.status).toBe(GrpcStatus.RESOURCE_EXHAUSTED);
    expect(await counted("ingest", "message_invalid")).toBe(before + 1);
  });

  test("that compresses gigabytes by gRPC's own means is refused", async () => {
    await joinEvil();
    const before = await counted("ingest", "message_invalid");
    const raw = evilRaw(DELIVER, { encoding: "gzip" });
    await raw.write(frame(gzipSync(Buffer.alloc(128 * MIB)), { compressed: true }));
    expect(await raw.status).toBe(GrpcStatus.RESOURCE_EXHAUSTED);
    expect(await counted("ingest", "message_invalid")).toBe(before + 1);
  });

  test("whose hello comes byte by byte is refused after ten seconds", async () => {
    await joinEvil();
    const before = await counted("ingest", "hello_missing");
    const timers = clock.timers.length;
    const raw = evilRaw();
    const hello = request(ingestHello(evil));
    for (const byte of hello.subarray(0, 8)) await raw.write(Buffer.from([byte]));
    await vi.waitFor(() => expect(clock.timers.slice(timers)).toContain(STREAM_BOUNDS.helloWithinMs), LONG);
    clock.advance(STREAM_BOUNDS.helloWithinMs);
    expect(await raw.status).toBe(GrpcStatus.OK);
    expect(await counted("ingest", "hello_missing")).toBe(before + 1);
  });

  test("that never reads its answers is cut, and holds nothing then", async () => {
    await joinEvil();
    const before = await counted("ingest", "answers_unread");
    const timers = clock.timers.length;
    // The welcome fits, the answers do not.
    const raw = evilRaw(DELIVER, { windowBytes: 200, reads: false });
    await raw.write(request(ingestHello(evil)));
    const { clusterId, incarnation } = evil;
    const at = Date.now();
    const facts = { sealedAtMs: at, agentClockMs: at, policyRevision: 1, replaces: null };
    const rows = [sampleRow({ windowStartMs: Math.floor(at / 300_000) * 300_000 })];
    const key = { clusterId, incarnation, spoolId: "spool-of-evil", sequence: 1 };
    const envelope = request({ case: "envelope", value: sealBatch(key, { kind: "sample", rows }, facts).bytes });
    const sending = (async () => {
      for (let sent = 0; sent < 5_000 && !raw.stream.closed; sent += 1) await raw.write(envelope);
    })();
    await vi.waitFor(() => expect(clock.timers.slice(timers)).toContain(STREAM_BOUNDS.answersWithinMs), LONG);
    await good.delivers(3);
    clock.advance(STREAM_BOUNDS.answersWithinMs);
    expect(await raw.status).toBeNull();
    await sending;
    expect(await counted("ingest", "answers_unread")).toBe(before + 1);
    await vi.waitFor(async () => expect(await heldBytes()).toBeLessThan(10_000), LONG);
  });

  test("of a cluster that opens many is asked to stay away, and others are not", async () => {
    await joinEvil();
    const before = await counted("ingest", "streams_exhausted");
    const raws = Array.from({ length: STREAM_BOUNDS.streamsOfCluster + 3 }, () => evilRaw());
    await vi.waitFor(async () => expect(await counted("ingest", "streams_exhausted")).toBe(before + 3), LONG);
    const statuses = await Promise.all(raws.map(({ status }) => Promise.race([status, Promise.resolve("open")])));
    expect(statuses.filter((status) => status === "open")).toHaveLength(STREAM_BOUNDS.streamsOfCluster);
  });
});

test("memory stays flat, however much is thrown at it", async () => {
  const bombs = async (): Promise<void> => {
    const stream = await evilStream();
    for (let sequence = 1; sequence <= 5; sequence += 1) {
      const forged = { payload: snappyBomb(80 * MIB), rawBytes: 15 * MIB };
      stream.send({ case: "envelope", value: forge(evil.clusterId, evil.incarnation, sequence, forged) });
      expect(await stream.next()).toMatchObject({ case: "reject" });
    }
    const raw = evilRaw();
    await raw.write(frame(new Uint8Array(), { length: 2 ** 30 }));
    for (let sent = 0; sent < 32; sent += 1) await raw.write(Buffer.alloc(MIB));
    expect(await raw.status).toBe(GrpcStatus.RESOURCE_EXHAUSTED);
    for (const close of closers.splice(0)) close();
  };
  await bombs();
  const before = process.memoryUsage.rss();
  for (let round = 0; round < 3; round += 1) await bombs();
  const grown = (process.memoryUsage.rss() - before) / MIB;
  // Each round throws 400 MiB unpacked and a gigabyte at it: kept, they would be 4 GB.
  expect(grown).toBeLessThan(400);
});
