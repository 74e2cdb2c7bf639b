import type { IncomingMessage } from "node:http";
import { PlimsollError } from "@plimsoll/contracts";
import { type BackOff, backOffMs, retryAfterMs } from "./back-off.ts";
import { type Clock, type Random, sleep } from "./clock.ts";
import type { KubeConnection, ListHeader, RequestOptions, StreamOptions } from "./connection.ts";
import { createAgents, type ServerSettings } from "./connection-agents.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { createDeadline, type Deadline, isTimeout } from "./deadline.ts";
import { type Asked, answerFailure, bodyFailure, isCut, transportFailure } from "./failures.ts";
import { createLimiter } from "./limiter.ts";
import { readBody, readItems } from "./read-body.ts";
import { sendRequest } from "./send-request.ts";
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
  /**
   * Ask for packed answers: lists shrink to a tenth; a list of 81 MB cost 0.15 s more of this CPU and as much of the
   * server's. Worth it over a network, not on loopback. Default false.
   */
  readonly gzip?: boolean;
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
    return this.#get(path, options, async (answer, asked) => {
      const body = await readBody(answer, asked);
      try {
        return JSON.parse(body);
      } catch {
        throw bodyFailure(answer.headers["content-type"] ?? "", body, asked);
      }
    });
  }

  async getList(path: string, onItem: (raw: unknown) => void, options: RequestOptions = {}): Promise<ListHeader> {
    const guarded = (raw: unknown) => {
      try {
        onItem(raw);
      } catch (cause) {
        throw new ListenerFailure("the listener of a list failed", { cause });
      }
    };
    return this.#get(path, options, (answer, asked) => readItems(answer, asked, guarded));
  }

  async getText(path: string, options: RequestOptions = {}): Promise<string> {
    return this.#get(path, options, readBody);
  }

  async streamLines(path: string, options: StreamOptions): Promise<AsyncIterable<string>> {
    const asked = this.#asked(path, options);
    const deadline = this.#deadline(asked, options);
    try {
      const answer = await this.#sendAuthorized(path, options, deadline, "stream");
      if (answer.statusCode !== 200) throw await this.#badAnswer(answer, asked);
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

  async #get<T>(path: string, options: RequestOptions, read: Reader<T>): Promise<T> {
    const asked = this.#asked(path, options);
    const deadline = this.#deadline(asked, options);
    try {
      return await this.#limit(() => this.#getWithRepeats(path, options, deadline, read), deadline.signal);
    } catch (error) {
      throw failureOf(error, deadline.signal, asked);
    } finally {
      deadline.settle();
    }
  }

  async #getWithRepeats<T>(path: string, options: RequestOptions, deadline: Deadline, read: Reader<T>): Promise<T> {
    for (let repeat = 0; ; repeat += 1) {
      const outcome = await this.#attempt(path, options, deadline, read);
      if ("value" in outcome) return outcome.value;
      const waitMs = (outcome.waitMs ?? 0) + backOffMs(repeat, BACK_OFF, this.#settings.random);
      // Waiting past the deadline would only turn a precise error into a timeout.
      if (repeat >= (options.repeats ?? REPEATS) || waitMs >= deadline.remainingMs()) throw outcome.failure;
      await sleep(this.#settings.clock, waitMs, deadline.signal).catch((reason) => {
        throw isTimeout(reason) ? outcome.failure : reason;
      });
    }
  }

  /** One answer, or a failure that is worth a repetition; every other failure is thrown. */
  async #attempt<T>(path: string, options: RequestOptions, deadline: Deadline, read: Reader<T>): Promise<Outcome<T>> {
    const asked = this.#asked(path, options);
    try {
      const answer = await this.#sendAuthorized(path, options, deadline, "request");
      if (answer.statusCode === 200) return { value: await read(answer, asked) };
      const failure = await this.#badAnswer(answer, asked);
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
    const { server, clock, connectMs, gzip } = this.#settings;
    const packing = gzip && use === "request" ? { "accept-encoding": "gzip" } : undefined;
    const accept = options.accept ?? "application/json";
    return sendRequest({
      url: urlOf(server, path, options.query),
      headers: { ...credential.headers, accept, ...packing, "user-agent": "plimsoll" },
      agent: this.#agents.agentFor(credential, use),
      signal: deadline.signal,
      asked: this.#asked(path, options),
      connectMs,
      clock,
    });
  }

  async #badAnswer(answer: IncomingMessage, asked: Asked): Promise<PlimsollError> {
    const body = await readBody(answer, asked);
    const bad = {
      status: answer.statusCode ?? 0,
      contentType: answer.headers["content-type"] ?? "",
      location: answer.headers.location,
      retryAfterMs: this.#retryAfter(answer),
      body,
    };
    return answerFailure(bad, asked);
  }

  #retryAfter(answer: IncomingMessage): number | undefined {
    return retryAfterMs(answer.headers["retry-after"], this.#settings.clock.now());
  }

  async *#lines(answer: IncomingMessage, deadline: Deadline, idleMs: number, asked: Asked): AsyncGenerator<string> {
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
  async *#chunks(answer: IncomingMessage, deadline: Deadline, idleMs: number, asked: Asked) {
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

/** Reads the body of a good answer. */
type Reader<T> = (answer: IncomingMessage, asked: Asked) => Promise<T>;
type Outcome<T> = { value: T } | { failure: PlimsollError; waitMs?: number };

/** What a listener threw: passed on as it is, never taken for a failure of the cluster. */
class ListenerFailure extends Error {}

/**
 * Why the request was ended, when it was: the caller's own reason, or the coded timeout unless it is known what the time
 * was lost to. Else what broke, coded.
 */
function failureOf(error: unknown, signal: AbortSignal, asked: Asked): unknown {
  if (error instanceof ListenerFailure) return error.cause;
  if (error instanceof PlimsollError && isTimeout(signal.reason)) return error;
  return signal.aborted ? signal.reason : transportFailure(error, asked);
}

function isWorthRepeating(status: number | undefined): boolean {
  return status === 429 || (status !== undefined && status >= 500 && status !== 501);
}

function urlOf(server: string, path: string, query: RequestOptions["query"] = {}): URL {
  const url = new URL(server);
  // Set, not resolved: a path such as "//elsewhere/x" must not lead the credentials to another host.
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}
