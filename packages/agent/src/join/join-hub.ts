import type { Clock } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import { JoinAnswer, type JoinRequest, Problem } from "@plimsoll/contracts/rest";
import { parseHubUrl } from "./hub-address.ts";
import type { JoinToken } from "./join-token.ts";
import { findAuthority } from "./pinned-authority.ts";
import { type JsonAnswer, postJson } from "./post-json.ts";

/** Whole joining, connections included. */
const DEADLINE_MS = 20_000;

/** What is said to join. */
export interface Joining {
  readonly hubUrl: string;
  readonly token: JoinToken;
  readonly request: Omit<JoinRequest, "token">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Joins: `POST /api/v1/join`. Over https the hub must show the CA that the token names, or a certificate that the machine
 * trusts; only then is the token sent. Throws `hub_url_invalid`, `hub_unreachable` (try again), `hub_untrusted`,
 * `join_refused`, `hub_answer_invalid`; or rejects with the signal's reason.
 */
export async function joinHub({ hubUrl, token, request, clock, signal }: Joining): Promise<JoinAnswer> {
  const base = parseHubUrl(hubUrl);
  const url = new URL(`${base.pathname.replace(/\/$/, "")}/api/v1/join`, base);
  const expired = new AbortController();
  const cancel = clock.setTimer(DEADLINE_MS, () =>
    expired.abort(new Error(`no answer within ${DEADLINE_MS / 1_000} s`)),
  );
  const either = AbortSignal.any([signal, expired.signal]);
  try {
    const authority =
      url.protocol === "https:" ? await findAuthority(serverOf(url), token.caSha256, either) : undefined;
    return readAnswer(await postJson(url, { token: token.text, ...request }, authority, either), hubUrl);
  } catch (error) {
    if (error instanceof PlimsollError) throw error;
    signal.throwIfAborted();
    throw failureOf(hubUrl, either.aborted ? either.reason : error);
  } finally {
    cancel();
  }
}

function serverOf(url: URL): { readonly host: string; readonly port: number } {
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 443) };
}

function readAnswer({ status, body }: JsonAnswer, url: string): JoinAnswer {
  const answer = JoinAnswer.safeParse(body);
  if (status >= 200 && status < 300 && answer.success) return answer.data;
  const problem = Problem.safeParse(body);
  if (status === 429 || status >= 500) {
    throw new PlimsollError("hub_unreachable", { url, reason: problem.data?.detail ?? `it answers ${status}` });
  }
  if (problem.success) {
    const { detail, code, remedy } = problem.data;
    throw new PlimsollError("join_refused", { reason: detail, hubCode: code, hubRemedy: remedy });
  }
  const reason = answer.success ? `status ${status}` : `status ${status}, not the fields of an answer to joining`;
  throw new PlimsollError("hub_answer_invalid", { url, reason });
}

/** Faults of a certificate end the joining; everything else passes, perhaps. */
function failureOf(url: string, thrown: unknown): PlimsollError {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const untrusted = CERTIFICATE_FAULTS.test(code);
  return new PlimsollError(untrusted ? "hub_untrusted" : "hub_unreachable", { url, reason }, { cause: thrown });
}

const CERTIFICATE_FAULTS = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT|HOSTNAME|INVALID_PURPOSE/;
