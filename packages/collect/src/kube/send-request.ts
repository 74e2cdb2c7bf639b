import http from "node:http";
import https from "node:https";
import { PlimsollError } from "@plimsoll/contracts";
import type { Clock } from "./clock.ts";
import type { Asked } from "./failures.ts";

/** One GET, ready to send. */
export interface PreparedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly agent: http.Agent;
  readonly signal: AbortSignal;
  readonly asked: Asked;
  /** A new connection must stand within this, milliseconds. */
  readonly connectMs: number;
  readonly clock: Clock;
}

/**
 * Sends one GET and resolves with the head of its answer, whatever its status. Rejects with the signal's reason, or with
 * what the socket reported (`transportFailure` makes it a coded error).
 */
export function sendRequest(prepared: PreparedRequest): Promise<http.IncomingMessage> {
  const { url, headers, agent, signal } = prepared;
  return new Promise((resolve, reject) => {
    const send = url.protocol === "http:" ? http.request : https.request;
    const request = send(url, { headers, agent, signal });
    const stopConnectTimer = watchConnect(request, prepared);
    request.once("response", (answer) => {
      stopConnectTimer();
      // Later failures of the socket reach the reader of the body; here nobody is left to hear them.
      request.on("error", () => {});
      resolve(answer);
    });
    request.once("error", (error) => {
      stopConnectTimer();
      reject(signal.aborted ? signal.reason : error);
    });
    request.end();
  });
}

/** Ends the request when its new socket is not connected in time: a packet filter that drops answers nothing at all. */
function watchConnect(request: http.ClientRequest, { asked, connectMs, clock }: PreparedRequest): () => void {
  let stop = () => {};
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    stop = clock.setTimer(connectMs, () => {
      const reason = `no connection within ${connectMs / 1000} s`;
      request.destroy(new PlimsollError("cluster_unreachable", { ...asked, reason }));
    });
    socket.once("encrypted" in socket ? "secureConnect" : "connect", () => stop());
  });
  return () => stop();
}

/** Reads a whole body as text. Rejects with the signal's reason, a coded error when the connection breaks or it is over `maxBytes`. */
export async function readBody(
  answer: http.IncomingMessage,
  signal: AbortSignal,
  asked: Asked,
  maxBytes = 512 * 1024 * 1024,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) {
        const reason = `an answer of more than ${maxBytes} bytes`;
        throw new PlimsollError("api_answer_invalid", { ...asked, reason });
      }
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
  return Buffer.concat(chunks, bytes).toString("utf8");
}
