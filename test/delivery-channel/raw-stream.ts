import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import type { JoinedCluster } from "../../packages/hub/src/testing/test-hub.ts";

/** A gRPC stream below any library: a hostile sender's view of it. */
export interface RawStream {
  readonly stream: ClientHttp2Stream;
  /** Resolves with the gRPC status when the call is over; null = it was reset without one. */
  readonly status: Promise<number | null>;
  /** Writes and waits until it has left, or the stream is over. */
  write(bytes: Uint8Array): Promise<void>;
  close(): void;
}

/** How it is opened. */
export interface RawOptions {
  /** What the peer may send before it is read, bytes; HTTP/2's own default is 64 KiB. */
  readonly windowBytes?: number;
  readonly encoding?: "gzip";
  /** Takes what it is sent, unless told not to. */
  readonly reads?: boolean;
}

/** Opens one with a good certificate; `path` as in `/plimsoll.v1.Ingest/Deliver`. */
export function openRaw(cluster: JoinedCluster, path: string, options: RawOptions = {}): RawStream {
  const session = connect(`https://${cluster.controlAddress}`, {
    ca: cluster.caBundle,
    cert: cluster.certificate,
    key: cluster.key,
    servername: cluster.serverName,
    minVersion: "TLSv1.3",
    ...(options.windowBytes !== undefined && { settings: { initialWindowSize: options.windowBytes } }),
  });
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...(options.encoding && { "grpc-encoding": options.encoding }),
  });
  stream.on("error", () => {});
  if (options.reads !== false) stream.resume();
  return {
    stream,
    status: statusOf(session, stream),
    async write(bytes) {
      if (stream.closed || stream.destroyed) return;
      if (!stream.write(bytes)) await Promise.race([once(stream, "drain"), once(stream, "close")]);
    },
    close: () => session.destroy(),
  };
}

function statusOf(session: ClientHttp2Session, stream: ClientHttp2Stream): Promise<number | null> {
  return new Promise((resolve) => {
    // Where it is over at once, the status comes with the headers.
    const note = (headers: NodeJS.Dict<string | string[]>): void => {
      const status = headers["grpc-status"];
      if (typeof status === "string") resolve(Number(status));
    };
    stream.on("response", note);
    stream.on("trailers", note);
    stream.on("close", () => resolve(null));
    session.on("close", () => resolve(null));
  });
}

/** A message as gRPC frames it. `bytes` may be said to be others than they are. */
export function frame(message: Uint8Array, said: { length?: number; compressed?: boolean } = {}): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(said.compressed === true ? 1 : 0, 0);
  head.writeUInt32BE(said.length ?? message.length, 1);
  return Buffer.concat([head, message]);
}
