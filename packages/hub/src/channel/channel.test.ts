import { connect } from "node:tls";
import { status as GrpcStatus } from "@grpc/grpc-js";
import { ClusterView } from "@plimsoll/contracts/rest";
import {
  type AgentMessage,
  type BatchKey,
  create,
  type DynamicFacts,
  DynamicReportSchema,
  fromAck,
  Health,
  sealBatch,
  toDynamicReport,
} from "@plimsoll/contracts/wire";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sampleRow } from "../../../../test/hub/facts.ts";
import { createManualClock, type ManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { dynamicFacts } from "../testing/dynamic-facts.ts";
import { type JoinedCluster, startTestHub, type TestHub } from "../testing/test-hub.ts";
import {
  type AgentClient,
  agentClient,
  type ControlTestStream,
  type IngestTestStream,
} from "./testing/agent-client.ts";

let hub: TestHub;
let clock: ManualClock;
let cluster: JoinedCluster;
const clients: AgentClient[] = [];

beforeEach(async () => {
  clock = createManualClock(Date.now());
  hub = await startTestHub({}, { clock });
  cluster = await hub.join("prod-eu");
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await hub.remove();
});

function dial(of: JoinedCluster = cluster): AgentClient {
  const client = agentClient(of);
  clients.push(client);
  return client;
}

type HelloChange = Partial<{
  clusterId: string;
  incarnation: number;
  fingerprint: string;
  agentVersion: string;
  instance: string;
  instanceStartedMs: bigint;
}>;

function hello(change: HelloChange = {}, of: JoinedCluster = cluster): AgentMessage["body"] {
  return {
    case: "hello",
    value: {
      $typeName: "plimsoll.v1.Hello",
      clusterId: of.clusterId,
      incarnation: of.incarnation,
      fingerprint: of.fingerprint,
      agentVersion: "0.1.0",
      instance: "agent-1",
      instanceStartedMs: 1n,
      agentClockMs: BigInt(clock.now()),
      policyRevision: 0n,
      capabilities: ["report_now"],
      ...change,
    },
  };
}

function beat(health: Health = Health.HEALTHY): AgentMessage["body"] {
  return {
    case: "heartbeat",
    value: {
      $typeName: "plimsoll.v1.Heartbeat",
      agentClockMs: BigInt(clock.now() - 7_000),
      roundTripMs: 0,
      clockOffsetMs: 0n,
      health,
    },
  };
}

function report(facts: DynamicFacts): AgentMessage["body"] {
  return { case: "dynamicReport", value: toDynamicReport(facts) };
}

async function connected(change: HelloChange = {}, client = dial()): Promise<ControlTestStream> {
  const stream = client.control();
  stream.send(hello(change));
  await stream.until("welcome");
  return stream;
}

/** Sends a beat and waits for its answer: what was sent before it has been handled. */
async function settle(stream: ControlTestStream): Promise<void> {
  stream.send(beat());
  await stream.until("heartbeatAnswer");
}

const view = () => hub.get(`/api/v1/clusters/${cluster.clusterId}`, ClusterView);

describe("an agent that says hello", () => {
  test("is welcomed with epoch, hub time and policy, and its cluster is online", async () => {
    expect((await view()).connectivity.state).toBe("never-seen");
    const stream = dial().control();
    stream.send(hello());
    expect(await stream.next()).toMatchObject({
      case: "welcome",
      value: {
        hubVersion: "0.1.0",
        sessionEpoch: 1n,
        hubClockMs: BigInt(clock.now()),
        heartbeatMs: 30_000,
        fleetSize: 1,
      },
    });
    expect(await stream.next()).toMatchObject({ case: "policy", value: { revision: 1n, sampleIntervalMs: 60_000 } });
    await settle(stream);
    expect((await view()).connectivity.state).toBe("online");
  });

  test("has its beats answered with its own clock and the hub's, and its health shown", async () => {
    const stream = await connected();
    const sent = clock.now() - 7_000;
    stream.send(beat(Health.DEGRADED));
    expect(await stream.until("heartbeatAnswer")).toMatchObject({
      value: { agentClockMs: BigInt(sent), hubClockMs: BigInt(clock.now()) },
    });
    expect((await view()).record).toMatchObject({ health_status: "degraded", connectivity: "online" });
  });

  test("has its reports shown: record, watermarks to the last digit, versions", async () => {
    const stream = await connected();
    stream.send(report(dynamicFacts(clock.now() - 1_000)));
    await settle(stream);
    const shown = await view();
    expect(shown.record).toMatchObject({
      k8s_version: "v1.33.4",
      cluster_type: "EKS",
      node_count: 3,
      resource_version: 2,
    });
    expect(shown.watermarks?.find(({ resource }) => resource === "memory")).toMatchObject({
      allocatable: "9007199254740993",
      used: null,
    });
    expect(shown.nodes).toMatchObject({ total: 3, reportingUsage: 2 });
    expect(shown.observedAt).toBe(new Date(clock.now() - 1_000).toISOString());
  });

  test("falls silent: late, then offline with health unknown, and back with the next beat", async () => {
    const stream = await connected();
    stream.send(report(dynamicFacts(clock.now())));
    await settle(stream);
    clock.advance(60_000);
    expect((await view()).connectivity.state).toBe("late");
    clock.advance(60_000);
    const silent = await view();
    expect(silent.connectivity.state).toBe("offline");
    expect(silent.record).toMatchObject({ health_status: "unknown", k8s_version: "v1.33.4" });
    await settle(stream);
    expect((await view()).connectivity.state).toBe("online");
  });

  test("hears of a changed policy at once", async () => {
    const stream = await connected();
    await stream.until("policy");
    const change = { method: "PUT", body: { sampleIntervalMs: 15_000 } };
    expect((await hub.ask("/api/v1/policy", change)).body).toMatchObject({ sampleIntervalMs: 15_000, revision: 2 });
    expect(await stream.until("policy")).toMatchObject({ value: { revision: 2n, sampleIntervalMs: 15_000 } });
  });

  test("hears how large its spool may be once a person says so; before it keeps its own limits", async () => {
    const stream = await connected();
    expect(await stream.until("policy")).toMatchObject({ value: { spoolMaxBytes: 0n, spoolMaxAgeSeconds: 0 } });
    const put = (body: object) => hub.ask("/api/v1/policy", { method: "PUT", body });
    const limits = { spoolMaxBytes: 2 ** 31, spoolMaxAgeSeconds: 86_400 };
    expect((await put(limits)).body).toMatchObject({ ...limits, revision: 2 });
    const told = { spoolMaxBytes: 2n ** 31n, spoolMaxAgeSeconds: 86_400 };
    expect(await stream.until("policy")).toMatchObject({ value: { revision: 2n, ...told } });
    expect((await put({ spoolMaxBytes: 1_000 })).status).toBe(400);
    expect((await put({ spoolMaxBytes: null })).body).toMatchObject({ spoolMaxBytes: null, revision: 3 });
    expect(await stream.until("policy")).toMatchObject({ value: { spoolMaxBytes: 0n, spoolMaxAgeSeconds: 86_400 } });
  });
});

describe("one session a cluster", () => {
  test("a newer one fences the older, and the older one's reports are not applied", async () => {
    const older = await connected({ instance: "agent-1" });
    const newer = await connected({ instance: "agent-2" });
    expect(await older.until("fenced")).toMatchObject({ value: { sessionEpoch: 2n, instance: "agent-2" } });
    older.send(report(dynamicFacts(clock.now(), { k8s_version: "v9.9.9" })));
    expect(await older.over).toBe(GrpcStatus.OK);
    newer.send(report(dynamicFacts(clock.now())));
    await settle(newer);
    expect((await view()).record).toMatchObject({ k8s_version: "v1.33.4" });
  });

  test("the same process that comes back is not told that it is fenced", async () => {
    const older = await connected();
    await connected();
    const answers = [];
    for (let body = await older.next(); body !== null; body = await older.next()) answers.push(body.case);
    expect(answers).not.toContain("fenced");
  });

  test("data streams of the older process end too, those of the same one stay", async () => {
    const older = await connected({ instance: "agent-1" });
    const data = await delivering({ instance: "agent-1", sessionEpoch: 1n });
    await connected({ instance: "agent-1", instanceStartedMs: 1n });
    data.send({ case: "envelope", value: envelope(1) });
    expect(await data.next()).toMatchObject({ case: "ack" });
    await connected({ instance: "agent-2" });
    expect(await data.until("fenced")).toMatchObject({ value: { instance: "agent-2" } });
    expect(await older.over).toBe(GrpcStatus.OK);
    const late = dial().deliver();
    late.send(ingestHello({ instance: "agent-1", sessionEpoch: 1n }));
    expect(await late.next()).toMatchObject({ case: "fenced" });
  });
});

describe("an agent is refused", () => {
  const other = "0198c1f2-0000-7000-8000-00000000dead";
  test.each<[string, HelloChange, string]>([
    ["that says it is another cluster", { clusterId: other }, "certificate_wrong"],
    ["whose cluster was built anew", { fingerprint: "another" }, "fingerprint_changed"],
    ["that is too new", { agentVersion: "0.2.0" }, "agent_too_new"],
    ["without a version", { agentVersion: "" }, "agent_version_invalid"],
  ])("%s", async (_, change, code) => {
    const stream = dial().control();
    stream.send(hello(change));
    expect(await stream.next()).toMatchObject({ case: "refused", value: { code } });
    expect(await stream.over).toBe(GrpcStatus.OK);
    const data = dial().deliver();
    data.send(ingestHello(change));
    if (code === "fingerprint_changed") expect(await data.next()).toMatchObject({ case: "welcome" });
    else expect(await data.next()).toMatchObject({ case: "refused", value: { code } });
  });

  test("of an incarnation that is gone: it shall stop", async () => {
    const stream = dial().control();
    stream.send(hello({ incarnation: 7 }));
    expect(await stream.next()).toMatchObject({ case: "deregistered", value: { incarnation: 7 } });
  });

  test("whose certificate another joining has replaced, also while it is connected", async () => {
    const stream = await connected();
    const before = dial();
    await hub.join("prod-eu");
    expect(await stream.until("refused")).toMatchObject({ value: { code: "certificate_revoked" } });
    const again = before.control();
    again.send(hello());
    expect(await again.next()).toMatchObject({ case: "refused", value: { code: "certificate_revoked" } });
  });

  test("that does not begin with a hello", async () => {
    const stream = dial().control();
    stream.send(beat());
    expect(await stream.next()).toMatchObject({ case: "refused", value: { code: "hello_missing" } });
    const data = dial().deliver();
    data.send({ case: "envelope", value: new Uint8Array() });
    expect(await data.next()).toMatchObject({ case: "refused", value: { code: "hello_missing" } });
  });

  test("that says nothing for ten seconds", async () => {
    const silent = dial().control();
    await vi.waitFor(() => expect(clock.timers).toContain(10_000));
    clock.advance(9_999);
    clock.advance(1);
    expect(await silent.next()).toMatchObject({ case: "refused", value: { code: "hello_missing" } });
  });

  test("as a relay", async () => {
    const data = dial().deliver();
    data.send(ingestHello({ relay: "hub-b" }));
    expect(await data.next()).toMatchObject({ case: "refused", value: { code: "relay_unknown" } });
  });
});

test("a cluster whose agents connect in a loop is asked to stay away, and others are not", async () => {
  const client = dial();
  for (let hellos = 0; hellos < 10; hellos += 1) await connected({}, client);
  const stream = client.control();
  stream.send(hello());
  expect(await stream.next()).toMatchObject({ case: "retryAfter", value: { delayMs: 3_000, code: "hub_busy" } });
  const neighbour = await hub.join("prod-us");
  const other = dial(neighbour).control();
  other.send(hello({}, neighbour));
  expect(await other.next()).toMatchObject({ case: "welcome" });
});

describe("TLS", () => {
  test("below 1.3 is refused", async () => {
    const [host = "", port = ""] = hub.controlAddress.split(":");
    const { certificate: cert, key, caBundle: ca, serverName: servername } = cluster;
    const protocols = await Promise.all(
      (["TLSv1.2", "TLSv1.3"] as const).map(
        (version) =>
          new Promise((resolve) => {
            const tls = { cert, key, ca, servername, minVersion: version, maxVersion: version, ALPNProtocols: ["h2"] };
            const socket = connect({ host, port: Number(port), ...tls }, () => {
              resolve(socket.getProtocol());
              socket.destroy();
            });
            socket.on("error", (error) => resolve("code" in error ? error.code : error.message));
          }),
      ),
    );
    expect(protocols).toEqual(["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "TLSv1.3"]);
  });

  test("without a certificate, or with one of another hub, is refused", async () => {
    const elsewhere = await startTestHub();
    const foreign = await elsewhere.join("prod-eu");
    await elsewhere.remove();
    for (const tls of [
      { cert: undefined, key: undefined },
      { cert: foreign.certificate, key: foreign.key },
    ]) {
      const client = agentClient(cluster, tls);
      clients.push(client);
      const stream = client.control();
      stream.send(hello());
      expect([await stream.next(), await stream.over]).toEqual([null, GrpcStatus.UNAVAILABLE]);
    }
  });
});

describe("bad messages", () => {
  const cases: readonly [string, (stream: ControlTestStream) => void][] = [
    ["no protobuf", (stream) => stream.sendRaw(Buffer.from("GET / HTTP/1.1"))],
    ["above the limit", (stream) => stream.sendRaw(Buffer.alloc(300_000, 1))],
  ];
  test.each(cases)(
    "%s: its stream is refused with a code, another cluster's goes on, and it is counted",
    async (_, spoil) => {
      const neighbour = await hub.join("prod-us");
      const fine = dial(neighbour).control();
      fine.send(hello({}, neighbour));
      await fine.until("welcome");
      const stream = await connected();
      spoil(stream);
      expect(await stream.until("refused")).toMatchObject({ value: { code: "message_invalid" } });
      expect(await stream.over).toBe(GrpcStatus.OK);
      await settle(fine);
      expect((await hub.ask("/metrics")).text).toContain(
        'plimsoll_stream_refusals_total{stream="control",code="message_invalid"} 1',
      );
    },
  );

  test("a message larger than any envelope ends its stream only", async () => {
    const fine = await connected();
    const data = await delivering();
    data.sendRaw(Buffer.alloc(4 * 1024 * 1024 + 4_096));
    expect(await data.over).toBe(GrpcStatus.RESOURCE_EXHAUSTED);
    await settle(fine);
  });

  const reports: readonly [string, DynamicFacts | null][] = [
    ["of the year 1", dynamicFacts(-62_000_000_000_000)],
    ["of the year 3000", dynamicFacts(Date.UTC(3000, 0, 1))],
    ["without a time", null],
  ];
  test.each(reports)("a report %s is left out, and the stream goes on", async (_, facts) => {
    const stream = await connected();
    stream.send(facts ? report(facts) : { case: "dynamicReport", value: create(DynamicReportSchema) });
    stream.send(report(dynamicFacts(clock.now())));
    await settle(stream);
    expect((await view()).record).toMatchObject({ resource_version: 2, k8s_version: "v1.33.4" });
  });

  test("a stream of bad reports is refused", async () => {
    const stream = await connected();
    for (let sent = 0; sent < 12; sent += 1) stream.send(report(dynamicFacts(0)));
    expect(await stream.until("refused")).toMatchObject({ value: { code: "message_invalid" } });
  });

  test("who sends faster than an agent does waits, and nothing is lost", async () => {
    const stream = await connected();
    for (let sent = 0; sent < 70; sent += 1) stream.send(beat());
    for (let answered = 0; answered < 60; answered += 1) await stream.until("heartbeatAnswer");
    for (let answered = 60; answered < 70; answered += 1) {
      const next = stream.until("heartbeatAnswer");
      clock.advance(1_000);
      await next;
    }
  });
});

type IngestChange = HelloChange & Partial<{ sessionEpoch: bigint; relay: string; spools: string[] }>;

function ingestHello(change: IngestChange = {}): Parameters<IngestTestStream["send"]>[0] {
  const { spools = [], fingerprint: _, instanceStartedMs: __, ...rest } = change;
  return {
    case: "hello",
    value: {
      $typeName: "plimsoll.v1.IngestHello",
      clusterId: cluster.clusterId,
      incarnation: cluster.incarnation,
      agentVersion: "0.1.0",
      instance: "agent-1",
      sessionEpoch: 0n,
      relay: "",
      ...rest,
      spools: spools.map((spoolId) => ({
        $typeName: "plimsoll.v1.SpoolState" as const,
        spoolId,
        firstSequence: 1n,
        lastSequence: 9n,
      })),
    },
  };
}

async function delivering(change: IngestChange = {}): Promise<IngestTestStream> {
  const stream = dial().deliver();
  stream.send(ingestHello(change));
  await stream.until("welcome");
  return stream;
}

function envelope(sequence: number, change: Partial<BatchKey> = {}): Uint8Array {
  const { clusterId, incarnation } = cluster;
  const at = Math.floor(clock.now() / 300_000) * 300_000 - 300_000;
  const facts = { sealedAtMs: clock.now(), agentClockMs: clock.now(), policyRevision: 1, replaces: null };
  const rows = [sampleRow({ windowStartMs: at, subject: `node-${sequence}` })];
  return sealBatch({ clusterId, incarnation, spoolId: "spool-a", sequence, ...change }, { kind: "sample", rows }, facts)
    .bytes;
}

describe("batches", () => {
  test("are acknowledged when they are durable; a reconnected agent hears the mark", async () => {
    const stream = await delivering();
    for (const sequence of [1, 2, 3]) stream.send({ case: "envelope", value: envelope(sequence) });
    let contiguous = 0;
    while (contiguous < 3) {
      const answer = await stream.next();
      if (answer?.case !== "ack") throw new Error(`${answer?.case} is no ack`);
      contiguous = fromAck(answer.value).contiguous;
    }
    const again = dial().deliver();
    again.send(ingestHello({ spools: ["spool-a", "spool-new"] }));
    expect(await again.next()).toMatchObject({
      case: "welcome",
      value: {
        marks: [
          { spoolId: "spool-a", contiguous: 3n },
          { spoolId: "spool-new", contiguous: 0n },
        ],
      },
    });
  });

  test("sent again are acknowledged and count once", async () => {
    const stream = await delivering();
    stream.send({ case: "envelope", value: envelope(1) });
    await stream.until("ack");
    stream.send({ case: "envelope", value: envelope(1) });
    await stream.until("ack");
    expect((await hub.ask("/metrics")).text).toMatch(/plimsoll_ingest_rows_total\{kind="sample"\} 1\n/);
  });

  test("that are bad are rejected one by one, and those behind them are not held up", async () => {
    const stream = await delivering();
    const damaged = Buffer.from(envelope(1));
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    stream.send({ case: "envelope", value: damaged });
    stream.send({ case: "envelope", value: envelope(2, { clusterId: "somebody-else" }) });
    stream.send({ case: "envelope", value: new Uint8Array() });
    stream.send({ case: "envelope", value: envelope(3) });
    const answers: Record<string, number> = {};
    const named: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const answer = await stream.next();
      const name = answer?.case === "reject" ? answer.value.code : String(answer?.case);
      if (answer?.case === "reject")
        named.push(`${answer.value.code} ${answer.value.spoolId} ${answer.value.sequence}`);
      answers[name] = (answers[name] ?? 0) + 1;
    }
    expect(answers).toMatchObject({ ack: 1, batch_of_other_cluster: 1 });
    // So that its sender lets go of it.
    expect(named).toContain("batch_of_other_cluster spool-a 2");
    expect(Object.values(answers).reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  test("on their way when the agent closes its side are still answered", async () => {
    const stream = await delivering();
    for (let sequence = 1; sequence <= 5; sequence += 1) stream.send({ case: "envelope", value: envelope(sequence) });
    stream.end();
    let last = 0n;
    for (let body = await stream.next(); body !== null; body = await stream.next()) {
      if (body.case === "ack" && body.value.contiguous > last) last = body.value.contiguous;
    }
    expect(last).toBe(5n);
  });
});

test("a hub that stops asks its agents to come back, and is gone within seconds", async () => {
  const stream = await connected();
  const data = await delivering();
  await hub.stop();
  expect(await stream.until("move")).toMatchObject({ value: { withinMs: 2_000 } });
  expect(await data.until("move")).toMatchObject({ value: { withinMs: 2_000 } });
});

test("a stopped hub that starts again knows its clusters, gives newer epochs, and calls nobody silent", async () => {
  const stream = await connected();
  stream.send(report(dynamicFacts(clock.now())));
  await settle(stream);
  await hub.stop();
  clock.advance(240_000);
  hub = await startTestHub({ dataDir: hub.dataDir }, { clock });
  const shown = await view();
  expect(shown.connectivity.state).toBe("online");
  expect(shown.record).toMatchObject({ k8s_version: "v1.33.4", health_status: "healthy" });
  const client = dial({ ...cluster, controlAddress: hub.controlAddress });
  const again = client.control();
  again.send(hello());
  expect(await again.next()).toMatchObject({ case: "welcome", value: { sessionEpoch: 2n } });
});
