import { createSecureContext, type SecureContextOptions } from "node:tls";
import { Client, type ClientDuplexStream, credentials } from "@grpc/grpc-js";
import {
  type AgentMessage,
  AgentMessageSchema,
  CONTROL_SERVICE,
  create,
  type HubMessage,
  INGEST_SERVICE,
  type IngestAnswer,
  type IngestRequest,
  IngestRequestSchema,
} from "@plimsoll/contracts/wire";
import type { JoinedCluster } from "../../testing/test-hub.ts";

type AgentBody = AgentMessage["body"];
type Body<M extends { body: unknown }> = M["body"];

/** One stream of an agent in a test: sends, and takes answers one by one. */
interface TestStream<Up, Down extends { body: unknown }> {
  send(body: Up): void;
  /** Sends bytes that need not be a message. */
  sendRaw(bytes: Uint8Array): void;
  /** The next answer; null when the stream is over. */
  next(): Promise<Body<Down> | null>;
  /** The next answer of a kind, others left out. */
  until(kind: string): Promise<Body<Down>>;
  /** Resolves when the stream is over, with its status. */
  readonly over: Promise<number>;
  cancel(): void;
  end(): void;
}

export type ControlTestStream = TestStream<AgentBody, HubMessage>;
export type IngestTestStream = TestStream<IngestRequest["body"], IngestAnswer>;

/** A client with the credentials of a joined cluster; for tests. */
export interface AgentClient {
  control(): ControlTestStream;
  deliver(): IngestTestStream;
  close(): void;
}

/** Connects with what joining gave, or with other TLS options. */
export function agentClient(cluster: JoinedCluster, tls: SecureContextOptions = {}): AgentClient {
  const context = createSecureContext({
    ca: cluster.caBundle,
    cert: cluster.certificate,
    key: cluster.key,
    minVersion: "TLSv1.3",
    ...tls,
  });
  const client = new Client(cluster.controlAddress, credentials.createFromSecureContext(context), {
    "grpc.ssl_target_name_override": cluster.serverName,
    "grpc.default_authority": cluster.serverName,
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_retries": 0,
  });
  let sequence = 0n;
  return {
    control() {
      const { path, requestSerialize, responseDeserialize } = CONTROL_SERVICE.connect;
      const stream = client.makeBidiStreamRequest(path, rawOr(requestSerialize), responseDeserialize);
      return testStream<AgentBody, AgentMessage, HubMessage>(stream, (body) => {
        sequence += 1n;
        return create(AgentMessageSchema, { sequence, body });
      });
    },
    deliver() {
      const { path, requestSerialize, responseDeserialize } = INGEST_SERVICE.deliver;
      const stream = client.makeBidiStreamRequest(path, rawOr(requestSerialize), responseDeserialize);
      return testStream<IngestRequest["body"], IngestRequest, IngestAnswer>(stream, (body) =>
        create(IngestRequestSchema, { body }),
      );
    },
    close: () => client.close(),
  };
}

function rawOr<M>(serialize: (message: M) => Buffer): (message: M | Uint8Array) => Buffer {
  return (message) => (message instanceof Uint8Array ? Buffer.from(message) : serialize(message));
}

function testStream<Up, M, Down extends { body: { case: unknown } }>(
  stream: ClientDuplexStream<M | Uint8Array, Down>,
  wrap: (body: Up) => M,
): TestStream<Up, Down> {
  const waiting: Down["body"][] = [];
  let done = false;
  let wake: () => void = () => {};
  const over = new Promise<number>((resolve) => stream.on("status", ({ code }) => resolve(code)));
  stream.on("data", (message: Down) => {
    waiting.push(message.body);
    wake();
  });
  stream.on("error", () => {});
  void over.then(() => {
    done = true;
    wake();
  });
  const next = async () => {
    while (waiting.length === 0 && !done) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return waiting.shift() ?? null;
  };
  return {
    send: (body) => void stream.write(wrap(body)),
    sendRaw: (bytes) => void stream.write(bytes),
    next,
    async until(kind) {
      for (let body = await next(); body !== null; body = await next()) if (body.case === kind) return body;
      throw new Error(`the stream ended before ${kind} came`);
    },
    over,
    cancel: () => stream.cancel(),
    end: () => stream.end(),
  };
}
