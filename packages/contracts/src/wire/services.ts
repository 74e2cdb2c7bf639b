import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Control } from "../gen/plimsoll/v1/control_pb.ts";
import { Ingest } from "../gen/plimsoll/v1/ingest_pb.ts";
import { DEFAULT_WIRE_LIMITS } from "./limits.ts";
import { refuseMessage } from "./message-values.ts";

/** Greatest message of the control stream: a report of a large cluster is a tenth of it. */
export const MAX_CONTROL_BYTES = 256 * 1024;

/** What an ingest message has around its envelope. */
const INGEST_FRAME_BYTES = 64;

/** A bidirectional method in the form that gRPC libraries take as a method definition. */
export interface StreamMethod<Up, Down> {
  readonly path: string;
  readonly requestStream: true;
  readonly responseStream: true;
  readonly requestSerialize: (message: Up) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Up;
  readonly responseSerialize: (message: Down) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Down;
}

/** Service Control: `AgentMessage` up, `HubMessage` down. Deserializing throws `message_invalid`. */
export const CONTROL_SERVICE = { connect: streamMethod(Control.method.connect, MAX_CONTROL_BYTES) };

/** Service Ingest: `IngestRequest` up, `IngestAnswer` down. Deserializing throws `message_invalid`. */
export const INGEST_SERVICE = {
  deliver: streamMethod(Ingest.method.deliver, DEFAULT_WIRE_LIMITS.maxEnvelopeBytes + INGEST_FRAME_BYTES),
};

function streamMethod<Up extends DescMessage, Down extends DescMessage>(
  method: {
    readonly name: string;
    readonly parent: { readonly typeName: string };
    readonly input: Up;
    readonly output: Down;
  },
  maxBytes: number,
): StreamMethod<MessageShape<Up>, MessageShape<Down>> {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: true,
    responseStream: true,
    requestSerialize: (message) => serialize(method.input, message),
    requestDeserialize: (bytes) => deserialize(method.input, bytes, maxBytes),
    responseSerialize: (message) => serialize(method.output, message),
    responseDeserialize: (bytes) => deserialize(method.output, bytes, maxBytes),
  };
}

function serialize<M extends DescMessage>(schema: M, message: MessageShape<M>): Buffer {
  const bytes = toBinary(schema, message);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function deserialize<M extends DescMessage>(schema: M, bytes: Uint8Array, maxBytes: number): MessageShape<M> {
  if (bytes.length > maxBytes) refuseMessage(schema.name, `has ${bytes.length} bytes, more than ${maxBytes}`);
  try {
    // The peers of a stream are its ends: nothing is forwarded, so what a later release added need not be kept.
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return refuseMessage(schema.name, `cannot be read as protobuf (${reason})`);
  }
}
