import { ERROR_TABLE, type ErrorCode, fillTemplate, reportError } from "@plimsoll/contracts";
import type { Deregistered, Fenced, Move, Refused, RetryAfter } from "@plimsoll/contracts/wire";
import type { AgentEnd } from "../agent.ts";

/** How a session on a stream ended, and so what comes next. */
export type SessionEnd =
  /** The stream broke, or its peer fell silent: come back. */
  | { readonly kind: "lost"; readonly reason: string }
  /** The hub asked for a pause. */
  | { readonly kind: "pause"; readonly delayMs: number; readonly reason: string }
  /** The hub does not accept this agent as it is: an upgrade may mend it. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The hub asked to open the stream anew, at an address if one is named. */
  | { readonly kind: "move"; readonly address: string | null; readonly withinMs: number }
  /** There is nothing to come back for. */
  | { readonly kind: "over"; readonly end: AgentEnd };

/** Answers that both streams have in common, by the name of their field. */
export type CommonAnswer =
  | { readonly case: "retryAfter"; readonly value: RetryAfter }
  | { readonly case: "fenced"; readonly value: Fenced }
  | { readonly case: "deregistered"; readonly value: Deregistered }
  | { readonly case: "refused"; readonly value: Refused }
  | { readonly case: "move"; readonly value: Move };

/** The end that such an answer means. */
export function endOf(answer: CommonAnswer): SessionEnd {
  switch (answer.case) {
    case "retryAfter":
      return { kind: "pause", delayMs: answer.value.delayMs, reason: answer.value.code };
    case "fenced":
      return over("fenced", "agent_fenced", { instance: answer.value.instance });
    case "deregistered":
      return over("deregistered", "agent_deregistered", { reason: answer.value.message });
    case "refused":
      return { kind: "refused", reason: `${answer.value.message} (${answer.value.code})` };
    case "move":
      return { kind: "move", address: answer.value.address || null, withinMs: answer.value.withinMs };
  }
}

/** A stream that broke by an error. */
export function lostBy(error: unknown): SessionEnd {
  return { kind: "lost", reason: error instanceof Error ? error.message : reportError(error).message };
}

function over(reason: AgentEnd["reason"], code: ErrorCode, fields: Readonly<Record<string, string>>): SessionEnd {
  return { kind: "over", end: { reason, code, message: fillTemplate(ERROR_TABLE[code].message, fields) } };
}
