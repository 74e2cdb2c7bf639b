import { Server, ServerCredentials, type ServerDuplexStream } from "@grpc/grpc-js";
import {
  type AgentMessage,
  CONTROL_SERVICE,
  create,
  type HubMessage,
  HubMessageSchema,
  INGEST_SERVICE,
  type IngestAnswer,
  IngestAnswerSchema,
  type IngestRequest,
} from "@plimsoll/contracts/wire";
import type { TestAuthority } from "./test-authority.ts";

/** A stream of an agent as the hub has it. */
interface FakeStream<Up, Answer> {
  /** What came, in order. */
  readonly received: Up[];
  /** Common name of the client's certificate. */
  readonly commonName: string;
  /** `host:port` of the connection's other end. */
  readonly peer: string;
  readonly open: boolean;
  say(body: Answer): void;
  end(): void;
}

type ControlAnswer = HubMessage["body"];
type IngestBody = IngestAnswer["body"];
type ControlStream = FakeStream<AgentMessage, ControlAnswer>;
type IngestStream = FakeStream<IngestRequest, IngestBody>;

/** A hub of two streams whose answers a test makes. */
export interface FakeHub {
  readonly address: string;
  readonly controls: ControlStream[];
  readonly ingests: IngestStream[];
  /** Called with each message as it comes. */
  onControl: (message: AgentMessage["body"], stream: ControlStream) => void;
  onIngest: (message: IngestRequest["body"], stream: IngestStream) => void;
  stop(): void;
}

export const SERVER_NAME = "plimsoll-hub";

/** Listens on loopback with a certificate of the authority; asks agents for theirs. `port` 0 = any. */
export async function startFakeHub(authority: TestAuthority, port = 0): Promise<FakeHub> {
  const { certificate, key } = await authority.issueServer([SERVER_NAME]);
  const controls: ControlStream[] = [];
  const ingests: IngestStream[] = [];
  const hub = { onControl: ignore, onIngest: ignore } as Pick<FakeHub, "onControl" | "onIngest">;
  const server = new Server();
  server.addService(CONTROL_SERVICE, {
    connect: (call: ServerDuplexStream<AgentMessage, HubMessage>) =>
      accept<AgentMessage, HubMessage, ControlAnswer>(
        call,
        controls,
        (body) => create(HubMessageSchema, { body }),
        (message, stream) => hub.onControl(message.body, stream),
      ),
  });
  server.addService(INGEST_SERVICE, {
    deliver: (call: ServerDuplexStream<IngestRequest, IngestAnswer>) =>
      accept<IngestRequest, IngestAnswer, IngestBody>(
        call,
        ingests,
        (body) => create(IngestAnswerSchema, { body }),
        (message, stream) => hub.onIngest(message.body, stream),
      ),
  });
  const keys = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  const secure = ServerCredentials.createSsl(Buffer.from(authority.certificate), [keys], true);
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, secure, (error, at) => (error ? reject(error) : resolve(at)));
  });
  return Object.assign(hub, { address: `127.0.0.1:${bound}`, controls, ingests, stop: () => server.forceShutdown() });
}

function ignore(): void {}

function accept<Up, Down, Answer>(
  call: ServerDuplexStream<Up, Down>,
  streams: FakeStream<Up, Answer>[],
  wrap: (body: Answer) => Down,
  listen: (message: Up, stream: FakeStream<Up, Answer>) => void,
): void {
  const received: Up[] = [];
  let open = true;
  const stream: FakeStream<Up, Answer> = {
    received,
    commonName: call.getAuthContext().sslPeerCertificate?.subject.CN?.toString() ?? "",
    peer: call.getPeer(),
    get open() {
      return open;
    },
    say: (body) => call.write(wrap(body)),
    end: () => call.end(),
  };
  streams.push(stream);
  call.on("data", (message: Up) => {
    received.push(message);
    listen(message, stream);
  });
  const close = (): void => {
    open = false;
  };
  call.on("cancelled", close).on("error", close);
  call.on("end", () => {
    close();
    call.end();
  });
}
