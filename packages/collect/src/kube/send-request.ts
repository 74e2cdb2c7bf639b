import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { PlimsollError } from "@plimsoll/contracts";
import type { Clock } from "./clock.ts";
import type { Asked } from "./failures.ts";
import { http, https } from "./node-http.ts";

/** One GET, ready to send. */
export interface PreparedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly agent: Agent;
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
export function sendRequest(prepared: PreparedRequest): Promise<IncomingMessage> {
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
function watchConnect(request: ClientRequest, { asked, connectMs, clock }: PreparedRequest): () => void {
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
