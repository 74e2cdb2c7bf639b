import type http from "node:http";
import { PlimsollError } from "@plimsoll/contracts";
import { type BackOff, backOffMs, retryAfterMs } from "./back-off.ts";
import { type Clock, type Random, sleep } from "./clock.ts";
import type { KubeConnection, RequestOptions, StreamOptions } from "./connection.ts";
import { createAgents, type ServerSettings } from "./connection-agents.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { type Asked, answerFailure, bodyFailure, isCut, transportFailure } from "./failures.ts";
import { createLimiter } from "./limiter.ts";
import { readBody, sendRequest } from "./send-request.ts";
import { splitLines } from "./split-lines.ts";

/** Everything an HTTP connection needs; clock and random come from outside. */
export interface HttpConnectionSettings extends ServerSettings {
  readonly context: string;
  readonly credentials: CredentialSource;
  readonly clock: Clock;
  readonly random: Random;
  /** Deadline of a request that names none, milliseconds. */
  readonly requestDeadlineMs?: number;
  /** A new TCP connection must stand within this, milliseconds. */
  readonly connectMs?: number;
  /** Requests at once; streams are not counted. */
  readonly concurrency?: number;
}

const DEFAULTS = { requestDeadlineMs: 30_000, connectMs: 10_000, concurrency: 4 };
/** Repetitions of a request that names no number. */
const REPEATS = 5;
const BACK_OFF: BackOff = { baseMs: 200, capMs: 10_000 };
/** etcd refuses objects of more than 1.5 MiB; JSON and managed fields can make that a few times larger. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A connection over node:http(s). Opens sockets at the first request only. */
export function createHttpConnection(settings: HttpConnectionSettings): KubeConnection {
  const { requestDeadlineMs, connectMs, concurrency } = settings;
  return new HttpConnection({
    ...settings,
    requestDeadlineMs: requestDeadlineMs ?? DEFAULTS.requestDeadlineMs,
    connectMs: connectMs ?? DEFAULTS.connectMs,
    concurrency: concurrency ?? DEFAULTS.concurrency,
  });
}

class HttpConnection implements KubeConnection {
  readonly server: string;
  readonly context: string;
  readonly #settings: HttpConnectionSettings & typeof DEFAULTS;
  readonly #agents;
  readonly #limit;

  constructor(settings: HttpConnectionSettings & typeof DEFAULTS) {
    this.server = settings.server;
    this.context = settings.context;
    this.#settings = settings;
    this.#agents = createAgents(settings, settings.concurrency);
    this.#limit = createLimiter(settings.concurrency);
  }

  async getJson(path: string, options: RequestOptions = {}): Promise<unknown> {
    const answer = await this.#get(path, options);
    try {
      return JSON.parse(answer.body);
    } catch {
      throw bodyFailure(answer.contentType, answer.body, this.#asked(path, options));
    }
  }

  async getText(path: string, options: RequestOptions = {}): Promise<string> {
    return (await this.#get(path, options)).body;
  }

  async streamLines(path: string, options: StreamOptions): Promise<AsyncIterable<string>> {
    const asked = this.#asked(path, options);
    const deadline = this.#deadline(asked, options);
    try {
      const answer = await this.#sendAuthorized(path, options, deadline, "stream");
      if (answer.statusCode !== 200) throw await this.#badAnswer(answer, deadline.signal, asked);
      deadline.stopTimer();
      return this.#lines(answer, deadline, options.idleMs, asked);
    } catch (error) {
      deadline.settle();
      throw failureOf(error, deadline.signal, asked);
    }
  }

  close(): void {
    this.#settings.credentials.close?.();
    this.#agents.close();
  }

  async #get(path: string, options: RequestOptions): Promise<{ body: string; contentType: string }> {
    const asked = this.#asked(path, options);
    const deadline = this.#deadline(asked, options);
    try {
      return await this.#limit(() => this.#getWithRepeats(path, options, deadline, asked), deadline.signal);
    } catch (error) {
      throw failureOf(error, deadline.signal, asked);
    } finally {
      deadline.settle();
    }
  }

  async #getWithRepeats(path: string, options: RequestOptions, deadline: Deadline, asked: Asked) {
    for (let repeat = 0; ; repeat += 1) {
      const outcome = await this.#attempt(path, options, deadline, asked);
      if ("body" in outcome) return outcome;
      const waitMs = (outcome.waitMs ?? 0) + backOffMs(repeat, BACK_OFF, this.#settings.random);
      // Waiting past the deadline would only turn a precise error into a timeout.
      if (repeat >= (options.repeats ?? REPEATS) || waitMs >= deadline.remainingMs()) throw outcome.failure;
      await sleep(this.#settings.clock, waitMs, deadline.signal);
    }
  }

  /** One answer, or a failure that is worth a repetition; every other failure is thrown. */
  async #attempt(path: string, options: RequestOptions, deadline: Deadline, asked: Asked): Promise<Outcome> {
    try {
      const answer = await this.#sendAuthorized(path, options, deadline, "request");
      const contentType = answer.headers["content-type"] ?? "";
      if (answer.statusCode === 200) return { body: await readBody(answer, deadline.signal, asked), contentType };
      const failure = await this.#badAnswer(answer, deadline.signal, asked);
      if (!isWorthRepeating(answer.statusCode)) throw failure;
      return { failure, waitMs: this.#retryAfter(answer) };
    } catch (error) {
      if (deadline.signal.aborted || !isCut(error)) throw error;
      return { failure: transportFailure(error, asked) };
    }
  }

  /** Sends with the present credentials, and once more when the server refuses them and there may be newer ones. */
  async #sendAuthorized(path: string, options: RequestOptions, deadline: Deadline, use: "request" | "stream") {
    const { credentials } = this.#settings;
    const credential = await credentials.current(deadline.signal);
    const answer = await this.#send(path, options, deadline, use, credential);
    if (answer.statusCode !== 401 || !credentials.refused(credential)) return answer;
    answer.resume();
    return this.#send(path, options, deadline, use, await credentials.current(deadline.signal));
  }

  #send(path: string, options: RequestOptions, deadline: Deadline, use: "request" | "stream", credential: Credential) {
    const { server, clock, connectMs } = this.#settings;
    const accept = options.accept ?? "application/json";
    return sendRequest({
      url: urlOf(server, path, options.query),
      headers: { ...credential.headers, accept, "user-agent": "plimsoll" },
      agent: this.#agents.agentFor(credential, use),
      signal: deadline.signal,
      asked: this.#asked(path, options),
      connectMs,
      clock,
    });
  }

