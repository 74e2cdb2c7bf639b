import { ERROR_TABLE, type ErrorCode, PlimsollError } from "@plimsoll/contracts";
import { Problem } from "@plimsoll/contracts/rest";

/** A hub's own refusal, in its own words: it knows more than a template that is filled here. */
class HubRefusal extends PlimsollError {
  override readonly remedy: string;

  constructor(code: ErrorCode, problem: { detail: string; remedy: string; requestId: string; status: number }) {
    super(code);
    // What went wrong inside the hub is in its log under the request's name.
    this.message = problem.status >= 500 ? `${problem.detail} (request ${problem.requestId})` : problem.detail;
    this.remedy = problem.remedy;
  }
}

/** The coded error of an answer that is none. `what` is the request, "GET /api/v1/clusters". */
export function refusalOf(hub: string, what: string, status: number, body: unknown): PlimsollError {
  if (status === 401) return new PlimsollError("hub_token_wrong", { url: hub });
  const parsed = Problem.safeParse(body);
  if (!parsed.success) {
    return new PlimsollError("hub_answer_invalid", {
      url: hub,
      reason: `status ${status} to ${what}, without a reason`,
    });
  }
  const problem = parsed.data;
  if (isKnown(problem.code)) return new HubRefusal(problem.code, problem);
  // A newer hub may have codes that this release does not know.
  return new HubRefusal("hub_refused", { ...problem, detail: `${problem.detail} [${problem.code}]` });
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}
