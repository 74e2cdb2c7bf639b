/**
 * Why an answer is missing. From the hub it is its problem+json; what the page finds by itself has one of the codes
 * `hub_unreachable`, `hub_answer_invalid`, `hub_status` and no texts: those are in the catalogs.
 */
export class ApiProblem extends Error {
  readonly code: string;
  /** HTTP status; null when nothing answered. */
  readonly status: number | null;
  readonly title: string | null;
  readonly detail: string | null;
  readonly remedy: string | null;
  /** What to look for in the hub's log; null when nothing answered. */
  readonly requestId: string | null;

  constructor(facts: {
    code: string;
    status?: number | null;
    title?: string | null;
    detail?: string | null;
    remedy?: string | null;
    requestId?: string | null;
  }) {
    super(facts.detail ?? facts.title ?? facts.code);
    this.name = "ApiProblem";
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.title = facts.title ?? null;
    this.detail = facts.detail ?? null;
    this.remedy = facts.remedy ?? null;
    this.requestId = facts.requestId ?? null;
  }
}

/** Whether asking again can help: nothing answered, or the hub says so by its status. */
export function isRetryable(thrown: unknown): boolean {
  if (!(thrown instanceof ApiProblem)) return false;
  return thrown.status === null || thrown.status === 429 || thrown.status >= 500;
}