  async #badAnswer(answer: http.IncomingMessage, signal: AbortSignal, asked: Asked): Promise<PlimsollError> {
    const body = await readBody(answer, signal, asked);
    const bad = {
      status: answer.statusCode ?? 0,
      contentType: answer.headers["content-type"] ?? "",
      location: answer.headers.location,
      retryAfterMs: this.#retryAfter(answer),
      body,
    };
    return answerFailure(bad, asked);
  }

  #retryAfter(answer: http.IncomingMessage): number | undefined {
    return retryAfterMs(answer.headers["retry-after"], this.#settings.clock.now());
  }

  async *#lines(
    answer: http.IncomingMessage,
    deadline: Deadline,
    idleMs: number,
    asked: Asked,
  ): AsyncGenerator<string> {
    const tooLong = () => new PlimsollError("api_answer_invalid", { ...asked, reason: "an endless line" });
    try {
      yield* splitLines(this.#chunks(answer, deadline, idleMs, asked), MAX_LINE_BYTES, tooLong);
    } catch (error) {
      throw failureOf(error, deadline.signal, asked);
    } finally {
      answer.destroy();
      deadline.settle();
    }
  }

  /** The answer's bytes; ends it when none come for `idleMs` while somebody waits for them. */
  async *#chunks(answer: http.IncomingMessage, deadline: Deadline, idleMs: number, asked: Asked) {
    const idle = () => {
      const reason = `silent for ${idleMs / 1000} s`;
      deadline.abort(new PlimsollError("cluster_unreachable", { ...asked, reason }));
    };
    let stop = this.#settings.clock.setTimer(idleMs, idle);
    try {
      for await (const chunk of answer) {
        stop();
        yield chunk;
        stop = this.#settings.clock.setTimer(idleMs, idle);
      }
    } finally {
      stop();
    }
  }

  #deadline(asked: Asked, options: RequestOptions): Deadline {
    const ms = options.deadlineMs ?? this.#settings.requestDeadlineMs;
    const expired = () => new PlimsollError("cluster_timeout", { ...asked, seconds: ms / 1000 });
    return createDeadline(this.#settings.clock, ms, options.signal, expired);
  }

  #asked(path: string, options: RequestOptions): Asked {
    return { server: this.server, context: this.context, what: options.what ?? path };
  }
}

type Outcome = { body: string; contentType: string } | { failure: PlimsollError; waitMs?: number };

/** Why the request was ended, when it was: the coded timeout or the caller's own reason. Else what broke, coded. */
function failureOf(error: unknown, signal: AbortSignal, asked: Asked): unknown {
  return signal.aborted ? signal.reason : transportFailure(error, asked);
}

function isWorthRepeating(status: number | undefined): boolean {
  return status === 429 || (status !== undefined && status >= 500 && status !== 501);
}

function urlOf(server: string, path: string, query: RequestOptions["query"] = {}): URL {
  const base = new URL(server);
  const url = new URL(base.pathname.replace(/\/$/, "") + path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}
