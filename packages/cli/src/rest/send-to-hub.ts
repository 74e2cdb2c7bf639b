import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { PlimsollError } from "@plimsoll/contracts";
import type { HubTarget } from "./hub-target.ts";

/** One request; `path` begins with a slash and counts from the hub's address. */
export interface HubRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** What came back, whatever its status. */
export interface HubResponse {
  readonly status: number;
  readonly text: string;
}

/** What one request may take, its answer read to the end. */
const DEADLINE_MS = 30_000;

/** Sends one request. Throws hub_unreachable, hub_untrusted, and interrupted when the signal aborts. */
export async function sendToHub(target: HubTarget, request: HubRequest): Promise<HubResponse> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    return await exchange(target, request, AbortSignal.any([request.signal, deadline]));
  } catch (cause) {
    if (request.signal.aborted)
      throw new PlimsollError("interrupted", { what: `the request to ${target.url}` }, { cause });
    const reason = deadline.aborted ? `no answer within ${DEADLINE_MS / 1000} s` : reasonOf(cause);
    const code = isTrustFault(cause) ? "hub_untrusted" : "hub_unreachable";
    throw new PlimsollError(code, { url: target.url, reason }, { cause });
  }
}

function exchange(target: HubTarget, request: HubRequest, signal: AbortSignal): Promise<HubResponse> {
  const url = new URL(target.url + request.path);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<HubResponse>();
  const outgoing = send(url, {
    method: request.method,
    headers: headersOf(target, request),
    // Its own connection: a finished command must not wait for one that is kept.
    agent: false,
    signal,
    ...(target.ca === undefined ? {} : { ca: target.ca }),
  });
  outgoing.on("error", reject);
  outgoing.on("response", (response) => {
    text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject);
  });
  outgoing.end(request.body);
  return promise;
}

function headersOf({ token }: HubTarget, { body }: HubRequest): Record<string, string> {
  return {
    accept: "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` }),
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection broke",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be looked up",
  EHOSTUNREACH: "no way to its address",
  ENETUNREACH: "no way to its network",
  ETIMEDOUT: "no answer",
  EPROTO: "it does not speak TLS there",
};

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  return REASONS[code] ?? (code || (cause instanceof Error ? cause.message : String(cause)));
}

function isTrustFault(cause: unknown): boolean {
  return /CERT|SIGNATURE|ISSUER|ALTNAME|CRL/.test(codeOf(cause));
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
