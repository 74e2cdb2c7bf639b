import type { ServerResponse } from "node:http";
import type { KubeJson } from "../objects/kube-json.ts";
import { type ApiFailure, statusObject } from "./api-status.ts";

const HEADERS = { "cache-control": "no-cache, private", "x-plimsoll-simulated": "true" };
const JSON_TYPE = "application/json";

/** Answers with a JSON document. */
export function sendJson(response: ServerResponse, document: KubeJson, status = 200): void {
  response.writeHead(status, { ...HEADERS, "content-type": JSON_TYPE });
  response.end(`${JSON.stringify(document)}\n`);
}

/** Answers with plain text. */
export function sendText(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { ...HEADERS, "content-type": "text/plain; charset=utf-8" });
  response.end(text);
}

/** Answers with a Status object. */
export function sendFailure(response: ServerResponse, failure: ApiFailure): void {
  const retry = failure.retryAfterSeconds === undefined ? {} : { "retry-after": String(failure.retryAfterSeconds) };
  response.writeHead(failure.status, { ...HEADERS, "content-type": JSON_TYPE, ...retry });
  response.end(`${JSON.stringify(statusObject(failure))}\n`);
}

/** What a real API server says to a path it does not know: no Status object. */
export function sendUnknownPath(response: ServerResponse): void {
  sendText(response, "404 page not found\n", 404);
}

/** Opens an answer whose body comes piece by piece. */
export function beginJson(response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, "content-type": JSON_TYPE });
}
