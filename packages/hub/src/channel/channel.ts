import { Server, type ServerDuplexStream } from "@grpc/grpc-js";
import {
  type AgentMessage,
  CONTROL_SERVICE,
  create,
  DEFAULT_WIRE_LIMITS,
  type HubMessage,
  HubMessageSchema,
  INGEST_SERVICE,
  type IngestAnswer,
  IngestAnswerSchema,
  type IngestRequest,
} from "@plimsoll/contracts/wire";
import { listenFault } from "../config/listen-fault.ts";
import type { Peer } from "./admission.ts";
import { serveControl } from "./control-stream.ts";
import { Inbox } from "./inbox.ts";
import { serveIngest } from "./ingest-stream.ts";
import { policyMessage } from "./policies.ts";
import { type Received, tolerantMethod } from "./received.ts";
import type { StreamDeps } from "./stream-deps.ts";
import { MutualTls13, type PortCertificates } from "./tls-credentials.ts";

/** The port of agents: both services, TLS 1.3 with client certificates of the hub's CA. */
export interface Channel {
  /** Port that it listens on. */
  readonly port: number;
  /** Throws when it does not listen any more. */
  check(): string;
  /** Ends streams, telling agents to come back, and closes the port. */
  stop(): Promise<void>;
}

/** A stream that says nothing more, in bytes around an envelope. */
const FRAME_BYTES = 1024;
/** Streams at once; an agent has two. */
const MOST_STREAMS = 4_000;
const RETRY_AFTER_MS = 10_000;
/** Agents of a hub that stops come back spread over this time, milliseconds. */
const COME_BACK_WITHIN_MS = 2_000;
/** Messages to one agent that wait because it does not read. */
const MOST_UNSENT = 500;
/** How long streams may take to end when the hub stops, milliseconds. */
const STOP_WITHIN_MS = 3_000;

const OPTIONS = {
  "grpc.max_receive_message_length": DEFAULT_WIRE_LIMITS.maxEnvelopeBytes + FRAME_BYTES,
  "grpc.max_concurrent_streams": 8,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 20_000,
  "grpc.max_connection_idle_ms": 300_000,
} as const;

/** Opens the port. Throws `address_in_use` or `address_unusable`. */
export async function openChannel(
  deps: StreamDeps,
  at: { readonly host: string; readonly port: number },
  certificates: PortCertificates,
): Promise<Channel> {
  const server = new Server(OPTIONS);
  const running = new Set<Promise<void>>();
  const serve = (work: Promise<void>): void => {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
  };
  let stopping = false;
  const full = () => stopping || running.size >= MOST_STREAMS;

  server.addService(
    { connect: tolerantMethod(CONTROL_SERVICE.connect) },
    {
      connect: (call: ServerDuplexStream<Received<AgentMessage>, HubMessage>) => {
        const port = { ...portOf(call), send: (message: HubMessage) => sendOrCut(call, message) };
        if (!full()) return serve(serveControl(deps, port));
        const value = { delayMs: RETRY_AFTER_MS, code: "streams_exhausted" };
        port.send(create(HubMessageSchema, { body: { case: "retryAfter", value } }));
        port.end();
      },
    },
  );
  server.addService(
    { deliver: tolerantMethod(INGEST_SERVICE.deliver) },
    {
      deliver: (call: ServerDuplexStream<Received<IngestRequest>, IngestAnswer>) => {
        const port = { ...portOf(call), send: (message: IngestAnswer) => sendDrained(call, message) };
        if (!full()) return serve(serveIngest(deps, port));
        const value = { delayMs: RETRY_AFTER_MS, code: "streams_exhausted" };
        void port.send(create(IngestAnswerSchema, { body: { case: "retryAfter", value } }));
        port.end();
      },
    },
  );
  deps.policies.onChange((policy) => {
    for (const session of deps.sessions.all()) session.send(policyMessage(policy));
  });
  const port = await bind(server, at, certificates);
  return {
    port,
    check: () => {
      if (stopping) throw new Error("it is stopping");
      return `${deps.sessions.controlCount} agents connected`;
    },
    async stop() {
      stopping = true;
      await shutDown(server, deps);
      await Promise.allSettled(running);
    },
  };
}

function bind(server: Server, at: { readonly host: string; readonly port: number }, certificates: PortCertificates) {
  const address = `${at.host.includes(":") ? `[${at.host}]` : at.host}:${at.port}`;
  return new Promise<number>((resolve, reject) => {
    server.bindAsync(address, new MutualTls13(certificates), (error, port) => {
      if (error) reject(listenFault(address, error));
      else resolve(port);
    });
  });
}

/** Streams end by themselves once they are told so; what does not is cut. */
async function shutDown(server: Server, deps: StreamDeps): Promise<void> {
  deps.sessions.moveAll(COME_BACK_WITHIN_MS);
  const cancel = deps.clock.setTimer(STOP_WITHIN_MS, () => server.forceShutdown());
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  cancel();
}

function portOf<Up>(call: ServerDuplexStream<Received<Up>, unknown>) {
  return { inbox: new Inbox<Received<Up>>(call), peer: peerOf(call), end: () => void (call.writable && call.end()) };
}

/** The holder of the client certificate; TLS has checked that our CA signed it. */
function peerOf(call: ServerDuplexStream<never, never> | ServerDuplexStream<unknown, unknown>): Peer {
  const certificate = call.getAuthContext()?.sslPeerCertificate;
  const name: unknown = certificate?.subject.CN;
  return {
    clusterId: typeof name === "string" ? name : "",
    serial: (certificate?.serialNumber ?? "").toLowerCase(),
    address: call.getPeer(),
  };
}

/** A peer that does not take what it is sent is cut off before that fills the memory. */
function sendOrCut(call: ServerDuplexStream<unknown, HubMessage>, message: HubMessage): void {
  if (!call.writable) return;
  if (call.writableLength < MOST_UNSENT) call.write(message);
  else call.destroy();
}

function sendDrained(call: ServerDuplexStream<unknown, IngestAnswer>, message: IngestAnswer): Promise<void> {
  if (!call.writable || call.write(message)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ["drain", "close", "cancelled"]) call.off(event, done);
      resolve();
    };
    for (const event of ["drain", "close", "cancelled"]) call.on(event, done);
  });
}
