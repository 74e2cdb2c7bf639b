import { PlimsollError } from "@plimsoll/contracts";

/** What a request was about, for its errors. */
export interface Asked {
  readonly server: string;
  readonly context: string;
  /** "pods", "/version" */
  readonly what: string;
}

/** What a server answered that was not good. */
export interface BadAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** Where a redirect would lead. */
  readonly location?: string;
  readonly retryAfterMs?: number;
}

const TLS_UNTRUSTED = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;
/** Alerts by which a server refuses a client's certificate. */
const CERTIFICATE_REFUSED = /alert (bad certificate|certificate|unknown ca|access denied|handshake failure)/i;

const CUT = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "UND_ERR_SOCKET", "HPE_INVALID_EOF_STATE"]);

/** Did an established connection break? Then the same GET may be sent again. */
export function isCut(error: unknown): boolean {
  return CUT.has(codeOf(error));
}

/** A failure below HTTP as a coded error. Ours pass unchanged (a deadline, an abort reason). */
export function transportFailure(error: unknown, asked: Asked): PlimsollError {
  if (error instanceof PlimsollError) return error;
  const code = codeOf(error);
  const reason = reasonOf(error, code);
  const fields = { server: asked.server, context: asked.context, reason };
  if (TLS_UNTRUSTED.test(code)) return new PlimsollError("tls_untrusted", fields, { cause: error });
  if (CERTIFICATE_REFUSED.test(messageOf(error)))
    return new PlimsollError("cluster_unauthorized", fields, { cause: error });
  if (code.startsWith("HPE_"))
    return new PlimsollError("api_answer_invalid", { ...fields, what: asked.what }, { cause: error });
  return new PlimsollError("cluster_unreachable", fields, { cause: error });
}

/** An answer with any other status than 200 as a coded error. */
export function answerFailure(answer: BadAnswer, asked: Asked): PlimsollError {
  const fields = { ...asked, status: answer.status, reason: statusMessage(answer) };
  if (answer.status === 401) return new PlimsollError("cluster_unauthorized", fields);
  if (answer.status < 400 || isHtml(answer)) {
    return new PlimsollError("api_answer_invalid", { ...fields, reason: describePage(answer) });
  }
  if (answer.status === 403) return new PlimsollError("cluster_forbidden", { ...fields, resource: asked.what });
  if (answer.status === 404) return new PlimsollError("api_missing", fields);
  if (answer.status === 410) return new PlimsollError("list_expired", fields);
  if (answer.status === 429) {
    return new PlimsollError("cluster_busy", { ...fields, seconds: Math.ceil((answer.retryAfterMs ?? 1000) / 1000) });
  }
  return new PlimsollError("api_error", fields);
}

/** A good status with a body that is not what was asked for; `reason` says why where it is JSON at all. */
export function bodyFailure(contentType: string, body: string, asked: Asked, reason?: string): PlimsollError {
  if (isHtml({ contentType, body }))
    return new PlimsollError("api_answer_invalid", { ...asked, reason: "an HTML page" });
  if (/^\s*$/.test(body)) return new PlimsollError("api_answer_invalid", { ...asked, reason: "nothing at all" });
  const looksLikeJson = /^\s*[{[]/.test(body);
  const why = looksLikeJson && reason !== undefined ? reason : `no JSON (${excerpt(body)})`;
  return new PlimsollError("api_answer_invalid", { ...asked, reason: why });
}

function isHtml(answer: { contentType: string; body: string }): boolean {
  return /\bhtml\b/i.test(answer.contentType) || /^\s*<(!doctype html|html)/i.test(answer.body);
}

function describePage(answer: BadAnswer): string {
  if (answer.status < 300) return `status ${answer.status}`;
  if (answer.status < 400) return `a redirect to ${hostOf(answer.location)} (status ${answer.status})`;
  return `an HTML page with status ${answer.status}`;
}

/** Host only: the rest of a redirect to a sign-in page may hold secrets. */
function hostOf(location: string | undefined): string {
  return (location && URL.parse(location)?.host) || "another page";
}

/** The message of a Kubernetes Status, else the beginning of the body. */
function statusMessage(answer: BadAnswer): string {
  try {
    const status: unknown = JSON.parse(answer.body);
    if (typeof status === "object" && status !== null && "message" in status && typeof status.message === "string") {
      return status.message;
    }
  } catch {
    // No JSON: the text itself says it.
  }
  return excerpt(answer.body) || `status ${answer.status}`;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "the name does not resolve",
  EAI_AGAIN: "the name does not resolve at the moment",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "no answer to the connection attempt",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ERR_STREAM_PREMATURE_CLOSE: "the connection was cut",
  EPROTO: "it speaks no TLS that this client knows",
};

function reasonOf(error: unknown, code: string): string {
  if (/wrong version number|packet length too long|http request/.test(messageOf(error)))
    return "it speaks no TLS (plain HTTP?)";
  // Node's advice to people who write for it ("…; try running Node.js with …") helps nobody here.
  if (TLS_UNTRUSTED.test(code)) return messageOf(error).split(/[;:]\s*(?:if the root|$)/)[0] || code;
  const known = REASONS[code];
  return known ?? (messageOf(error) || code || "unknown");
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
