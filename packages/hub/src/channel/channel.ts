import { Server, type ServerDuplexStream } from "@grpc/grpc-js";
import { PlimsollError } from "@plimsoll/contracts";
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
import { AnswerWriter } from "./answer-writer.ts";
import { serveControl } from "./control-stream.ts";
import { Inbox } from "./inbox.ts";
import { type MeteredIngestDeps, serveIngest } from "./ingest-stream.ts";
import { MeteredCalls, type MeteredStream } from "./metered-calls.ts";
import { policyMessage } from "./policies.ts";
import { type Received, tolerantMethod } from "./received.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";
import type { ControlStreamDeps, IngestStreamDeps } from "./stream-deps.ts";
import { StreamPlaces } from "./stream-places.ts";
import { MutualTls13, type PortCertificates } from "./tls-credentials.ts";

/** The services that a port has; one that it has not is answered as gRPC answers what is not there: unimplemented. */
export interface Served {
  readonly control: ControlStreamDeps | null;
  readonly ingest: IngestStreamDeps | null;
}

/** The port of agents, TLS 1.3 with client certificates of the hub's CA. */
export interface Channel {
  /** Port that it listens on. */
  readonly port: number;
  /** Says who is connected and what data streams hold. Throws when it does not listen any more. */
  check(): string;
  /** Tells every agent the policy, and with it where batches go. */
  tellPolicy(): void;
  /** Ends streams, telling agents to come back, and closes the port. */
  stop(): Promise<void>;
}

/** What is around an envelope. */
const FRAME_BYTES = 1024;
const RETRY_AFTER_MS = 10_000;
/** Agents of a hub that stops come back spread over this time, milliseconds. */
const COME_BACK_WITHIN_MS = 2_000;
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
  served: Served,
  at: { readonly host: string; readonly port: number },
  certificates: PortCertificates,
): Promise<Channel> {
  const { control, ingest } = served;
  const calls = new MeteredCalls({
    memberOf: peerName,
    onRefused: (path, cluster) => noteOversize(served, path, cluster),
  });
  const server = new Server({ ...OPTIONS, interceptors: [calls.interceptor] });
  const places = new StreamPlaces();
  if (control) addControl(server, control, calls, places);
  if (ingest) addIngest(server, { ...ingest, intake: calls.ingest }, calls, places);
  const tellPolicy = (): void => {
    if (!control) return;
    const message = policyMessage(control.policies.current(), control.ingestAddress());
    for (const session of control.sessions.all()) session.send(message);
  };
  control?.policies.onChange(tellPolicy);
  const port = await bind(server, at, certificates);
  return {
    port,
    check: () => {
      if (places.isClosed) throw new Error("it is stopping");
      const agents = control
        ? `${control.sessions.controlCount} agents connected`
        : `${ingest?.sessions.dataCount ?? 0} agents deliver`;
      return `${agents}, ${calls.ingest.heldBytes} bytes held, ${calls.ingest.waitingStreams} streams held back`;
    },
    tellPolicy,
    async stop() {
      places.close();
      await shutDown(server, served);
      // A stream whose end nobody tells of does not keep the hub from stopping.
      await Promise.race([places.empty(), new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())]);
    },
  };
}

/** A message that the library refused: it is larger than any envelope. */
function noteOversize(served: Served, path: string, cluster: string): void {
  const stream = path === INGEST_SERVICE.deliver.path ? "ingest" : "control";
  const deps = served[stream];
  deps?.onRefused(stream, "message_invalid");
  deps?.log("warn", `${stream}_refused`, { cluster, code: "message_invalid", message: "larger than any envelope" });
}

function addControl(server: Server, deps: ControlStreamDeps, calls: MeteredCalls, places: StreamPlaces): void {
  const connect = (call: ServerDuplexStream<Received<AgentMessage>, HubMessage>): void => {
    const stream = calls.streamOf(call.metadata);
    const port = { ...portOf(call), send: (message: HubMessage) => sendOrCut(call, stream, message) };
    if (places.take(port.peer.clusterId, () => serveControl(deps, port), stream)) return;
    deps.onRefused("control", "streams_exhausted");
    const value = { delayMs: RETRY_AFTER_MS, code: "streams_exhausted" };
    port.send(create(HubMessageSchema, { body: { case: "retryAfter", value } }));
    port.end();
  };
  server.addService({ connect: tolerantMethod(CONTROL_SERVICE.connect) }, { connect });
}

function addIngest(server: Server, deps: MeteredIngestDeps, calls: MeteredCalls, places: StreamPlaces): void {
  const deliver = (call: ServerDuplexStream<Received<IngestRequest>, IngestAnswer>): void => {
    const stream = calls.streamOf(call.metadata);
    const unread = (): void => {
      const { code, message } = new PlimsollError("answers_unread", { seconds: STREAM_BOUNDS.answersWithinMs / 1000 });
      deps.onRefused("ingest", code);
      deps.log("warn", "ingest_refused", { cluster: peerName(call), code, message });
      stream?.cut();
    };
    const answers = new AnswerWriter(call, deps.clock, unread);
    const port = { ...portOf(call), send: (message: IngestAnswer) => answers.write(message) };
    if (places.take(port.peer.clusterId, () => serveIngest(deps, port), stream)) return;
    deps.onRefused("ingest", "streams_exhausted");
    const value = { delayMs: RETRY_AFTER_MS, code: "streams_exhausted" };
    void port.send(create(IngestAnswerSchema, { body: { case: "retryAfter", value } }));
    port.end();
  };
  server.addService({ deliver: tolerantMethod(INGEST_SERVICE.deliver) }, { deliver });
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
async function shutDown(server: Server, { control, ingest }: Served): Promise<void> {
  for (const sessions of new Set([control?.sessions, ingest?.sessions])) sessions?.move("all", COME_BACK_WITHIN_MS);
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => {
      server.forceShutdown();
      // Connections that were cut are not always told of.
      resolve();
    }, STOP_WITHIN_MS);
    server.tryShutdown(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}

function portOf<Up>(call: ServerDuplexStream<Received<Up>, unknown>) {
  return { inbox: new Inbox<Received<Up>>(call), peer: peerOf(call), end: () => void (call.writable && call.end()) };
}

/** The holder of the client certificate; TLS has checked that our CA signed it. */
function peerOf(call: ServerDuplexStream<never, never> | ServerDuplexStream<unknown, unknown>): Peer {
  return {
    clusterId: peerName(call),
    serial: (call.getAuthContext()?.sslPeerCertificate?.serialNumber ?? "").toLowerCase(),
    address: call.getPeer(),
  };
}

function peerName(call: Pick<ServerDuplexStream<never, never>, "getAuthContext">): string {
  const name: unknown = call.getAuthContext()?.sslPeerCertificate?.subject.CN;
  return typeof name === "string" ? name : "";
}

/** A peer that does not take what it is sent is cut off before that fills the memory. */
function sendOrCut(
  call: ServerDuplexStream<unknown, HubMessage>,
  stream: MeteredStream | undefined,
  message: HubMessage,
): void {
  if (!call.writable) return;
  if (call.writableLength < STREAM_BOUNDS.unsentMessages) call.write(message);
  else stream?.cut();
}
