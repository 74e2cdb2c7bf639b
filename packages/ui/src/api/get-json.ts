import "./schemas-without-eval.ts";
import { Problem } from "@plimsoll/contracts/rest";
import type { z } from "zod";
import { ApiProblem } from "./api-problem.ts";

/** Header by which the hub names a request in its log. */
const REQUEST_ID = "x-request-id";

/** What a request needs from outside. */
export interface Asking {
  readonly token: string | null;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof fetch;
}

/** What the hub answered, as of which moment on its clock, and when it came here: ages go on counting from there. */
export interface Answer<T> {
  readonly body: T;
  readonly asOfMs: number;
  readonly fetchedAtMs: number;
}

/**
 * `GET path` of the hub, parsed by its schema. Throws `ApiProblem` only: the hub's own problem, or what the page finds by
 * itself (no answer, no problem+json, an answer that is not as the contract says). A cancelled request rethrows.
 */
export async function getJson<T>(schema: z.ZodType<T>, path: string, asking: Asking): Promise<Answer<T>> {
  const response = await ask(path, asking);
  const body: unknown = await response.json().catch(() => undefined);
  const requestId = response.headers.get(REQUEST_ID);
  if (!response.ok) throw problemOf(response.status, body, requestId);
  const parsed = schema.safeParse(body);
  if (parsed.success) return { body: parsed.data, asOfMs: asOf(parsed.data, response), fetchedAtMs: Date.now() };
  const first = parsed.error.issues[0];
  const detail = `GET ${path}: ${first?.path.join(".") ?? ""} ${first?.message ?? ""}`;
  throw new ApiProblem({ code: "hub_answer_invalid", status: response.status, detail, requestId });
}

/** The hub's clock: the answer's own `asOf`, else the time at which it was sent. */
function asOf(body: unknown, response: Response): number {
  const said = typeof body === "object" && body !== null ? Reflect.get(body, "asOf") : undefined;
  const times = [typeof said === "string" ? said : "", response.headers.get("date") ?? ""].map((time) =>
    Date.parse(time),
  );
  return times.find((time) => !Number.isNaN(time)) ?? Date.now();
}

async function ask(path: string, { token, signal, fetch: send = fetch }: Asking): Promise<Response> {
  try {
    return await send(path, {
      headers: { accept: "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) },
      ...(signal && { signal }),
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new ApiProblem({ code: "hub_unreachable", detail: `GET ${path}` });
  }
}

function problemOf(status: number, body: unknown, requestId: string | null): ApiProblem {
  const parsed = Problem.safeParse(body);
  return new ApiProblem(parsed.success ? parsed.data : { code: "hub_status", status, requestId });
}
