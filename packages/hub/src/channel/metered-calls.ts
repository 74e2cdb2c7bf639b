import { constants } from "node:http2";
import {
  type ServerInterceptingCallInterface as Call,
  status as GrpcStatus,
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
} from "@grpc/grpc-js";
import { Intake, type IntakeShare } from "./intake.ts";
import type { Received } from "./received.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";

/** Whom a call belongs to, by its certificate. */
type MemberOf = (call: Pick<Call, "getAuthContext">) => string;

/** What calls are metered by. */
interface MeterNeeds {
  readonly memberOf: MemberOf;
  /** Hears of messages that the library refuses by itself, before any code of ours sees them: larger than any envelope. */
  readonly onRefused: (path: string, member: string) => void;
}

/** A call as whoever serves it holds it to its bounds. */
export interface MeteredStream {
  /** To be closed when the call has been served. */
  readonly share: IntakeShare;
  /** Ends the call without regard to what its peer has not read yet. */
  cut(): void;
}

/** Holds calls to their bounds: a message is read from the network only when its cluster has room for it. */
export class MeteredCalls {
  readonly ingest = new Intake({ bytes: STREAM_BOUNDS.ingestBytes, memberBytes: STREAM_BOUNDS.ingestBytesOfCluster });
  readonly control = new Intake({
    bytes: STREAM_BOUNDS.controlBytes,
    memberBytes: STREAM_BOUNDS.controlBytesOfCluster,
  });
  readonly #streams = new WeakMap<Metadata, MeteredStream>();
  readonly #needs: MeterNeeds;

  constructor(needs: MeterNeeds) {
    this.#needs = needs;
  }

  /** For the server. */
  readonly interceptor: ServerInterceptor = ({ path }, call) => {
    const member = this.#needs.memberOf(call);
    const share = (path.includes("Ingest") ? this.ingest : this.control).open(member);
    this.#watchRefusals(call, path, member);
    const stream = { share, cut: () => cutOff(call) };
    return new MeteredCall(call, share, (metadata) => this.#streams.set(metadata, stream));
  };

  /** The call that came with this metadata. */
  streamOf(metadata: Metadata): MeteredStream | undefined {
    return this.#streams.get(metadata);
  }

  /** The library ends such a call by a status of its own, which no handler is told. */
  #watchRefusals(call: Call, path: string, member: string): void {
    const send = call.sendStatus.bind(call);
    call.sendStatus = (status) => {
      if (status.code === GrpcStatus.RESOURCE_EXHAUSTED) this.#needs.onRefused(path, member);
      send(status);
    };
  }
}

class MeteredCall extends ServerInterceptingCall {
  readonly #share: IntakeShare;

  constructor(call: Call, share: IntakeShare, begin: (metadata: Metadata) => void) {
    super(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, pass) {
            begin(metadata);
            pass(metadata);
          },
          onReceiveMessage: (message: Received<unknown>, pass) =>
            pass({ ...message, release: share.received(message.bytes) }),
        }),
    });
    this.#share = share;
  }

  override startRead(): void {
    this.#share.whenRoom(() => super.startRead());
  }
}

/**
 * Resets the HTTP/2 stream. The library can only end a call after all that was written has been read, which a peer that
 * reads nothing puts off for ever; so the stream is taken from inside its call, where a later release may not have it.
 */
function cutOff(call: Call): void {
  const stream: unknown = Reflect.get(call, "stream");
  if (isResettable(stream)) stream.close(constants.NGHTTP2_CANCEL);
}

function isResettable(stream: unknown): stream is { close(code: number): void } {
  return typeof stream === "object" && stream !== null && "close" in stream && typeof stream.close === "function";
}
