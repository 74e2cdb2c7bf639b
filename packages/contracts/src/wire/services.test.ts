import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { AgentMessageSchema, HubMessageSchema } from "../gen/plimsoll/v1/control_pb.ts";
import { IngestAnswerSchema, IngestRequestSchema } from "../gen/plimsoll/v1/ingest_pb.ts";
import { fromAck, toAck } from "./ack-message.ts";
import { sealBatch } from "./seal-batch.ts";
import { CONTROL_SERVICE, INGEST_SERVICE, MAX_CONTROL_BYTES } from "./services.ts";
import { EXAMPLE_BATCHES, EXAMPLE_FACTS, EXAMPLE_KEY } from "./testing/example-rows.ts";

test("the methods have the paths that every gRPC library derives from the schema", () => {
  expect(CONTROL_SERVICE.connect.path).toBe("/plimsoll.v1.Control/Connect");
  expect(INGEST_SERVICE.deliver.path).toBe("/plimsoll.v1.Ingest/Deliver");
});

test.each<MessageInitShape<typeof AgentMessageSchema>["body"]>([
  {
    case: "hello",
    value: { clusterId: "prod-eu", incarnation: 2, agentVersion: "0.1.0", capabilities: ["report_now"] },
  },
  { case: "heartbeat", value: { agentClockMs: 5n, clockOffsetMs: -7n, spool: { spoolId: "a", batches: 3n } } },
  { case: "policyApplied", value: { revision: 9n, errorCode: "policy_invalid" } },
  { case: "commandResult", value: { id: "c1", state: 2, output: Buffer.of(1, 2) } },
  { case: "goodbye", value: { reason: "rolling update" } },
])("an agent's $case goes up", (body) => {
  const message = create(AgentMessageSchema, { sequence: 1n, body });
  const { requestSerialize, requestDeserialize } = CONTROL_SERVICE.connect;
  expect(requestDeserialize(requestSerialize(message))).toEqual(message);
});

test.each<MessageInitShape<typeof HubMessageSchema>["body"]>([
  { case: "welcome", value: { hubVersion: "0.1.0", wireMinor: 1, sessionEpoch: 4n, heartbeatMs: 30_000 } },
  { case: "heartbeatAnswer", value: { agentClockMs: 5n, hubClockMs: 6n } },
  {
    case: "policy",
    value: {
      revision: 3n,
      sampleIntervalMs: 60_000,
      routes: { destinations: [{ name: "home", channel: { case: "grpc", value: { address: "hub:443" } } }] },
    },
  },
  { case: "command", value: { id: "c1", action: { case: "resend", value: { ranges: [{ first: 1n, last: 5n }] } } } },
  { case: "retryAfter", value: { delayMs: 1_000, code: "overloaded" } },
  { case: "fenced", value: { sessionEpoch: 5n } },
  { case: "deregistered", value: { incarnation: 2 } },
  { case: "refused", value: { code: "agent_too_old" } },
  { case: "move", value: { withinMs: 5_000 } },
])("a hub's $case goes down", (body) => {
  const message = create(HubMessageSchema, { body });
  const { responseSerialize, responseDeserialize } = CONTROL_SERVICE.connect;
  expect(responseDeserialize(responseSerialize(message))).toEqual(message);
});

test("an envelope passes the ingest stream as the very bytes that were sealed", () => {
  for (const batch of EXAMPLE_BATCHES) {
    const { bytes } = sealBatch(EXAMPLE_KEY, batch, EXAMPLE_FACTS);
    const message = create(IngestRequestSchema, { body: { case: "envelope", value: bytes } });
    const { requestSerialize, requestDeserialize } = INGEST_SERVICE.deliver;
    const { body } = requestDeserialize(requestSerialize(message));
    expect(body.case === "envelope" && Buffer.from(body.value)).toEqual(Buffer.from(bytes));
  }
});

test("an acknowledgement carries the mark and what is durable above it", () => {
  const mark = {
    spoolId: "0198c1f2-77aa",
    contiguous: 41,
    ranges: [
      { first: 43, last: 43 },
      { first: 50, last: 99 },
    ],
  };
  const answer = create(IngestAnswerSchema, { body: { case: "ack", value: toAck(mark) } });
  const { responseSerialize, responseDeserialize } = INGEST_SERVICE.deliver;
  const { body } = responseDeserialize(responseSerialize(answer));
  expect(body.case === "ack" && fromAck(body.value)).toEqual(mark);
});

test.each([
  ["overlaps the contiguous part", 5, [{ first: 5, last: 9 }]],
  ["touches the contiguous part", 5, [{ first: 6, last: 9 }]],
  ["ends before it begins", 5, [{ first: 9, last: 8 }]],
  [
    "overlaps the range before",
    5,
    [
      { first: 7, last: 9 },
      { first: 9, last: 12 },
    ],
  ],
  ["is beyond 53 bits", 5, [{ first: 7, last: 2 ** 53 }]],
])("an acknowledgement whose range %s is refused", (_, contiguous, ranges) => {
  const ack = toAck({ spoolId: "a", contiguous, ranges });
  expect(() => fromAck(ack)).toThrow(expect.objectContaining({ code: "message_invalid" }));
});

const hello = create(AgentMessageSchema, { body: { case: "hello", value: { clusterId: "abc" } } });
test.each([
  ["cut", Buffer.from(toBinary(AgentMessageSchema, hello)).subarray(0, 4), /cannot be read/],
  ["no protobuf", Buffer.from("GET / HTTP/1.1"), /cannot be read/],
  ["too large", Buffer.alloc(MAX_CONTROL_BYTES + 1), /262145 bytes, more than 262144/],
])("a control message that is %s is refused with a code", (_, bytes, message) => {
  const refused = { code: "message_invalid", message: expect.stringMatching(message) };
  expect(() => CONTROL_SERVICE.connect.requestDeserialize(bytes)).toThrow(expect.objectContaining(refused));
});

test("noise of unknown fields takes no memory", () => {
  const noise = Buffer.alloc(MAX_CONTROL_BYTES, Buffer.from([0xfa, 0x01, 0x00, 0x00]).subarray(0, 3));
  const aligned = noise.subarray(0, noise.length - (noise.length % 3));
  expect(CONTROL_SERVICE.connect.requestDeserialize(aligned).$unknown).toBeUndefined();
  expect(fromBinary(AgentMessageSchema, aligned).$unknown?.length).toBeGreaterThan(80_000);
});
