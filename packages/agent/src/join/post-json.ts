import http from "node:http";
import https from "node:https";
import { getCACertificates } from "node:tls";

/** An answer of a few lines of JSON. */
export interface JsonAnswer {
  readonly status: number;
  /** Undefined when the body is no JSON. */
  readonly body: unknown;
}

/** Longer answers are none of a hub. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Posts JSON. Trusts `authority` alone over https, or what the machine trusts. Rejects as sockets do. */
export function postJson(
  url: URL,
  payload: unknown,
  authority: string | undefined,
  signal: AbortSignal,
): Promise<JsonAnswer> {
  const body = JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    accept: "application/json",
  };
  const ca = authority ?? [...getCACertificates("default"), ...getCACertificates("system")];
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: http.IncomingMessage): void => {
      readJson(answer).then((json) => resolve({ status: answer.statusCode ?? 0, body: json }), reject);
    };
    const options = { method: "POST", headers, signal, agent: false } as const;
    const request =
      url.protocol === "https:"
        ? https.request(url, { ...options, ca }, onAnswer)
        : http.request(url, options, onAnswer);
    request.once("error", reject);
    request.end(body);
  });
}

async function readJson(answer: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("an endless answer");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}
