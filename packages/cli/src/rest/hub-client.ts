import { PlimsollError } from "@plimsoll/contracts";
import { refusalOf } from "./hub-refusal.ts";
import type { HubTarget } from "./hub-target.ts";
import { type HubResponse, sendToHub } from "./send-to-hub.ts";

/** What a schema of the contract does. */
export interface AnswerSchema<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/** One answer of the hub: its text to the letter, and its parsed value. */
export interface HubAnswer<T> {
  readonly text: string;
  readonly value: T;
}

/** The values of a query; those that are undefined are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Asks one hub. Every method throws coded errors: the hub's own, or hub_unreachable, hub_untrusted, hub_answer_invalid. */
export interface HubClient {
  readonly url: string;
  get<T>(path: string, query: Query, schema: AnswerSchema<T>): Promise<HubAnswer<T>>;
  post<T>(path: string, body: object, schema: AnswerSchema<T>): Promise<HubAnswer<T>>;
}

/** A client of one hub; requests end when `signal` aborts. Keeps no connection open between requests. */
export function openHub(target: HubTarget, signal: AbortSignal): HubClient {
  return {
    url: target.url,
    get: async (path, query, schema) => {
      const response = await sendToHub(target, { method: "GET", path: withQuery(path, query), signal });
      return readAnswer(target.url, `GET ${path}`, response, schema);
    },
    post: async (path, body, schema) => {
      const response = await sendToHub(target, { method: "POST", path, body: JSON.stringify(body), signal });
      return readAnswer(target.url, `POST ${path}`, response, schema);
    },
  };
}

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function readAnswer<T>(hub: string, what: string, response: HubResponse, schema: AnswerSchema<T>): HubAnswer<T> {
  const { status, text } = response;
  const body = parseJson(text);
  if (status < 200 || status > 299) throw refusalOf(hub, what, status, body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return { text, value: parsed.data };
  const issue = parsed.error.issues[0];
  const reason = body === undefined ? "it is no JSON" : `${issue?.path.join(".") || "it"}: ${issue?.message ?? ""}`;
  throw new PlimsollError("hub_answer_invalid", { url: hub, reason: `${what}: ${reason}` });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
